// dispose wakes whoever sleeps, on every thread; afterwards every use is ERR_STALE_HANDLE, also when the memory
// belongs to another primitive by then, which notices nothing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chan, Cond, Mutex, Once, RWMutex, WaitGroup, arena, settled } from '../../src/sync/index.js';
import { Mon } from '../../src/sync/layout.js';
import { Crew } from '../support/crew.js';
import type { Handles } from './dispose-tasks.js';

let crew: Crew;

beforeAll(() => {
  crew = new Crew(2, new URL('./dispose-tasks.js', import.meta.url));
});
afterAll(() => crew.stop());

/** One of each, held so that everybody has to wait. */
async function heldOnes() {
  const ready = new WaitGroup();
  const mutex = new Mutex();
  const rwmutex = new RWMutex();
  const group = new WaitGroup();
  const once = new Once();
  const l = new Mutex();
  const cond = new Cond(l);
  const chan = new Chan<unknown>();
  const gate = new Chan<void>();
  await mutex.lockAsync();
  await rwmutex.lockAsync();
  group.add(1);
  const running = once.doAsync(() => gate.recvAsync());
  const all = [ready, mutex, rwmutex, group, once, l, cond, chan];
  const handles: Handles = {
    ready: ready.handle(),
    mutex: mutex.handle(),
    rwmutex: rwmutex.handle(),
    group: group.handle(),
    once: once.handle(),
    l: l.handle(),
    cond: cond.handle(),
    chan: chan.handle(),
  };
  const dispose = async (): Promise<void> => {
    for (const one of all) one.dispose();
    gate.close();
    await running;
  };
  return { ready, handles, dispose };
}

const isQueued = (block: number): boolean =>
  [0, 2].some((queue) => Atomics.load(arena().words, block + Mon.queues + queue) !== 0);

async function until(claim: () => boolean): Promise<void> {
  while (!claim()) await new Promise((resolve) => setImmediate(resolve));
}

const AT: Readonly<Record<string, keyof Handles>> = {
  mutex: 'mutex',
  reader: 'rwmutex',
  writer: 'rwmutex',
  group: 'group',
  once: 'once',
  cond: 'cond',
  receiver: 'chan',
  select: 'chan',
};

describe('a blocked thread is woken', () => {
  test.each(Object.keys(AT))('%s', async (what) => {
    const { ready, handles, dispose } = await heldOnes();
    ready.add(1);
    const code = crew.run<string>(0, 'waitAt', { what, handles });
    await ready.waitAsync();
    await until(() => isQueued(handles[AT[what]].block));
    await dispose();
    expect(await code).toBe('ERR_STALE_HANDLE');
  });
});

test('every use afterwards is refused, also over the memory of another primitive', async () => {
  const { ready, handles, dispose } = await heldOnes();
  const gone = new Chan<void>();
  ready.add(2);
  const codes = crew.all<string[]>('useStale', () => ({ handles, gone: gone.handle() }));
  await ready.waitAsync();
  await dispose();
  // The blocks are used again, the last one freed first.
  const heirs = Array.from({ length: 8 }, () => new Chan<number>(2, { elem: 'number' }));
  const blocks = heirs.map((heir) => heir.handle().block);
  expect(new Set(blocks)).toEqual(
    new Set((Object.values(handles) as Handles[keyof Handles][]).map(({ block }) => block)),
  );
  gone.close();
  for (const seen of await codes) expect(new Set(seen)).toEqual(new Set(['ERR_STALE_HANDLE']));
  for (const heir of heirs) {
    expect([heir.cap, heir.len, heir.isClosed, heir.trySend(7)]).toEqual([2, 0, false, true]);
    expect(heir.tryRecv()).toEqual({ value: 7, ok: true });
    heir.dispose();
  }
  gone.dispose();
});

describe('on this thread', () => {
  test.each([false, true])('async sleepers are woken, shared: %s', async (share) => {
    const mutex = new Mutex();
    const chan = new Chan<string>(1);
    await mutex.lockAsync();
    chan.trySend('full');
    if (share) for (const one of [mutex, chan]) one.handle();
    const sleeps = [mutex.lockAsync(), chan.sendAsync('x')].map((sleep) =>
      sleep.then(
        () => 'went on',
        (error: { code: string }) => error.code,
      ),
    );
    await settled();
    mutex.dispose();
    chan.dispose();
    expect(await Promise.all(sleeps)).toEqual(['ERR_STALE_HANDLE', 'ERR_STALE_HANDLE']);
  });

  test('a second dispose does nothing, whoever has the block by then', () => {
    const first = new Mutex();
    const twin = Mutex.attach(first.handle());
    first.dispose();
    const heir = new Mutex();
    expect(heir.handle().block).toBe(first.id);
    first.dispose();
    twin.dispose();
    expect(heir.tryLock()).toBe(true);
    heir.dispose();
  });

  test('using disposes', () => {
    const { liveBlocks } = arena();
    {
      using chan = new Chan(1);
      chan.handle();
      expect(arena().liveBlocks).toBe(liveBlocks + 2);
    }
    expect(arena().liveBlocks).toBe(liveBlocks);
  });

  test('a waiter that was released before the dispose goes on', async () => {
    const group = new WaitGroup();
    group.handle();
    group.add(1);
    const waiting = group.waitAsync();
    group.done();
    group.dispose();
    const heir = new WaitGroup();
    heir.handle();
    heir.add(5);
    await expect(waiting).resolves.toBeUndefined();
    heir.dispose();
  });
});
