// `npm run stress`: the contention scenarios, a node's life with the status manager and the model's programs, in
// rotation, for as long as asked.
//
//   npm run stress -- [--seconds 30] [--seed N] [--only NAME] [--rounds N] [--threads 3]
//
// Round n runs with seed N + n, so that a failure is replayed by its own seed and one round. Progress goes to
// stderr once a second; the last line is the totals.

import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { settled } from '../../src/sync/index.js';
import { type Mode, check } from '../sync/model/driver.js';
import { THEMES, program } from '../sync/model/program.js';
import { Crew } from '../support/crew.js';
import { scenarios } from './scenarios.js';
import { statusLife } from './status.js';

/** No work takes this long: whoever does has lost a wake-up. */
const HANG_MS = 60_000;

interface Work {
  readonly name: string;
  run(seed: number): Promise<void>;
}

function contention(crew: Crew): Work[] {
  return scenarios.map((scenario) => ({
    name: scenario.name,
    run: (seed) => scenario.run(crew, 4_000 + (Math.abs(seed) % 4) * 4_000, seed),
  }));
}

function programs(crew: Crew): Work[] {
  const modes: Mode[] = ['local', 'shared', 'promoted', 'threads'];
  return modes.flatMap((mode) =>
    THEMES.map((theme) => ({
      name: `model-${mode}-${theme}`,
      run: (seed: number) =>
        fc.assert(
          fc.asyncProperty(program(theme, 80), (p) => check(p, mode, crew)),
          { numRuns: mode === 'threads' ? 40 : 150, seed },
        ),
    })),
  );
}

/** What went wrong, or null. */
async function attempt(work: Work, seed: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still running after ${HANG_MS / 1000} s`)), HANG_MS);
  });
  try {
    await Promise.race([work.run(seed).then(settled), hang]);
    return null;
  } catch (error) {
    const { stack, cause } = error as Error;
    return cause instanceof Error ? `${stack}\n${cause.stack}` : String(stack);
  } finally {
    clearTimeout(timer);
  }
}

function integer(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} takes an integer, got ${text}`);
  return value;
}

async function main(): Promise<number> {
  const { values: given } = parseArgs({
    options: {
      seconds: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '0' },
      threads: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 30) },
      only: { type: 'string' },
    },
  });
  const first = integer('seed', given.seed);
  const rounds = integer('rounds', given.rounds) || Infinity;
  const until = rounds === Infinity ? Date.now() + integer('seconds', given.seconds) * 1000 : Infinity;
  const crews = [
    new Crew(integer('threads', given.threads), new URL('./tasks.js', import.meta.url)),
    new Crew(2, new URL('../sync/model/crew-tasks.js', import.meta.url)),
  ];
  const known = [...contention(crews[0]), { name: 'status', run: statusLife }, ...programs(crews[1])];
  const chosen = known.filter(({ name }) => given.only === undefined || name === given.only);
  if (chosen.length === 0) {
    process.stderr.write(
      `nothing is called ${given.only}; there is ${known.map((w) => w.name).join(', ')}\n`,
    );
    return 1;
  }
  let passed = 0;
  let failed = 0;
  let current = '';
  const progress = setInterval(() => {
    process.stderr.write(`${passed} passed, ${failed} failed, seed ${first}, now ${current}\n`);
  }, 1000);
  loop: for (let round = 0; round < rounds; round++) {
    for (const work of chosen) {
      if (Date.now() >= until) break loop;
      const seed = first + round;
      current = `${work.name} of round ${round}`;
      const wrong = await attempt(work, seed);
      if (wrong === null) {
        passed++;
        continue;
      }
      failed++;
      process.stderr.write(
        `${wrong}\n\n${work.name} failed with seed ${seed}. Again:\n` +
          `  npm run stress -- --seed ${seed} --only ${work.name} --rounds 1 --threads ${given.threads}\n\n`,
      );
      // The threads may be stuck, or the arena broken: what comes after would prove nothing.
      break loop;
    }
  }
  clearInterval(progress);
  await Promise.all(crews.map((crew) => crew.stop()));
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

process.exit(await main());
