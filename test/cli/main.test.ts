import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { inRepository } from '../support/repository.js';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [inRepository('dist/src/cli/main.js'), ...args], { stdio: 'pipe' });
}

async function ended(child: ChildProcess): Promise<Ended> {
  const exit = once(child, 'close') as Promise<[number | null]>;
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { code: (await exit)[0], out, err };
}

interface Summary {
  readonly jobs: number;
  readonly shares: readonly number[];
  readonly audits: number;
  readonly balanced: boolean;
}

test('books transfers on every thread and ends with a balanced ledger', async () => {
  const { code, out, err } = await ended(start('--duration', '0.5', '--threads', '3', '--json'));
  expect(err).toBe('');
  expect(code).toBe(0);
  const summary = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Summary;
  expect(summary).toMatchObject({ balanced: true, wrongAudits: 0 });
  expect(summary.jobs).toBeGreaterThan(0);
  expect(summary.audits).toBeGreaterThan(0);
  expect(summary.shares).toHaveLength(3);
});

test('Ctrl-C ends it early, with the summary and exit code 0', async () => {
  const child = start('--duration', '3600');
  const end = ended(child);
  // The first line of progress: all threads are at work.
  let seen = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    const before = seen;
    seen += chunk.toString();
    if (!before.includes('1 s') && seen.includes('1 s')) child.kill('SIGINT');
  });
  const { code, out, err } = await end;
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).toContain('the ledger holds 16,000 as at the start');
});

test.each([
  [['--frobnicate'], "Unknown option '--frobnicate'"],
  [['extra'], "Unexpected argument 'extra'"],
  [['--duration', 'soon'], "got 'soon'"],
  [['--duration', '0'], "got '0'"],
  [['--threads', '1.5'], "got '1.5'"],
])('%j is an error that says why, exit code 2', async (args, why) => {
  const { code, out, err } = await ended(start(...args));
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err).toContain(why);
  expect(err).toContain('usage: npm start');
});

test('--help prints the usage', async () => {
  const { code, out } = await ended(start('--help'));
  expect(code).toBe(0);
  expect(out).toContain('usage: npm start');
});
