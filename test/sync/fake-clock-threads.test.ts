import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Chan,
  type Context,
  type ContextHandle,
  FakeClock,
  attachContext,
  background,
  settled,
  withTimeout,
} from '../../src/sync/index.js';
import { Thread } from '../support/thread.js';

let thread: Thread;
let made: { dispose(): void }[];

/** Disposed of at the end of the test. */
function owned<T extends { dispose(): void }>(thing: T): T {
  made.push(thing);
  return thing;
}

beforeEach(() => {
  thread = new Thread(new URL('./fixtures/context-thread.js', import.meta.url));
  made = [];
});

afterEach(async () => {
  for (const thing of made) thing.dispose();
  await settled();
  await thread.end();
});

const state = (ctx: Context): unknown[] => [ctx.err()?.message ?? null, ctx.cause()?.message ?? null];

describe('a fake clock', () => {
  it('fires timers of all threads in time order', async () => {
    const clock = owned(new FakeClock());
    const log = owned(new Chan<number>(100, { elem: 'number' }));
    const other = new Thread(new URL('./fixtures/context-thread.js', import.meta.url));
    await thread.call('marks', clock.handle(), log.handle(), 0.1, [10, 30, 50, 200]);
    await other.call('marks', clock.handle(), log.handle(), 0.2, [20, 40, 60]);
    for (const at of [15, 25, 45]) clock.setTimer(at, () => log.trySend(clock.now()));
    await clock.advance(100);
    expect(clock.now()).toBe(100);
    const seen: number[] = [];
    for (let next = log.tryRecv(); next !== undefined; next = log.tryRecv()) seen.push(next.value);
    expect(seen).toEqual([10.1, 15, 20.2, 25, 30.1, 40.2, 45, 50.1, 60.2]);
    await settled();
    await other.end();
  });

  it('fires timers of a thread that blocks', async () => {
    await thread.call('dedicated');
    const clock = owned(new FakeClock());
    const log = owned(new Chan<number>(0, { elem: 'number' }));
    const ticks = thread.call('blockingTicks', clock.handle(), log.handle(), 10, 3);
    expect(await log.recvAsync()).toBe(0);
    for (const at of [10, 20, 30]) {
      const tick = log.recvAsync();
      await clock.advance(10);
      expect(await tick).toBe(at);
    }
    await ticks;
    expect(await thread.call('timers')).toBe(0);
  });

  it('ends contexts on every thread in the same instant', async () => {
    const clock = owned(new FakeClock());
    const [x] = withTimeout(background({ clock }), 100, { cause: 'X' });
    owned(x);
    await thread.call('attach', 'x', x.handle());
    await thread.call('withTimeout', 'y', 'x', 50, 'Y');
    await thread.call('withTimeout', 'z', 'x', 500, 'Z');
    const y = owned(attachContext(await thread.call<ContextHandle>('handle', 'y')));
    const z = owned(attachContext(await thread.call<ContextHandle>('handle', 'z')));
    expect(y.clock).toBe(clock);
    await clock.advance(49);
    expect([state(x), state(y), state(z)]).toEqual(Array(3).fill([null, null]));
    await clock.advance(1);
    expect([state(x), state(y), state(z)]).toEqual([
      [null, null],
      ['context deadline exceeded', 'Y'],
      [null, null],
    ]);
    await clock.advance(50);
    expect([x, y, z].map((ctx) => ctx.cause()?.message)).toEqual(['X', 'Y', 'X']);
    expect(await thread.call('state', 'z')).toEqual(['context deadline exceeded', 'X']);
  });

  it('disposed of, forgets the timers of other threads', async () => {
    const clock = new FakeClock();
    const log = owned(new Chan<number>(1, { elem: 'number' }));
    await thread.call('marks', clock.handle(), log.handle(), 0, [10, 20]);
    expect(await thread.call('timers')).toBe(2);
    clock.dispose();
    await settled();
    expect(await thread.call('timers')).toBe(0);
    expect(() => clock.now()).toThrow(/disposed/);
  });
});
