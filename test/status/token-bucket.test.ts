import { expect, test } from 'vitest';
import { TokenBucket } from '../../src/status/token-bucket.js';
import { FakeClock } from '../../src/sync/index.js';

const taken = (bucket: TokenBucket): number => {
  let count = 0;
  while (count < 10_000 && bucket.tryTake()) count++;
  return count;
};

test('a burst at once, then so many a second', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ qps: 50, burst: 100, clock });
  expect(taken(bucket)).toBe(100);
  expect(bucket.msUntilNext()).toBeCloseTo(20);
  await clock.advance(19);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(1);
  expect(taken(bucket)).toBe(1);
  await clock.advance(1000);
  expect(taken(bucket)).toBe(50);
});

test('however long it rests, it holds no more than a burst', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ qps: 50, burst: 3, clock });
  await clock.advance(3_600_000);
  expect(taken(bucket)).toBe(3);
});

test('reservations are served in order, before who only looks', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
  const order: string[] = [];
  await bucket.take();
  const waiting = ['first', 'second', 'third'].map((name) => bucket.take().then(() => order.push(name)));
  await clock.advance(100);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(100);
  expect(order).toEqual(['first', 'second']);
  await clock.advance(100);
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'second', 'third']);
  await clock.advance(100);
  expect(taken(bucket)).toBe(1);
});

test('an aborted reservation gives its token back', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
  const abort = new AbortController();
  await bucket.take();
  const waiting = bucket.take(abort.signal);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(bucket.take(abort.signal)).rejects.toThrow('enough');
  await clock.advance(100);
  expect(taken(bucket)).toBe(1);
});

test('a token given back is there again, within the burst', () => {
  const bucket = new TokenBucket({ qps: 1, burst: 2, clock: new FakeClock() });
  bucket.giveBack();
  expect(taken(bucket)).toBe(2);
  bucket.giveBack();
  expect(taken(bucket)).toBe(1);
});

test.each([Infinity, 0, -1])('qps %d is no limit', async (qps) => {
  const bucket = new TokenBucket({ qps, burst: 0, clock: new FakeClock() });
  expect(taken(bucket)).toBe(10_000);
  expect(bucket.msUntilNext()).toBe(0);
  await bucket.take();
});

test.each([
  { qps: NaN, burst: 1 },
  { qps: 1, burst: 0 },
  { qps: 1, burst: NaN },
])('%o is refused', (options) => {
  expect(() => new TokenBucket({ ...options, clock: new FakeClock() })).toThrow(
    expect.objectContaining({ code: 'ERR_BAD_OPTION' }) as Error,
  );
});

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
