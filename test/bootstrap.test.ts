import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRepository } from './support/repository.js';

interface Bootstrap {
  readonly isInstallStale: (root: string) => boolean;
  readonly removeStaleOutput: (root: string) => string[];
}

const { isInstallStale, removeStaleOutput } = (await import(
  pathToFileURL(inRepository('bootstrap.mjs')).href
)) as Bootstrap;

describe('bootstrap', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'podloom-bootstrap-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function write(path: string, seconds?: number): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    if (seconds !== undefined) utimesSync(file, seconds, seconds);
    return file;
  }

  it('installs when nothing is installed, or the lock file is newer', () => {
    write('package-lock.json', 2000);
    expect(isInstallStale(root)).toBe(true);
    write('node_modules/.package-lock.json', 1000);
    expect(isInstallStale(root)).toBe(true);
    write('node_modules/.package-lock.json', 3000);
    expect(isInstallStale(root)).toBe(false);
  });

  it('removes the output of a source that is gone, and nothing else', () => {
    write('test/kept.test.ts');
    const kept = ['kept.test.js', 'kept.test.js.map', 'kept.test.d.ts'].map((name) =>
      write(`dist/test/${name}`),
    );
    kept.push(write('dist/.tsbuildinfo'));
    const gone = ['js', 'js.map', 'd.ts'].map((end) => write(`dist/test/deep/gone.test.${end}`));
    expect(removeStaleOutput(root).sort()).toEqual(gone.sort());
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
    expect(gone.filter((file) => existsSync(file))).toEqual([]);
  });
});

describe('package-lock.json', () => {
  it('names no registry', () => {
    expect(readFileSync(inRepository('package-lock.json'), 'utf8')).not.toMatch(
      /"resolved"|https?:\/\/[^"]*registry/,
    );
  });
});
