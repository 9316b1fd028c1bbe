// Makes a clone ready to run: installs the dependencies if they are missing or older than the lock file,
// then builds dist/ incrementally. Every npm script starts with it, so it needs nothing but Node and npm.
//
//   node bootstrap.mjs                  install if needed, build
//   node bootstrap.mjs --install-only   install if needed
//
// All output goes to stderr: stdout belongs to the program that runs next.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE_FOLDERS = ['src', 'workers', 'bench', 'test'];
const OUTPUT_SUFFIX = /\.(js|js\.map|d\.ts)$/;
const LOCK_PATIENCE_MS = 10 * 60_000;

class BootstrapError extends Error {}

function say(text) {
  process.stderr.write(`bootstrap: ${text}\n`);
}

/** Runs a command in `root` with its output on stderr; throws with `advice` unless it succeeds. */
function run(root, command, args, advice) {
  const shell = process.platform === 'win32' && command === 'npm';
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (result.status === 0) return;
  const seen =
    result.error?.message ?? (result.signal ? `ended by ${result.signal}` : `exit ${result.status}`);
  throw new BootstrapError(`${advice} (${seen})`);
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** npm writes node_modules/.package-lock.json last, so its absence also means an install that did not finish. */
export function isInstallStale(root) {
  const installed = modifiedAt(join(root, 'node_modules', '.package-lock.json'));
  const wanted = modifiedAt(join(root, 'package-lock.json'));
  return installed === undefined || (wanted !== undefined && installed < wanted);
}

function install(root) {
  say('installing dependencies (npm ci)');
  // Inside an npm script this is the very npm that runs it.
  const cli = process.env.npm_execpath ?? '';
  const [command, first] = basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []];
  // Asked for by name: NODE_ENV=production would leave the compiler out.
  const args = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'];
  run(root, command, args, 'npm ci failed. Check the network and registry settings, then run it again');
}

function build(root) {
  if (isOutputMissing(root)) rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  run(root, process.execPath, [tsc, '-p', '.'], 'the build failed. Fix the errors above, then run it again');
  for (const file of removeStaleOutput(root)) say(`removed ${relative(root, file)}: its source is gone`);
}

function* filesBelow(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** The incremental build trusts its own record and would not write a deleted output again. */
function isOutputMissing(root) {
  for (const folder of SOURCE_FOLDERS) {
    for (const file of filesBelow(join(root, folder))) {
      if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
      if (!existsSync(join(root, 'dist', relative(root, file).replace(/\.ts$/, '.js')))) return true;
    }
  }
  return false;
}

/** Deletes what an earlier build made of a source that no longer exists, so that no stale test runs. */
export function removeStaleOutput(root) {
  const dist = join(root, 'dist');
  const removed = [];
  for (const file of filesBelow(dist)) {
    if (!OUTPUT_SUFFIX.test(file)) continue;
    if (existsSync(join(root, relative(dist, file).replace(OUTPUT_SUFFIX, '.ts')))) continue;
    rmSync(file);
    removed.push(file);
  }
  return removed;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Runs `body` while no other bootstrap of this clone does. The lock is a file with its owner's process id,
 * linked into place so that it is never seen empty; one whose owner died is moved aside.
 */
function exclusively(root, body) {
  const lock = join(root, '.bootstrap.lock');
  const mine = `${lock}.${process.pid}`;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const giveUpAt = Date.now() + LOCK_PATIENCE_MS;
  let announced = false;
  writeFileSync(mine, String(process.pid));
  try {
    for (;;) {
      try {
        linkSync(mine, lock);
        break;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      let owner;
      try {
        owner = Number(readFileSync(lock, 'utf8'));
      } catch {
        continue; // released meanwhile
      }
      if (!isAlive(owner)) {
        try {
          renameSync(lock, `${mine}.dead`);
          rmSync(`${mine}.dead`);
        } catch {
          // another process moved it first
        }
        continue;
      }
      if (Date.now() > giveUpAt) {
        throw new BootstrapError(`process ${owner} holds ${lock}. If it is no bootstrap, delete that file`);
      }
      if (!announced) say(`waiting for process ${owner}, which installs or builds right now`);
      announced = true;
      Atomics.wait(pause, 0, 0, 100);
    }
    try {
      body();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Installs and builds what is missing or stale in the clone at `root`. */
export function bootstrap(root, { installOnly = false } = {}) {
  exclusively(root, () => {
    if (isInstallStale(root)) install(root);
    if (!installOnly) build(root);
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    bootstrap(dirname(fileURLToPath(import.meta.url)), {
      installOnly: process.argv.includes('--install-only'),
    });
  } catch (error) {
    say(error instanceof BootstrapError ? error.message : error.stack);
    process.exitCode = 1;
  }
}
