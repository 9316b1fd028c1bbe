// The look-ups of threads.test.ts, eighteen times as many: what goes wrong rarely.

import { expect, test } from 'vitest';
import { Crew } from '../support/crew.js';
import { seed } from '../support/seed.js';
import { churn } from './churn.js';

test('look-ups beside churn, for long', async () => {
  const crew = new Crew(3, new URL('./reader-tasks.js', import.meta.url));
  try {
    for (let round = 0; round < 3; round++) {
      const { readers } = await churn(crew, 3_000_000, seed() + round);
      for (const { strangers, falseUnknown, examples } of readers) {
        expect({ strangers, falseUnknown, examples }).toEqual({
          strangers: 0,
          falseUnknown: 0,
          examples: [],
        });
      }
    }
  } finally {
    await crew.stop();
  }
});
