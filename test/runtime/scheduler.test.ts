import { describe, expect, test } from 'vitest';
import { type Runnable, Scheduler } from '../../src/runtime/index.js';
import { go, isSettled, settled } from '../../src/sync/index.js';
import { hostOf, startLogged } from './fixture.js';

function runnable(resume: () => void): Runnable {
  return { queued: false, resume };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('run queue', () => {
  test('first in, first out; queued once; a requeue goes to the tail', async () => {
    const scheduler = new Scheduler();
    const log: string[] = [];
    const b = runnable(() => log.push('b'));
    let again = 2;
    const a = runnable(() => {
      log.push('a');
      if (again-- > 0) expect(scheduler.enqueue(a)).toBe(true);
    });
    expect(scheduler.enqueue(a)).toBe(true);
    expect(scheduler.enqueue(b)).toBe(true);
    expect(scheduler.enqueue(a)).toBe(false);
    expect(log).toEqual([]);
    await scheduler.idle();
    expect(log).toEqual(['a', 'b', 'a', 'a']);
    expect(scheduler.stats()).toMatchObject({ queued: 0, resumed: 4 });
  });

  test('at most `items` are resumed before the event loop turns', async () => {
    const scheduler = new Scheduler({ items: 4, ms: Infinity });
    let resumed = 0;
    const perTurn: number[] = [];
    // Asked for before the scheduler's own, so that each is seen before the slice that follows it.
    let turned = turn();
    for (let i = 0; i < 10; i++) scheduler.enqueue(runnable(() => resumed++));
    for (let i = 0; i < 3; i++) {
      await turned;
      perTurn.push(resumed);
      turned = turn();
    }
    await scheduler.idle();
    expect(perTurn).toEqual([4, 8, 10]);
  });

  test('a slice ends with its time, also for a single loop that queues itself a microtask later', async () => {
    const scheduler = new Scheduler({ items: 1_000_000, ms: 0 });
    let resumed = 0;
    const loop = runnable(() => {
      resumed++;
      if (resumed < 100) void Promise.resolve().then(() => scheduler.enqueue(loop));
    });
    const first = turn();
    scheduler.enqueue(loop);
    await first;
    expect(resumed).toBe(1);
    await turn();
    expect(resumed).toBe(2);
    await scheduler.idle();
    expect(resumed).toBe(100);
  });

  test('what a resume sets going runs before the next resume', async () => {
    const scheduler = new Scheduler();
    const log: string[] = [];
    for (const name of ['a', 'b']) {
      let wake!: () => void;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      void woken.then(() => log.push(`${name} runs`));
      scheduler.enqueue(
        runnable(() => {
          log.push(`${name} resumed`);
          wake();
        }),
      );
    }
    await scheduler.idle();
    expect(log).toEqual(['a resumed', 'a runs', 'b resumed', 'b runs']);
  });

  test('goroutines take turns', async () => {
    const scheduler = new Scheduler();
    const log: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      go(async () => {
        for (let i = 0; i < 3; i++) {
          await scheduler.turn();
          log.push(name + i);
        }
      });
    }
    await settled();
    expect(log).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  test('a long queue is no slower to take from and keeps its order', async () => {
    const scheduler = new Scheduler({ items: 100_000, ms: Infinity });
    const seen: number[] = [];
    for (let i = 0; i < 20_000; i++) scheduler.enqueue(runnable(() => seen.push(i)));
    await scheduler.idle();
    expect(seen).toEqual(Array.from({ length: 20_000 }, (_, i) => i));
  });

  test('runnables that are late and queue themselves again do not stretch a slice', async () => {
    const scheduler = new Scheduler({ items: 1_000_000, ms: 0 });
    let resumed = 0;
    const first = turn();
    for (let i = 0; i < 10; i++) {
      const item = runnable(() => {
        if (++resumed < 1000) scheduler.enqueue(item);
      });
      scheduler.enqueue(item);
    }
    await first;
    expect(resumed).toBe(1);
    await scheduler.idle();
  });

  test('stop forgets what is queued', async () => {
    const scheduler = new Scheduler();
    scheduler.enqueue(runnable(() => expect.unreachable()));
    scheduler.stop();
    expect(scheduler.enqueue(runnable(() => expect.unreachable()))).toBe(false);
    await settled();
    expect(scheduler.stats()).toMatchObject({ queued: 0, resumed: 0 });
  });

  test('a filled queue is pending work', async () => {
    const scheduler = new Scheduler({ items: 1, ms: 0 });
    let left = 5;
    const item = runnable(() => {
      if (--left > 0) scheduler.enqueue(item);
    });
    scheduler.enqueue(item);
    expect(isSettled()).toBe(false);
    await settled();
    expect(left).toBe(0);
  });
});

describe('100 runnables that are always busy', () => {
  test('keep no control call, timer or mail out', async () => {
    const got: string[] = [];
    let echoed: (() => void) | null = null;
    const { supervisor } = await startLogged({
      onHostUp: (host) =>
        host.mailbox.onMail((text) => {
          got.push(text);
          echoed?.();
        }),
    });
    const host = hostOf(supervisor);
    await host.control.call('busy', 100);
    let answered = 0;
    let before = 0;
    for (let i = 0; i < 20; i++) {
      const { scheduler } = await host.stats();
      answered++;
      expect(scheduler.queued).toBeGreaterThanOrEqual(99);
      expect(scheduler.resumed).toBeGreaterThan(before);
      before = scheduler.resumed;
      const echo = new Promise<void>((resolve) => (echoed = resolve));
      host.mailbox.post(String(i));
      await echo;
    }
    expect(answered).toBe(20);
    expect(got.length).toBe(20);
    expect(await host.control.call('ticks', 20)).toBe(20);
    // A stopped host leaves no work behind.
    await supervisor.stop();
    await settled();
  });
});
