import { afterAll, beforeAll, expect, test } from 'vitest';
import { VersionTable } from '../../src/table/index.js';
import { Crew } from '../support/crew.js';
import { seed } from '../support/seed.js';
import { churn } from './churn.js';

let crew: Crew;

beforeAll(() => {
  crew = new Crew(3, new URL('./reader-tasks.js', import.meta.url));
});
afterAll(() => crew.stop());

test('only the thread that made a table writes to it', async () => {
  const table = VersionTable.create({ maxPods: 1 });
  table.setStatusVersion(table.acquire('theirs'), 3);
  expect(await crew.run(0, 'tryToWrite', table.handle())).toEqual(Array(4).fill('ERR_NOT_TABLE_WRITER'));
  expect([table.size, table.statusVersion('theirs'), table.apiVersion('theirs')]).toEqual([1, 3, 0]);
});

test('another thread sees the same', async () => {
  const table = VersionTable.create({ maxPods: 1 });
  table.setStatusVersion(table.acquire('theirs'), 2 ** 40);
  expect(await crew.run(0, 'look', table.handle())).toEqual({
    entries: [{ uid: 'theirs', slot: 0, statusVersion: 2 ** 40, apiVersion: 0 }],
    size: 1,
    find: 0,
  });
});

test('look-ups beside churn: never a stranger, never a false unknown', async () => {
  const { readers, releases, rebuilds } = await churn(crew, 500_000, seed());
  for (const { strangers, falseUnknown, examples } of readers) {
    expect({ strangers, falseUnknown, examples }).toEqual({ strangers: 0, falseUnknown: 0, examples: [] });
  }
  // It was worth looking: pods came and went under the readers' eyes.
  expect(releases).toBeGreaterThan(1000);
  expect(rebuilds).toBeGreaterThan(10);
  for (const { present, absent } of readers) {
    expect(present).toBeGreaterThan(0);
    expect(absent).toBeGreaterThan(0);
  }
});
