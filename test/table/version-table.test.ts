import { describe, expect, test } from 'vitest';
import { Header } from '../../src/table/layout.js';
import { TableError, VersionTable, type VersionTableHandle } from '../../src/table/index.js';

const withCode = (code: string): unknown => expect.objectContaining({ code }) as unknown;

/** How many times the index was rebuilt. */
const rebuilds = (table: VersionTable): number => new Int32Array(table.handle().memory)[Header.sequence];

test('a pod has a slot and versions from acquire to release', () => {
  const table = VersionTable.create({ maxPods: 10 });
  expect(table.capacity).toBe(84);
  const slot = table.acquire('a');
  expect(table.acquire('a')).toBe(slot);
  expect(table.find('a')).toBe(slot);
  expect([table.size, table.statusVersion('a'), table.apiVersion('a')]).toEqual([1, 0, 0]);
  table.setStatusVersion(slot, 7);
  table.setApiVersion(slot, 5);
  expect([table.statusVersion('a'), table.apiVersion('a')]).toEqual([7, 5]);
  expect([table.statusVersionAt(slot), table.apiVersionAt(slot)]).toEqual([7, 5]);

  expect(table.release('a')).toBe(true);
  expect(table.release('a')).toBe(false);
  expect([table.size, table.find('a'), table.statusVersion('a'), table.apiVersion('a')]).toEqual([
    0, -1, 0, 0,
  ]);
});

test('a slot that is used again starts without versions', () => {
  const table = VersionTable.create({ maxPods: 1 });
  const slot = table.acquire('a');
  table.setStatusVersion(slot, 7);
  table.setApiVersion(slot, 7);
  table.release('a');
  expect([table.statusVersionAt(slot), table.apiVersionAt(slot)]).toEqual([0, 0]);
  expect(table.acquire('b')).toBe(slot);
  expect([table.statusVersion('b'), table.apiVersion('b'), table.find('a')]).toEqual([0, 0, -1]);
});

test('versions are safe integers of up to 53 bits, 0 for none', () => {
  const table = VersionTable.create({ maxPods: 1 });
  const slot = table.acquire('a');
  for (const version of [1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, 0]) {
    table.setStatusVersion(slot, version);
    table.setApiVersion(slot, version);
    expect([table.statusVersion('a'), table.apiVersion('a')]).toEqual([version, version]);
  }
  for (const bad of [-1, 0.5, NaN, 2 ** 53, Infinity]) {
    expect(() => table.setStatusVersion(slot, bad)).toThrow(withCode('ERR_BAD_VERSION'));
    expect(() => table.setApiVersion(slot, bad)).toThrow(withCode('ERR_BAD_VERSION'));
  }
  expect(table.statusVersion('a')).toBe(0);
});

test('a full table refuses the next pod, keeps the others, and goes on after a release', () => {
  const table = VersionTable.create({ maxPods: 8 });
  const uids = Array.from({ length: table.capacity }, (_, i) => `pod-${i}`);
  const slots = uids.map((uid) => table.acquire(uid));
  expect(new Set(slots).size).toBe(table.capacity);
  expect(() => table.acquire('one more')).toThrow(withCode('ERR_TABLE_FULL'));
  expect(() => table.acquire('one more')).toThrow(TableError);
  expect([table.size, table.find('one more')]).toEqual([table.capacity, -1]);
  expect(uids.map((uid) => table.acquire(uid))).toEqual(slots);

  table.release('pod-3');
  expect(table.acquire('one more')).toBe(slots[3]);
  expect(uids.map((uid) => table.find(uid))).toEqual(slots.map((slot, i) => (i === 3 ? -1 : slot)));
});

test('churn at capacity: rebuilds happen, nobody is lost', () => {
  const table = VersionTable.create({ maxPods: 50 });
  const live: string[] = [];
  for (let i = 0; i < 20_000; i++) {
    if (live.length === table.capacity)
      expect(table.release(live.splice((i * 31) % live.length, 1)[0])).toBe(true);
    const uid = `pod-${i}`;
    table.setStatusVersion(table.acquire(uid), i + 1);
    live.push(uid);
  }
  expect(rebuilds(table)).toBeGreaterThan(10);
  expect(live.map((uid) => `pod-${table.statusVersion(uid) - 1}`)).toEqual(live);
});

