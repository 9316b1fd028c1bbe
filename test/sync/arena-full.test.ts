// A full arena is a typed error to whoever asked for room, and never more than that.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

async function story(name: string): Promise<unknown> {
  const child = fileURLToPath(new URL('./arena-full-child.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--enable-source-maps', child, name]);
  return JSON.parse(stdout);
}

const FULL = 'ERR_ARENA_FULL';

test('values: the sender is told, what is in the channel stays whole, and there is room again after', async () => {
  const round = { sent: true, whole: true, left: 0, codes: [FULL, FULL, FULL] };
  expect(await story('values')).toEqual([round, round, round]);
});

test('primitives: handle() is told, and the object stays local with its sleepers', async () => {
  expect(await story('primitives')).toEqual({
    codes: [FULL, FULL, FULL],
    lost: 0,
    log: ['a', 'b', 'sent'],
    values: ['kept', 'waits'],
    again: 'done',
  });
});

test('places: whoever would have to wait is told, and the lock goes on without it', async () => {
  expect(await story('places')).toEqual({
    codes: [FULL, FULL, FULL, FULL, FULL, FULL],
    readersStillEnter: true,
    lost: 0,
    free: [true, true, false],
    sent: true,
    got: true,
  });
});

test.each([
  ['{ bytes: 1 }', 'ERR_ARENA_SIZE'],
  ['{ bytes: NaN }', 'ERR_ARENA_SIZE'],
  ['{ bytes: 2 ** 33 }', 'ERR_ARENA_SIZE'],
  ['{ maxValueBytes: 1 }', 'ERR_ARENA_SIZE'],
  ['{ maxValueBytes: 2 ** 31 }', 'ERR_ARENA_SIZE'],
  ['{ bytes: 2 ** 31 + 8 }', 'opened 2147483656'],
  ['{ bytes: 1_000_001 }', 'opened 1000000'],
])('openArena(%s)', async (options, expected) => {
  const sync = new URL('../../src/sync/index.js', import.meta.url).href;
  const program = `
    const { openArena } = await import(${JSON.stringify(sync)});
    try { console.log('opened', openArena(${options}).memory.byteLength); } catch (e) { console.log(e.code); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout.trim()).toBe(expected);
});
