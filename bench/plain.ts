/** A benchmark that does its own timing: a function that answers finished numbers, as a suite entry. */
import type { Bench } from './result.js';

export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** All names `run` answers begin with `prefix`. What it does not tell, the noise, is left at nothing. */
export function plain(prefix: string, run: () => readonly Measured[] | Promise<readonly Measured[]>): Bench {
  return {
    names: [prefix],
    run: async () => (await run()).map((each) => ({ min: each.value, max: each.value, rounds: 1, ...each })),
  };
}
