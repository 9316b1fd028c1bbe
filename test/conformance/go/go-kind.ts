/** Vectors recorded from the Go runtime: primitives of src/sync, in three arrangements of threads. */
import { type Kind, MalformedCase, type Stage, UsageError, type Verdict } from '../kind.js';
import type { Crew } from './crew.js';
import { DedicatedCrew } from './dedicated-crew.js';
import { CrewLost, runCase } from './driver.js';
import { type GoCase, allOps } from './format.js';
import { LocalCrew } from './local-crew.js';
import { SpreadCrew } from './spread-crew.js';

/** After so many cases that hung or killed a thread the rest of the mode is given up: each costs half a minute. */
const MOST_LOST = 3;
const MOST_THREADS = 64;

class GoStage implements Stage<GoCase> {
  readonly #mode: string;
  #crew: Crew | null = null;
  #lost = 0;

  constructor(mode: string) {
    this.#mode = mode;
  }

  async run(vector: GoCase): Promise<Verdict> {
    if (usesGoexit(vector))
      return {
        is: 'skipped',
        reason: 'runtime.Goexit: JavaScript cannot end a goroutine from inside a call',
      };
    if (this.#lost >= MOST_LOST)
      return {
        is: 'failed',
        step: 'not run',
        expected: 'a usable crew',
        got: `${MOST_LOST} were lost before`,
      };
    try {
      this.#crew ??= newCrew(this.#mode);
      return await runCase(vector, this.#crew);
    } catch (error) {
      if (!(error instanceof CrewLost)) throw error;
      this.#lost++;
      await this.close();
      return { is: 'failed', step: error.message, expected: 'to settle', got: 'nothing' };
    }
  }

  async close(): Promise<void> {
    const crew = this.#crew;
    this.#crew = null;
    await crew?.close();
  }
}

function newCrew(mode: string): Crew {
  if (mode === '0') return new LocalCrew();
  return mode === 'each' ? new DedicatedCrew() : new SpreadCrew(Number(mode));
}

function usesGoexit(vector: GoCase): boolean {
  for (const { op } of allOps(vector)) if (op === 'goexit') return true;
  return false;
}

export const goKind: Kind<GoCase> = {
  name: 'go',

  parse(line) {
    const vector = line as Partial<GoCase> | null;
    if (typeof vector !== 'object' || vector === null) throw new MalformedCase('not an object');
    if (typeof vector.name !== 'string') throw new MalformedCase('no name');
    for (const list of ['objects', 'steps', 'want'] as const)
      if (!Array.isArray(vector[list])) throw new MalformedCase(`${vector.name}: no ${list}`);
    if (!Number.isInteger(vector.goroutines)) throw new MalformedCase(`${vector.name}: no goroutines`);
    return vector as GoCase;
  },

  modes(threads) {
    if (threads === undefined) return ['0', '2', 'each'];
    const count = Number(threads);
    if (threads === 'each' || (/^\d+$/.test(threads) && count <= MOST_THREADS)) return [threads];
    throw new UsageError(`--threads takes 0, a number up to ${MOST_THREADS}, or each; got ${threads}`);
  },

  async open(mode) {
    return new GoStage(mode);
  },
};
