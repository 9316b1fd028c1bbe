/**
 * Timing.
 *
 * A loop does something a given number of times. Each is first run, doubling, until a run takes long enough to
 * time: that is the warm-up, too. Then come the rounds, in each of which every loop runs once, so that loops
 * that are compared share the machine's moods.
 *
 * Nothing is collected by force in between: a full collection drops optimized code with the objects that are
 * embedded in it, and the next round would time its compilation.
 */
import { median, medianRatio } from './stats.js';
import type { Result } from './result.js';

export interface Effort {
  readonly rounds: number;
  /** How long one loop runs in one round, about. */
  readonly roundMs: number;
  /** Samples a round, where each operation is timed by itself. */
  readonly samples: number;
}

export const FULL: Effort = { rounds: 11, roundMs: 25, samples: 1000 };
export const QUICK: Effort = { rounds: 3, roundMs: 4, samples: 100 };

export type Loop = (times: number) => void | Promise<void>;

/** Nanoseconds an operation, by loop and round. */
export async function measure<K extends string>(
  loops: Readonly<Record<K, Loop>>,
  effort: Effort,
): Promise<Record<K, number[]>> {
  const names = Object.keys(loops) as K[];
  const times = {} as Record<K, number>;
  const samples = {} as Record<K, number[]>;
  for (const name of names) {
    times[name] = await calibrate(loops[name], effort.roundMs);
    samples[name] = [];
  }
  for (let round = 0; round < effort.rounds; round++) {
    for (const name of names) {
      samples[name].push((await timed(loops[name], times[name])) / times[name]);
    }
  }
  return samples;
}

/** How many times fit into a round, measured once the code is warm. */
async function calibrate(loop: Loop, roundMs: number): Promise<number> {
  const wanted = roundMs * 1e6;
  let warm = 0;
  for (let times = 64; ; times *= 2) {
    const took = await timed(loop, times);
    warm += took;
    if (took >= wanted / 2 && warm >= 2 * wanted) return Math.max(1, Math.round((times * wanted) / took));
    if (took >= wanted) times /= 2;
  }
}

async function timed(loop: Loop, times: number): Promise<number> {
  const start = process.hrtime.bigint();
  const running = loop(times);
  if (running !== undefined) await running;
  return Number(process.hrtime.bigint() - start);
}

/** Sums samples up as one result. */
export function summarize(
  name: string,
  samples: readonly number[],
  unit = 'ns',
  extra: Readonly<Record<string, number | string | boolean>> = {},
): Result {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    name,
    value: median(sorted),
    unit,
    min: sorted[0],
    max: sorted[sorted.length - 1],
    rounds: sorted.length,
    ...extra,
  };
}

/** The same beside what it is compared with. */
export function compare(
  name: string,
  samples: readonly number[],
  base: string,
  baseSamples: readonly number[],
  unit = 'ns',
  extra: Readonly<Record<string, number | string | boolean>> = {},
): Result {
  return summarize(name, samples, unit, { base, ratio: medianRatio(samples, baseSamples), ...extra });
}

/** Operations a second from nanoseconds an operation. */
export const perSecond = (samples: readonly number[]): number[] => samples.map((ns) => 1e9 / ns);
