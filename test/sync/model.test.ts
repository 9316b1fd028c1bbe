// Random programs over the primitives against a simple model (model/), on one thread and on several.
// A failure prints the seed: PODLOOM_SEED=<seed> runs the same programs again.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Crew } from '../support/crew.js';
import { seed } from '../support/seed.js';
import { type Mode, check } from './model/driver.js';
import { THEMES, program } from './model/program.js';

let crew: Crew;

beforeAll(() => {
  crew = new Crew(2, new URL('./model/crew-tasks.js', import.meta.url));
});
afterAll(() => crew.stop());

const MODES: readonly { mode: Mode; runs: number }[] = [
  { mode: 'local', runs: 150 },
  { mode: 'shared', runs: 150 },
  { mode: 'promoted', runs: 250 },
  { mode: 'threads', runs: 60 },
];

describe.each(MODES)('programs, $mode', ({ mode, runs }) => {
  test.each(THEMES)('%s', async (theme) => {
    await fc.assert(
      fc.asyncProperty(program(theme, 40), (p) => check(p, mode, crew)),
      { numRuns: runs, seed: seed(), endOnFailure: false },
    );
  });
});
