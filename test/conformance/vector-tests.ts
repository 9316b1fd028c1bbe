/** A test a case file, for one kind and mode, from test/vectors. */
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRepository } from '../support/repository.js';
import { findCaseFiles, readCases } from './case-files.js';
import type { NamedCase, Stage } from './kind.js';
import { kinds } from './kinds.js';
import { describe as tell, runCases } from './run-cases.js';

const TIMEOUT_MS = 600_000;

export function vectorTests(kindName: string, mode: string): void {
  const files = findCaseFiles([inRepository(`test/vectors/${kindName}`)], kinds, undefined);
  describe(`${kindName} --threads ${mode}`, () => {
    let stage: Stage<NamedCase>;
    beforeAll(async () => {
      stage = await files[0].kind.open(mode);
    });
    afterAll(() => stage.close());

    test.each(files.map((file) => [basename(file.path), file] as const))(
      '%s',
      async (_, file) => {
        const told: string[] = [];
        const totals = await runCases(stage, readCases(file), (vector, verdict) => {
          if (verdict.is === 'failed') told.push(tell(vector, verdict));
          if (verdict.is === 'skipped') process.stdout.write(`${tell(vector, verdict)}\n`);
        });
        expect(told).toEqual([]);
        expect(totals.passed).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );
  });
}
