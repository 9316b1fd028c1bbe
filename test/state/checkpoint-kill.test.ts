// A process killed while it writes leaves the old file or the new one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codecV1, codecV129, openCheckpointState } from '../../src/state/index.js';
import { random, seed } from '../support/seed.js';

const ROUNDS = 6;
const writer = fileURLToPath(new URL('./writer-process.js', import.meta.url));

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

test.each([
  ['v1', codecV1],
  ['v1.29', codecV129],
] as const)(
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
