// A process killed while it writes leaves the old file or the new one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { codecV1, codecV129, openCheckpointState } from '../../src/state/index.js';
import { random, seed } from '../support/seed.js';

const ROUNDS = 6;
const writer = fileURLToPath(new URL('./writer-process.js', import.meta.url));
const dying = fileURLToPath(new URL('./dying-process.js', import.meta.url));
const CODECS = [
  ['v1', codecV1],
  ['v1.29', codecV129],
] as const;

/** Lets it write some states and kills it at any point of the next ones. Gives the last it said was on disk. */
async function writeUntilKilled(
  directory: string,
  codec: string,
  first: number,
  states: number,
): Promise<number> {
  const child = spawn(process.execPath, [writer, directory, codec, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = first;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last >= first + states) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return last;
}

test.each(CODECS)(
  'killed during writes, %s: the file is whole, and no older than what was said',
  async (name, codec) => {
    const directory = await mkdtemp(join(tmpdir(), 'podloom-kill-'));
    const choose = random(seed());
    try {
      const ballast = await openCheckpointState({ directory, codec });
      const pods = Array.from(
        { length: 500 },
        (_, n) => [`pod-${String(n)}`, new Map([['a', { cpu: '1', memory: '1Gi' }]])] as const,
      );
      await ballast.setPodResourceAllocation(new Map(pods));

      let last = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        last = await writeUntilKilled(directory, name, last + 1, choose(20));
        const state = await openCheckpointState({ directory, codec });
        const cpu = state.getContainerResourceAllocation('first', 'a')?.cpu;
        expect(state.getPodResizeStatus('last')).toBe(String(cpu));
        expect([last, last + 1]).toContain(Number(cpu));
        expect(state.getPodResourceAllocation().size).toBe(501);
        expect(await readdir(directory)).toEqual(['pod_status_manager_state']);
        last = Number(cpu);
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

describe.each(CODECS)('killed at a point of the write, %s', (name, codec) => {
  test.each([
    ['half-written', '1'],
    ['not synced', '1'],
    ['not renamed', '1'],
    ['renamed', '2'],
  ])('%s', async (point, cpu) => {
    const directory = await mkdtemp(join(tmpdir(), 'podloom-kill-'));
    try {
      const before = await openCheckpointState({ directory, codec });
      await before.setContainerResourceAllocation('u1', 'a', { cpu: '1' });
      const child = spawn(process.execPath, [dying, directory, name, point], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      expect(await readdir(directory)).toHaveLength(point === 'renamed' ? 1 : 2);

      const after = await openCheckpointState({ directory, codec });
      expect(after.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu });
      expect(await readdir(directory)).toEqual(['pod_status_manager_state']);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
