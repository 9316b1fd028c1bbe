// What travels over a shared channel: everything v8 serializes, as a copy; everything else is refused and the
// channel goes on.

import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chan, arena, recvFrom, selectAsync, sendTo } from '../../src/sync/index.js';
import { Crew } from '../support/crew.js';

let crew: Crew;
let out: Chan<unknown>;
let back: Chan<unknown>;
let echoes: Promise<void>;

beforeAll(() => {
  crew = new Crew(1, new URL('./values-tasks.js', import.meta.url));
  out = new Chan(2);
  back = new Chan(2);
  echoes = crew.run(0, 'echo', { input: out.handle(), output: back.handle() });
});

afterAll(async () => {
  out.close();
  await echoes;
  out.dispose();
  back.dispose();
  await crew.stop();
});

async function overAndBack<T>(value: T): Promise<T> {
  await out.sendAsync(value);
  return (await back.recvAsync()) as T;
}

const circle: Record<string, unknown> = { name: 'circle' };
circle.self = circle;
const shared = { twice: true };

const VALUES: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  true: true,
  'minus zero': -0,
  NaN: NaN,
  infinity: -Infinity,
  'a float': 1e-320,
  'an integer': 2 ** 53 - 1,
  bigint: -(2n ** 200n),
  'the empty string': '',
  'a string of all planes': 'aé水🧵\0\ud800',
  'a huge string': 'x'.repeat(3_000_000),
  'a huge wide string': '水'.repeat(500_000),
  date: new Date(86_400_000),
  'an invalid date': new Date(NaN),
  regexp: /a+(?<b>b)/giu,
  array: [1, , 'hole', [[]]],
  object: { a: { b: { c: [1, 'x', null, undefined] } }, '': 1, __proto__: null },
  map: new Map<unknown, unknown>([
    [{ key: 1 }, new Set([1, 'a'])],
    [NaN, -0],
  ]),
  set: new Set([new Date(0), 1n, 'x']),
  'boxed values': [new Number(-0), new String('s'), new Boolean(false)],
  circle,
  'one object twice': [shared, shared],
  arraybuffer: new Uint8Array([1, 2, 3]).buffer,
  int8: new Int8Array([-1, 1]),
  uint8: new Uint8Array([255]),
  clamped: new Uint8ClampedArray([300]),
  int16: new Int16Array([-2, 2]),
  uint16: new Uint16Array([65535]),
  int32: new Int32Array([-(2 ** 31)]),
  uint32: new Uint32Array([2 ** 32 - 1]),
  float32: new Float32Array([1.5, -0]),
  float64: new Float64Array([Math.PI, NaN]),
  bigint64: new BigInt64Array([-1n]),
  biguint64: new BigUint64Array([2n ** 64n - 1n]),
  dataview: new DataView(new Uint8Array([9, 8, 7]).buffer, 1),
  'an unaligned view': new Float64Array(new Float64Array([1, 2, 3]).buffer, 8, 1),
  buffer: Buffer.from('buffer'),
  'an empty buffer': Buffer.alloc(0),
};

describe('over and back', () => {
  test.each(Object.keys(VALUES))('%s', async (name) => {
    const value = VALUES[name];
    const copy = await overAndBack(value);
    expect(copy).toEqual(value);
    expect(Object.is(copy, value)).toBe(typeof value !== 'object' || value === null);
  });

  test('identity inside one value', async () => {
    const copy = await overAndBack(circle);
    expect(copy.self).toBe(copy);
    const [first, second] = await overAndBack([shared, shared]);
    expect(first).toBe(second);
  });

  test('a buffer is a buffer, and shares memory with nobody', async () => {
    const copy = await overAndBack(Buffer.from('abc'));
    expect(Buffer.isBuffer(copy)).toBe(true);
    expect(copy.buffer).toBeInstanceOf(ArrayBuffer);
  });

  test.each([new Error('plain'), new TypeError('typed'), new RangeError('ranged', { cause: 'x' })])(
    '%s',
    async (error) => {
      const copy = await overAndBack(error);
      expect(copy).toBeInstanceOf(Error);
      expect([copy.name, copy.message]).toEqual([error.name, error.message]);
    },
  );

  test('numbers over a number channel are exact', async () => {
    const ch = new Chan<number>(1, { elem: 'number' });
    ch.handle();
    for (const n of [-0, NaN, Infinity, 1e308, 5e-324, 2 ** 53 + 2]) {
      ch.trySend(n);
      expect(Object.is(ch.tryRecv()?.value, n)).toBe(true);
    }
    ch.dispose();
  });

  test('over a void channel comes nothing', async () => {
    for (const share of [false, true]) {
      const ch = new Chan<unknown>(1, { elem: 'void' });
      if (share) ch.handle();
      ch.trySend('something');
      expect(ch.tryRecv()).toEqual({ value: undefined, ok: true });
      ch.dispose();
    }
  });
});

