import { expect, test } from 'vitest';
import { Backoff } from '../../src/status/backoff.js';

const plain = { initialMs: 100, maxMs: 1000, factor: 2, jitter: 0.5, random: () => 0 };

test('each failure in a row waits longer, up to the limit; a success starts again', () => {
  const backoff = new Backoff<string>(plain);
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.fail('a'))).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(backoff.fail('b')).toBe(100);
  backoff.succeed('a');
  expect(backoff.fail('a')).toBe(100);
});

test('jitter makes a wait longer, never shorter', () => {
  expect(new Backoff({ ...plain, random: () => 0.5 }).fail('a')).toBe(125);
  expect(new Backoff({ ...plain, random: () => 0.999 }).fail('a')).toBeLessThan(150);
});

test('what the server asked for is the least', () => {
  const backoff = new Backoff<string>(plain);
  expect(backoff.fail('a', 5000)).toBe(5000);
  expect(backoff.fail('a', 50)).toBe(200);
});

test('only keys that failed are remembered', () => {
  const backoff = new Backoff<number>(plain);
  for (let i = 0; i < 1000; i++) backoff.fail(i);
  expect(backoff.size).toBe(1000);
  for (let i = 0; i < 1000; i++) backoff.succeed(i);
  expect(backoff.size).toBe(0);
});

test.each([
  { initialMs: -1, maxMs: 5 },
  { initialMs: 5, maxMs: 1 },
  { initialMs: NaN, maxMs: 1 },
])('%o is refused', (bad) => {
  expect(() => new Backoff({ ...plain, ...bad })).toThrow(
    expect.objectContaining({ code: 'ERR_BAD_OPTION' }) as Error,
  );
});
