import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { medianRatio, median, percentile } from '../../bench/stats.js';
import { inRepository } from '../support/repository.js';

const run = promisify(execFile);
const main = inRepository('dist/bench/main.js');

test('prints one JSON object a result, and only those asked for', async () => {
  const args = ['sync', '--quick', '--json', '--only', 'sync.mutex.uncontended'];
  const { stdout } = await run(process.execPath, [main, ...args]);
  const results = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(results.map((result) => result.name)).toEqual([
    'sync.mutex.uncontended',
    'sync.mutex.uncontended.local',
    'sync.mutex.uncontended.ranked',
    'sync.mutex.uncontended.main-try',
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ unit: 'ns', base: 'sync.raw-cas-pair' });
    expect(result.min as number).toBeLessThanOrEqual(result.value as number);
    expect(result.max as number).toBeGreaterThanOrEqual(result.value as number);
  }
});

test.each([[['frob']], [['--frob']], [['--only', 'sync.frob']]])('refuses %j', async (args) => {
  await expect(run(process.execPath, [main, ...args])).rejects.toMatchObject({ code: 2, stdout: '' });
});

test('order statistics', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([50, 99, 100]);
  expect(medianRatio([2, 6, 100], [1, 2, 50])).toBe(2);
});