describe('refused', () => {
  const { port1, port2 } = new MessageChannel();
  afterAll(() => {
    port1.close();
    port2.close();
  });
  const refused: Record<string, unknown> = {
    'shared memory': new SharedArrayBuffer(8),
    'shared memory inside': { deep: [new SharedArrayBuffer(8)] },
    'a view of shared memory': new Int32Array(new SharedArrayBuffer(8)),
    'a buffer over shared memory': Buffer.from(new SharedArrayBuffer(8)),
    'a handle': new Chan().handle(),
    'a port': port1,
    'a function': () => 0,
    'a method inside': { method() {} },
    'a symbol': Symbol('s'),
    'a promise': Promise.resolve(),
    'a weak map': new WeakMap(),
    'a thrower': {
      get boom() {
        throw new Error('boom');
      },
    },
  };

  test.each(Object.keys(refused))('%s', async (name) => {
    const value = refused[name];
    const { liveBlocks } = arena();
    const expected = { code: 'ERR_NOT_SERIALIZABLE' };
    await expect(out.sendAsync(value)).rejects.toMatchObject(expected);
    expect(() => out.trySend(value)).toThrow(expect.objectContaining(expected) as Error);
    await expect(selectAsync([sendTo(out, 'good'), sendTo(out, value)])).rejects.toMatchObject(expected);
    expect(arena().liveBlocks).toBeLessThanOrEqual(liveBlocks + 2);
    expect(await overAndBack('still works')).toBe('still works');
  });
});

test('a value that is too large is refused and the channel goes on', async () => {
  const limit = arena().maxValueBytes;
  const { liveBlocks } = arena();
  const large = 'x'.repeat(limit + 1);
  await expect(out.sendAsync(large)).rejects.toMatchObject({ code: 'ERR_VALUE_TOO_LARGE' });
  expect(() => out.trySend(large)).toThrow(expect.objectContaining({ code: 'ERR_VALUE_TOO_LARGE' }) as Error);
  expect(arena().liveBlocks).toBeLessThanOrEqual(liveBlocks + 2);
  const most = 'x'.repeat(limit - 64);
  expect(await overAndBack(most)).toBe(most);
});

describe('zero values', () => {
  test.each([
    ['any', undefined],
    ['number', 0],
    ['void', undefined],
  ] as const)('of %s', async (elem, zero) => {
    for (const share of [false, true]) {
      const ch = new Chan<unknown>(1, { elem });
      if (share) ch.handle();
      const waiting = ch.recv2Async();
      const selecting = selectAsync([recvFrom(ch)]);
      ch.close();
      expect(await waiting).toEqual({ value: zero, ok: false });
      expect(await selecting).toEqual({ index: 0, value: zero, ok: false });
      expect(await ch.recvAsync()).toBe(zero);
      expect(ch.tryRecv()).toEqual({ value: zero, ok: false });
      ch.dispose();
    }
  });
});

describe('for await', () => {
  test.each([false, true])(
    'takes everything until the channel is closed and drained, shared: %s',
    async (share) => {
      const ch = new Chan<number>(3);
      if (share) ch.handle();
      for (const v of [1, 2, 3]) ch.trySend(v);
      ch.close();
      const got: number[] = [];
      for await (const v of ch) got.push(v);
      expect(got).toEqual([1, 2, 3]);
      ch.dispose();
    },
  );

  test('can be left, and what is not taken stays', async () => {
    const ch = new Chan<number>(3);
    for (const v of [1, 2, 3]) ch.trySend(v);
    for await (const v of ch) if (v === 2) break;
    expect(ch.tryRecv()).toEqual({ value: 3, ok: true });
  });
});
