import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
let folder: string;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function conformance(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

const good = {
  name: 'mutex/good',
  objects: [{ name: 'm', type: 'mutex' }],
  goroutines: 1,
  steps: [
    { g: 'g0', op: 'tryLock', mu: 'm' },
    { g: 'g0', op: 'unlock', mu: 'm' },
  ],
  want: [
    { completed: [{ g: 'g0', step: 0, result: { ok: true } }], blocked: [] },
    { completed: [{ g: 'g0', step: 1, result: {} }], blocked: [] },
  ],
};
const wrong = { ...good, name: 'mutex/wrong', want: [good.want[0], { completed: [], blocked: [] }] };
const goexit = {
  ...good,
  name: 'once/goexit',
  objects: [{ name: 'o', type: 'once' }],
  steps: [{ g: 'g0', op: 'do', once: 'o', do: { op: 'goexit' } }],
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podloom-conformance-'));
  for (const name of ['go', 'other', 'empty/go', 'blank/go'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'go/good.jsonl'), `${JSON.stringify(good)}\n`);
  writeFileSync(
    join(folder, 'go/more.jsonl.gz'),
    gzipSync(`${JSON.stringify(good)}\n${JSON.stringify(goexit)}\n`),
  );
  writeFileSync(join(folder, 'go/errors.json'), '{}');
  writeFileSync(join(folder, 'go/FORMAT.md'), '# not a case');
  writeFileSync(join(folder, 'other/wrong.jsonl'), `${JSON.stringify(good)}\n${JSON.stringify(wrong)}\n`);
  writeFileSync(join(folder, 'other/broken.jsonl'), `${JSON.stringify(good)}\n{"name":\n`);
  writeFileSync(join(folder, 'other/no-steps.jsonl'), '{"name":"x"}\n');
  writeFileSync(join(folder, 'other/packed.jsonl.gz'), 'not gzip');
  writeFileSync(join(folder, 'empty/go/errors.json'), '{}');
  writeFileSync(join(folder, 'blank/go/blank.jsonl'), '\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

test('files and folders, packed or not, in every mode; what is skipped has its reason', async () => {
  const { status, stdout } = await conformance('go', 'go/good.jsonl');
  expect(stdout).toContain('SKIP once/goexit: runtime.Goexit');
  expect(stdout.trim().split('\n').at(-1)).toBe('9 passed, 0 failed, 3 skipped');
  expect(status).toBe(0);
});

test('a failing case shows its first differing step and fails the run', async () => {
  const { status, stdout } = await conformance('other/wrong.jsonl', '--kind', 'go', '--threads', '0');
  expect(stdout).toContain('FAIL mutex/wrong\n  first difference: step 1 {"g":"g0","mu":"m","op":"unlock"}');
  expect(stdout).toContain('expected: {"blocked":[],"completed":[]}');
  expect(stdout).toContain('got:      {"blocked":[],"completed":[{"g":"g0","result":{},"step":1}]}');
  expect(stdout.trim().split('\n').at(-1)).toBe('1 passed, 1 failed');
  expect(status).toBe(1);
});

test.each([
  [['nowhere'], 'nowhere: no such file or folder'],
  [['empty'], 'empty: no case files'],
  [['blank'], 'blank.jsonl: no cases in it'],
  [['other/wrong.jsonl'], 'no folder above it is named after a kind (go'],
  [['go', '--kind', 'stat'], 'unknown kind stat; known: go'],
  [['go', '--threads', 'two'], '--threads takes 0, a number up to 64, or each; got two'],
  [['go', '--threads', '-1'], '--threads'],
  [['go', '--fast'], "Unknown option '--fast'"],
])('%j is refused', async (args, message) => {
  const { status, stdout, stderr } = await conformance(...args);
  expect(stderr).toContain(message);
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

test.each([
  ['other/broken.jsonl', 'other/broken.jsonl:2: not a case'],
  ['other/no-steps.jsonl', 'other/no-steps.jsonl:1: not a case: x: no objects'],
  ['other/packed.jsonl.gz', 'other/packed.jsonl.gz: incorrect header check'],
])('%s is no case file', async (file, message) => {
  const { status, stdout, stderr } = await conformance('go', file, '--kind', 'go', '--threads', '0');
  expect(stderr).toContain(message);
  expect(stdout).toBe('');
  expect(status).toBe(1);
});