describe('uids', () => {
  const odd = [
    '',
    '\0',
    '\0\0\0\0',
    'a',
    'a\0',
    '__proto__',
    'constructor',
    'ab\ncd',
    'ü'.repeat(32),
    '€'.repeat(21),
    '😀'.repeat(16),
    '\ufeffwith a byte order mark',
    '\ufffd',
    'x'.repeat(63),
    'x'.repeat(64),
  ];

  test('any text of up to 64 bytes is a key of its own, the empty one too', () => {
    const table = VersionTable.create({ maxPods: 10 });
    for (const uid of odd) expect(table.find(uid)).toBe(-1);
    odd.forEach((uid, i) => table.setApiVersion(table.acquire(uid), i + 1));
    expect(table.size).toBe(odd.length);
    expect(odd.map((uid) => table.apiVersion(uid))).toEqual(odd.map((_, i) => i + 1));
    expect([...table.entries()].map(({ uid }) => uid)).toEqual(odd);
    for (const uid of odd) expect(table.release(uid)).toBe(true);
    expect(table.size).toBe(0);
  });

  test.each(['x'.repeat(65), 'ü'.repeat(32) + 'x', '€'.repeat(22), 'x'.repeat(61) + '😀', 'x'.repeat(1e6)])(
    'longer ones are refused, and known to be unknown (case %#)',
    (uid) => {
      const table = VersionTable.create({ maxPods: 1 });
      expect(() => table.acquire(uid)).toThrow(withCode('ERR_UID_TOO_LONG'));
      expect([table.size, table.find(uid), table.statusVersion(uid), table.release(uid)]).toEqual([
        0,
        -1,
        0,
        false,
      ]);
    },
  );

  test.each(['\ud800', 'a\udc80', '\udc00\ud800', '€\udfff'])(
    'lone surrogates are refused: UTF-8 has one replacement for all of them (case %#)',
    (uid) => {
      const table = VersionTable.create({ maxPods: 1 });
      table.setStatusVersion(table.acquire('\ufffd'), 1);
      expect(() => table.acquire(uid)).toThrow(withCode('ERR_UID_ILL_FORMED'));
      expect([table.size, table.find(uid), table.statusVersion(uid), table.release(uid)]).toEqual([
        1,
        -1,
        0,
        false,
      ]);
    },
  );
});

test('a refused call changes nothing', () => {
  const table = VersionTable.create({ maxPods: 1 });
  const slot = table.acquire('a');
  table.release('a');
  for (const bad of [slot, slot + 1, -1, 0.5, table.capacity, NaN]) {
    expect(() => table.setStatusVersion(bad, 1)).toThrow(withCode('ERR_BAD_SLOT'));
    expect(() => table.setApiVersion(bad, 1)).toThrow(withCode('ERR_BAD_SLOT'));
  }
  for (const bad of [-1, 0.5, table.capacity, NaN]) {
    expect(() => table.statusVersionAt(bad)).toThrow(withCode('ERR_BAD_SLOT'));
    expect(() => table.apiVersionAt(bad)).toThrow(withCode('ERR_BAD_SLOT'));
  }
  expect([table.statusVersionAt(slot), table.apiVersionAt(slot)]).toEqual([0, 0]);
  for (const maxPods of [0, -1, 1.5, NaN, 2 ** 20 + 1]) {
    expect(() => VersionTable.create({ maxPods })).toThrow(withCode('ERR_BAD_OPTION'));
  }
});

test('a handle survives a clone; two tables of one thread may write', () => {
  const table = VersionTable.create({ maxPods: 4 });
  const attached = VersionTable.attach(structuredClone(table.handle()));
  attached.setStatusVersion(attached.acquire('a'), 3);
  expect(table.statusVersion('a')).toBe(3);
  expect(table.release('a')).toBe(true);
  expect([attached.size, attached.capacity]).toEqual([0, table.capacity]);
});

test('what is not a handle of a table is refused', () => {
  const handle = VersionTable.create({ maxPods: 4 }).handle();
  const cut = new SharedArrayBuffer(4096);
  new Int32Array(cut).set(new Int32Array(handle.memory, 0, Header.end));
  const bad: unknown[] = [
    undefined,
    null,
    'table',
    {},
    { ...handle, podloom: 'mutex' },
    { ...handle, memory: new ArrayBuffer(4096) },
    { ...handle, memory: new SharedArrayBuffer(16) },
    { ...handle, memory: new SharedArrayBuffer(4096) },
    { ...handle, memory: cut },
    { ...handle, capacity: 5 },
  ];
  for (const each of bad) {
    expect(() => VersionTable.attach(each as VersionTableHandle)).toThrow(withCode('ERR_FOREIGN_HANDLE'));
  }
});

test('entries and dump tell what is there, by slot', () => {
  const table = VersionTable.create({ maxPods: 4 });
  expect([[...table.entries()], table.dump()]).toEqual([[], '']);
  for (const uid of ['a', 'two\nlines', 'c']) table.setStatusVersion(table.acquire(uid), 2);
  table.setApiVersion(table.find('c'), 1);
  table.release('a');
  expect([...table.entries()]).toEqual([
    { uid: 'two\nlines', slot: 1, statusVersion: 2, apiVersion: 0 },
    { uid: 'c', slot: 2, statusVersion: 2, apiVersion: 1 },
  ]);
  expect(table.dump()).toBe('slot 1 uid "two\\nlines" status 2 api 0\nslot 2 uid "c" status 2 api 1\n');
});
