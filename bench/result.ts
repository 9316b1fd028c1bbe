/** What a benchmark reports, and how a suite is made of benchmarks. */
import type { Effort } from './measure.js';

/** One line of output. `value` is the median of the rounds, `min` and `max` are the noise around it. */
export interface Result {
  readonly name: string;
  readonly value: number;
  /** ns, us, ops/s; a suite may have others. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
  /** How often `base` fits into the value, both taken in the same rounds. */
  readonly ratio?: number;
  readonly base?: string;
  readonly goal?: string;
  readonly ok?: boolean;
  /** Latencies and other numbers of their own unit, which the name tells. */
  readonly [extra: string]: number | string | boolean | undefined;
}

export interface Bench {
  /** The names of all its results, or how they begin: it runs if one of them is asked for. */
  readonly names: readonly string[];
  run(effort: Effort): Promise<readonly Result[]>;
}

export type Suite = readonly Bench[];
