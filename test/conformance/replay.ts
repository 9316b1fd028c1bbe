/** For tests: replays every case of a file of test/vectors in one mode, as tests of the suite. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRepository } from '../support/repository.js';
import { readCases } from './case-files.js';
import type { Kind, NamedCase, Stage } from './kind.js';
import { describe as inWords, runCases } from './run-cases.js';

/** A test a file: what is reported of it is the cases that failed. */
export function replayFolder(kind: Kind, mode: string): void {
  let stage: Stage<NamedCase>;
  beforeAll(async () => {
    stage = await kind.open(mode);
  });
  afterAll(() => stage.close());

  const folder = inRepository(`test/vectors/${kind.name}`);
  for (const name of readdirSync(folder).filter((file) => /\.jsonl(\.gz)?$/.test(file))) {
    test(mode === '' ? name : `${name} --threads ${mode}`, async () => {
      const cases = readCases({ path: `${folder}/${name}`, kind });
      const failures: string[] = [];
      const totals = await runCases(stage, cases, (vector, verdict) => {
        if (verdict.is === 'failed') failures.push(inWords(vector, verdict));
      });
      expect(failures.join('\n')).toBe('');
      expect(totals.passed + totals.skipped).toBe(cases.length);
      expect(totals.passed).toBeGreaterThan(0);
    });
  }
}
