// Where blocking is allowed, and what a blocking call does about goroutines of its own thread.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chan, Mutex, arena, openDedicated } from '../../src/sync/index.js';
import { Mon } from '../../src/sync/layout.js';
import { Crew } from '../support/crew.js';
import { blockingForms } from './blocking-tasks.js';

const TASKS = new URL('./blocking-tasks.js', import.meta.url);
let crew: Crew;

beforeAll(() => {
  crew = new Crew(1, TASKS);
});
afterAll(() => crew.stop());

describe('where blocking is allowed', () => {
  test('on main no blocking form runs, whether it would wait or not', () => {
    expect(new Set(Object.values(blockingForms()))).toEqual(new Set(['ERR_BLOCKING_NOT_ALLOWED']));
    expect(() => openDedicated()).toThrow(
      expect.objectContaining({ code: 'ERR_BLOCKING_NOT_ALLOWED' }) as Error,
    );
  });

  test('on a thread until it hosts goroutines, and again once it is dedicated', async () => {
    const plain = new Crew(1, TASKS, false);
    try {
      const [fresh, hosting, dedicated] = await plain.run<Record<string, string>[]>(0, 'stages');
      const allowed = { ...Object.fromEntries(Object.keys(fresh).map((op) => [op, 'allowed'])) };
      expect(fresh).toEqual({ ...allowed, condWait: 'ERR_UNLOCK_OF_UNLOCKED' });
      expect(new Set(Object.values(hosting))).toEqual(new Set(['ERR_BLOCKING_NOT_ALLOWED']));
      expect(dedicated).toEqual(fresh);
    } finally {
      await plain.stop();
    }
  });

  test('a thread that waits for itself gets the deadlock error and leaves no trace', async () => {
    const [codes, ghosts, order, lock, rw] = await crew.run<unknown[]>(0, 'selfDeadlock');
    expect(new Set(codes as string[])).toEqual(new Set(['ERR_DEADLOCK']));
    expect(ghosts).toEqual([false, false]);
    expect(order).toEqual(['lock', 'rLock']);
    expect([lock, rw]).toEqual([true, true]);
  });
});

describe('a mutex handed to a goroutine whose thread blocks for it', () => {
  test.each([false, true])('starvation mode, shared while it slept: %s', async (promoteLate) => {
    const log = await crew.run<string[]>(0, 'takeHandOver', { promoteLate, rounds: promoteLate ? 1 : 50 });
    expect(log).toEqual(log.map((_, i) => (i % 2 === 0 ? 'thread' : 'goroutine')));
    expect(log.length).toBe(promoteLate ? 2 : 100);
  });

  test('starvation mode, several times in a row and with a second goroutine behind', async () => {
    expect(await crew.run(0, 'takeHandOvers')).toEqual(['thread', 'thread', 'thread', 'first', 'second']);
  });

  test('normal mode, the lock taken meanwhile by another thread', async () => {
    const mutex = new Mutex();
    const gate = new Chan<void>();
    const handle = mutex.handle();
    await mutex.lockAsync();
    const log = crew.run<string[]>(0, 'takeWakeUp', { handle, gate: gate.handle() });
    await until(() => sleepers(handle.block) === 1);
    // The goroutine is woken to compete and cannot: its thread waits at the gate.
    await until(() => sleepers(gate.handle().block) === 1);
    mutex.unlock();
    expect(mutex.tryLock()).toBe(true);
    await gate.sendAsync();
    await until(() => sleepers(handle.block) === 2);
    mutex.unlock();
    expect(await log).toEqual(['thread', 'goroutine']);
    await mutex.lockAsync();
    mutex.dispose();
    gate.dispose();
  });
});

/** How many stand in the first queue of the primitive. */
function sleepers(block: number): 0 | 1 | 2 {
  const { words } = arena();
  const head = Atomics.load(words, block + Mon.queues);
  const tail = Atomics.load(words, block + Mon.queues + 1);
  return head === 0 ? 0 : head === tail ? 1 : 2;
}

async function until(claim: () => boolean): Promise<void> {
  while (!claim()) await new Promise((resolve) => setImmediate(resolve));
}
