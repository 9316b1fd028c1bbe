import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/sync/index.js';
import { TokenBucket } from '../../src/status/token-bucket.js';
import { seed } from '../support/seed.js';

let clock: FakeClock;
beforeEach(() => (clock = new FakeClock({ now: 1_700_000_000_000 })));
afterEach(() => clock.dispose());

/** Takes `count` tokens one after the other, and tells when each one came, from now. */
function times(bucket: TokenBucket, count: number): { got: number[]; all: Promise<unknown> } {
  const start = clock.now();
  const got: number[] = [];
  const all = Promise.all(
    Array.from({ length: count }, () => bucket.take().then(() => got.push(clock.now() - start))),
  );
  return { got, all };
}

describe('rate', () => {
  test('a burst at once, then one every 1/qps', async () => {
    const { got, all } = times(new TokenBucket({ qps: 50, burst: 100, clock }), 105);
    await clock.advance(0);
    expect(got).toEqual(new Array(100).fill(0));
    await clock.advance(100);
    await all;
    expect(got.slice(100)).toEqual([20, 40, 60, 80, 100]);
  });

  test('the defaults are the kubelet’s', async () => {
    const bucket = new TokenBucket({ clock });
    for (let i = 0; i < 100; i++) expect(bucket.tryTake()).toBe(true);
    expect(bucket.tryTake()).toBe(false);
    expect(bucket.msUntilNext()).toBe(20);
  });

  test('a long rest saves up a burst and not more', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 3, clock });
    for (let i = 0; i < 3; i++) bucket.tryTake();
    await clock.advance(3_600_000);
    expect([1, 2, 3, 4].map(() => bucket.tryTake())).toEqual([true, true, true, false]);
    expect(bucket.msUntilNext()).toBe(100);
  });

  test('a part of a token is kept', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
    expect(bucket.tryTake()).toBe(true);
    await clock.advance(60);
    expect(bucket.tryTake()).toBe(false);
    expect(bucket.msUntilNext()).toBe(40);
    await clock.advance(40);
    expect(bucket.msUntilNext()).toBe(0);
    expect(bucket.tryTake()).toBe(true);
  });

  test.each([3, 7, 1 / 3, 1e6, 333.3])('rounding never makes qps %d stall', async (qps) => {
    const { got, all } = times(new TokenBucket({ qps, burst: 1, clock }), 30);
    await clock.advance((30 * 1000) / qps + 1);
    await all;
    expect(got).toHaveLength(30);
  });

  test('in no time are there more than burst + qps × time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ qps: fc.integer({ min: 1, max: 1000 }), burst: fc.integer({ min: 1, max: 20 }) }),
        fc.array(fc.record({ wait: fc.integer({ min: 0, max: 200 }), takes: fc.nat(5) }), { maxLength: 30 }),
        async ({ qps, burst }, steps) => {
          const bucket = new TokenBucket({ qps, burst, clock });
          const got: number[] = [];
          for (const { wait, takes } of steps) {
            await clock.advance(wait);
            for (let i = 0; i < takes; i++) if (bucket.tryTake()) got.push(clock.now());
          }
          for (const [i, from] of got.entries()) {
            for (const [j, to] of got.entries()) {
              if (j < i) continue;
              expect(j - i + 1).toBeLessThanOrEqual(burst + ((to - from) * qps) / 1000 + 1e-6);
            }
          }
        },
      ),
      { seed: seed(), numRuns: 50 },
    );
  });
});

describe('order', () => {
  test('takers are served as they came, and tryTake does not go before them', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
    bucket.tryTake();
    const order: number[] = [];
    const all = [1, 2, 3].map((n) => bucket.take().then(() => order.push(n)));
    expect(bucket.msUntilNext()).toBe(400);
    for (const n of [1, 2, 3]) {
      expect(bucket.tryTake()).toBe(false);
      await clock.advance(100);
      expect(order).toHaveLength(n);
    }
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
    expect(bucket.tryTake()).toBe(false);
  });

  test('one that gives up has taken nothing, and those behind it move up', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
    bucket.tryTake();
    const order: string[] = [];
    const abort = new AbortController();
    const reason = new Error('gone');
    const first = bucket.take(abort.signal);
    const second = bucket.take().then(() => order.push(`second at ${clock.now()}`));
    abort.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(bucket.msUntilNext()).toBe(200);
    await clock.advance(100);
    await second;
    expect(order).toEqual([`second at ${1_700_000_000_100}`]);
  });

  test('the last one to give up leaves no timer', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
    bucket.tryTake();
    const abort = new AbortController();
    const waiting = bucket.take(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await clock.advance(100);
    expect(bucket.tryTake()).toBe(true);
    expect(bucket.tryTake()).toBe(false);
  });

  test('one that was served cannot be aborted any more, one aborted before never waits', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 2, clock });
    const abort = new AbortController();
    await bucket.take(abort.signal);
    abort.abort(new Error('late'));
    await expect(bucket.take(abort.signal)).rejects.toThrow('late');
    expect(bucket.tryTake()).toBe(true);
    expect(bucket.tryTake()).toBe(false);
  });
});

describe('giving back', () => {
  test('a token given back serves the first who waits', async () => {
    const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
    bucket.tryTake();
    const { got, all } = times(bucket, 2);
    await clock.advance(30);
    bucket.giveBack();
    await clock.advance(0);
    expect(got).toEqual([30]);
    await clock.advance(70);
    await all;
    expect(got).toEqual([30, 100]);
  });

  test('there are never more than the burst', () => {
    const bucket = new TokenBucket({ qps: 10, burst: 2, clock });
    bucket.giveBack();
    expect([1, 2, 3].map(() => bucket.tryTake())).toEqual([true, true, false]);
  });
});

describe('the door', () => {
  test.each([0, -1, Infinity, -Infinity])('qps %d is no limit', async (qps) => {
    const bucket = new TokenBucket({ qps, burst: 1, clock });
    for (let i = 0; i < 1000; i++) expect(bucket.tryTake()).toBe(true);
    await bucket.take();
    bucket.giveBack();
    expect(bucket.msUntilNext()).toBe(0);
  });

  test.each([
    { qps: NaN },
    { qps: '5' as unknown as number },
    { burst: NaN },
    { burst: 0 },
    { burst: -1 },
    { burst: 1.5 },
    { burst: Infinity },
  ])('refuses %j', (options) => {
    expect(() => new TokenBucket({ ...options, clock })).toThrow(/must be .*, got /);
  });
});

/** How many it gives at once. */
function taken(bucket: TokenBucket): number {
  let count = 0;
  while (count < 10_000 && bucket.tryTake()) count++;
  return count;
}

test.each([3, 7, 11, 30, 49, 60, 333])('who waited for the next token finds it: %s a second', async (qps) => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ qps, burst: 5, clock });
  taken(bucket);
  for (let i = 0; i < 1000; i++) {
    await clock.advance(bucket.msUntilNext());
    expect(bucket.tryTake()).toBe(true);
  }
});

test('a clock that is set back takes nothing away', () => {
  let now = 3_600_000;
  const clock = { now: () => now, setTimer: () => ({ stop: () => false }) };
  const bucket = new TokenBucket({ qps: 10, burst: 5, clock });
  now = 0;
  expect(taken(bucket)).toBe(5);
  expect(bucket.msUntilNext()).toBeCloseTo(100);
  now = 100;
  expect(taken(bucket)).toBe(1);
});
