/** For tests: replays files of test/vectors/http. A case that is skipped must be one the test expects to be. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRepository } from '../../support/repository.js';
import { readCases } from '../case-files.js';
import { httpKind } from './http-kind.js';
import type { Kind, NamedCase, Stage } from '../kind.js';
import { describe as inWords, runCases } from '../run-cases.js';

/** `files`: the name of each, and its cases that need something the server does not offer yet. */
export function replayHttp(files: Readonly<Record<string, readonly string[]>>): void {
  const kind = httpKind as Kind;
  let stage: Stage<NamedCase>;
  beforeAll(async () => {
    stage = await kind.open('');
  });
  afterAll(() => stage.close());

  for (const [file, notOffered] of Object.entries(files)) {
    test(file, async () => {
      const cases = readCases({ path: inRepository(`test/vectors/http/${file}.jsonl.gz`), kind });
      const failures: string[] = [];
      const skipped: string[] = [];
      await runCases(stage, cases, (vector, verdict) => {
        if (verdict.is === 'failed') failures.push(inWords(vector, verdict));
        if (verdict.is === 'skipped') skipped.push(vector.name);
      });
      expect(failures.join('\n')).toBe('');
      expect(skipped).toEqual(notOffered);
    });
  }
}
