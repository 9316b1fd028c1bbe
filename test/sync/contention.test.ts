// Short forms of the stress scenarios: two blocking threads and async main at the same primitives.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled } from '../../src/sync/index.js';
import { scenarios } from '../stress/scenarios.js';
import { Crew } from '../support/crew.js';
import { seed } from '../support/seed.js';

let crew: Crew;

beforeAll(() => {
  crew = new Crew(2, new URL('../stress/tasks.js', import.meta.url));
});
afterAll(() => crew.stop());

test.each(scenarios)('$name', async (scenario) => {
  await expect(scenario.run(crew, 2000, seed())).resolves.toBeUndefined();
  // Every wake-up was counted and came to rest.
  await settled();
});
