import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Backoff } from '../../src/status/backoff.js';
import { random, seed } from '../support/seed.js';

describe('delays', () => {
  test('grow by the factor up to the limit, and begin anew after a success', () => {
    const backoff = new Backoff({ initialMs: 100, maxMs: 1000, factor: 3, jitter: 0 });
    expect([1, 2, 3, 4, 5].map(() => backoff.fail('a'))).toEqual([100, 300, 900, 1000, 1000]);
    expect(backoff.fail('b')).toBe(100);
    backoff.succeed('a');
    expect(backoff.fail('a')).toBe(100);
    expect(backoff.fail('b')).toBe(300);
  });

  test('the server’s wish is a lower bound, and does not change what comes next', () => {
    const backoff = new Backoff({ initialMs: 100, maxMs: 1000, factor: 2, jitter: 0 });
    expect(backoff.fail('a', 5000)).toBe(5000);
    expect(backoff.fail('a', 50)).toBe(200);
    expect(backoff.fail('a')).toBe(400);
  });

  test('are spread upwards by the jitter, also where the server asked for one and the same', () => {
    const draws = [0, 0.5, 0.999];
    const backoff = new Backoff({
      initialMs: 100,
      maxMs: 1000,
      jitter: 0.2,
      random: () => draws.shift() ?? 0,
    });
    expect(backoff.fail('a', 5000)).toBe(5000);
    expect(backoff.fail('b', 5000)).toBe(5010);
    expect(backoff.fail('c')).toBeCloseTo(119.98);
  });

  test('are always within their bounds', () => {
    const draw = random(seed());
    fc.assert(
      fc.property(
        fc.record({
          initialMs: fc.integer({ min: 1, max: 1000 }),
          more: fc.nat(100_000),
          factor: fc.double({ min: 1, max: 10, noNaN: true }),
          jitter: fc.double({ min: 0, max: 2, noNaN: true }),
        }),
        fc.array(
          fc.record({
            key: fc.constantFrom('a', 'b', '__proto__'),
            ok: fc.boolean(),
            atLeast: fc.nat(10_000),
          }),
        ),
        ({ initialMs, more, factor, jitter }, steps) => {
          const maxMs = initialMs + more;
          const backoff = new Backoff({
            initialMs,
            maxMs,
            factor,
            jitter,
            random: () => draw(2 ** 30) / 2 ** 30,
          });
          const failed = new Set<string>();
          for (const { key, ok, atLeast } of steps) {
            if (ok) {
              backoff.succeed(key);
              failed.delete(key);
            } else {
              const delay = backoff.fail(key, atLeast);
              failed.add(key);
              expect(delay).toBeGreaterThanOrEqual(Math.max(initialMs, atLeast));
              expect(delay).toBeLessThanOrEqual(Math.max(maxMs, atLeast) + maxMs * jitter);
            }
            expect(backoff.size).toBe(failed.size);
          }
        },
      ),
      { seed: seed() },
    );
  });
});

test('ten thousand failures do not overflow', () => {
  const backoff = new Backoff({ initialMs: 1, maxMs: 1000, factor: 10, jitter: 0 });
  for (let i = 0; i < 10_000; i++) backoff.fail('a');
  expect(backoff.fail('a')).toBe(1000);
});

test('only what failed takes memory', () => {
  const backoff = new Backoff();
  for (let i = 0; i < 1000; i++) backoff.succeed(`pod-${i}`);
  expect(backoff.size).toBe(0);
  for (let i = 0; i < 1000; i++) backoff.fail(`pod-${i}`);
  expect(backoff.size).toBe(1000);
  for (let i = 0; i < 1000; i++) backoff.delete(`pod-${i}`);
  expect(backoff.size).toBe(0);
});

test.each([
  { initialMs: 0 },
  { initialMs: NaN },
  { initialMs: 100, maxMs: 50 },
  { maxMs: Infinity },
  { factor: 0.5 },
  { jitter: -0.1 },
  { jitter: NaN },
])('refuses %j', (options) => {
  expect(() => new Backoff(options)).toThrow(/must be a finite number from/);
});

test.each([NaN, -1, Infinity])('refuses to wait at least %d ms', (atLeastMs) => {
  expect(() => new Backoff().fail('a', atLeastMs)).toThrow('atLeastMs');
});
