/**
 * What lock checks cost: one uncontended lock and unlock of a ranked mutex, with checks off and on, beside a pair
 * of compare-and-swaps and beside the same file without its hook calls.
 *
 * Off must not be told apart from "no hook". The rounds of all variants that run with checks off alternate, so
 * that a noisy machine hits them alike, and each variant's best round counts. `again` is after the checks were
 * on once: the code is then compiled for a hook table that has held something.
 */
import { readFileSync } from 'node:fs';
import { disableChecks, enableChecks } from '../src/check/index.js';
import { Mutex } from '../src/sync/index.js';

export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const ROUNDS = 15;
const PAIRS = 200_000;
const PAIRS_CHECKED = 20_000;

const HOOKS_IN_MUTEX = 6;

/** Mutex as it would be without hooks: the compiled file with the calls taken out, over the same other modules. */
const BareMutex = await loadWithoutHooks();

async function loadWithoutHooks(): Promise<typeof Mutex> {
  const file = new URL('../src/sync/mutex.js', import.meta.url);
  let taken = 0;
  const source = readFileSync(file, 'utf8')
    .replace(/hooks\.locks\?\.\w+\([^)]*\)|hooks\.locks !== null/g, () => {
      taken++;
      return 'false';
    })
    .replace(/from '(\.[^']*)'/g, (_, path: string) => `from '${new URL(path, file).href}'`)
    .replace(/^\/\/# sourceMappingURL.*$/m, '');
  if (taken !== HOOKS_IN_MUTEX) throw new Error(`mutex.js has ${taken} uses of hooks, not ${HOOKS_IN_MUTEX}`);
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    Mutex: typeof Mutex;
  };
  return module.Mutex;
}

/** Nanoseconds a call of `pairs` pairs takes, a pair. */
function time(run: (pairs: number) => void, pairs: number): number {
  const start = process.hrtime.bigint();
  run(pairs);
  return Number(process.hrtime.bigint() - start) / pairs;
}

/** The best round of each, in turns. */
function best(variants: readonly ((pairs: number) => void)[], pairs: number): number[] {
  const lowest = variants.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of variants.entries()) lowest[i] = Math.min(lowest[i], time(run, pairs));
  }
  return lowest;
}

/** Leaves the checks off. */
export function benchChecks(): Measured[] {
  const words = new Int32Array(new SharedArrayBuffer(64));
  const bare = new BareMutex({ rank: 'bench' });
  const mutex = new Mutex({ rank: 'bench' });
  const casPairs = (pairs: number): void => {
    for (let i = 0; i < pairs; i++) {
      Atomics.compareExchange(words, 0, 0, 1);
      Atomics.compareExchange(words, 0, 1, 0);
    }
  };
  const barePairs = (pairs: number): void => {
    for (let i = 0; i < pairs; i++) {
      bare.lock();
      bare.unlock();
    }
  };
  const mutexPairs = (pairs: number): void => {
    for (let i = 0; i < pairs; i++) {
      mutex.lock();
      mutex.unlock();
    }
  };
  try {
    disableChecks();
    const [cas, without, off] = best([casPairs, barePairs, mutexPairs], PAIRS);
    enableChecks({ ranks: 'bench' });
    const [on] = best([mutexPairs], PAIRS_CHECKED);
    disableChecks();
    const [, withoutAgain, offAgain] = best([casPairs, barePairs, mutexPairs], PAIRS);
    return [
      measured('check/cas-pair', cas),
      measured('check/lock-unlock-without-hooks', without),
      measured('check/lock-unlock-off', off),
      measured('check/lock-unlock-on', on),
      measured('check/lock-unlock-without-hooks-again', withoutAgain),
      measured('check/lock-unlock-off-again', offAgain),
    ];
  } finally {
    disableChecks();
    mutex.dispose();
    bare.dispose();
  }
}

function measured(name: string, ns: number): Measured {
  return { name, value: Math.round(ns * 10) / 10, unit: 'ns/op' };
}
