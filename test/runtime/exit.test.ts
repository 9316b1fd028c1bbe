import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./child-program.js', import.meta.url));

function runProgram(way: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, way], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

test.each([
  ['plain', 2],
  ['drained', 2],
  ['replaced', 3],
  ['calls', 2],
  ['dying', 2],
  ['spinning', 2],
])('a program that stops its supervisor (%s) ends by itself', async (way, downs) => {
  const { code, stdout, stderr } = await runProgram(way);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ received: 200, downs, left: [] });
});
