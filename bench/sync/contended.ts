/** Two threads that both want the lock all the time, in the blocking form. */
import { Mutex, type MutexHandle, RWMutex, type RWMutexHandle } from '../../src/sync/index.js';
import { type Effort, summarize } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';
import { percentile } from '../stats.js';

const THREADS = 2;
const Word = { ready: 0, round: 16, work: 32 } as const;
/** In rounds that count locks the clock is read this rarely, or it would be much of what is measured. */
const BATCH = 64;

interface Side {
  readonly mutex?: MutexHandle;
  readonly rwmutex?: RWMutexHandle;
  /** Two threads meet here before each round. */
  readonly gate: SharedArrayBuffer;
  readonly rounds: number;
  readonly roundMs: number;
}

interface Turnout {
  /** By round. */
  readonly locks: number[];
  readonly seconds: number[];
  readonly waitsUs: number[];
}

/** Waits until all threads have come `round` times. */
function meet(words: Int32Array, round: number): void {
  if (Atomics.add(words, Word.ready, 1) + 1 === round * THREADS) {
    Atomics.store(words, Word.round, round);
    Atomics.notify(words, Word.round);
    return;
  }
  while (Atomics.load(words, Word.round) < round) Atomics.wait(words, Word.round, round - 1);
}

export function contend(side: Side): Turnout {
  const words = new Int32Array(side.gate);
  let take: () => void;
  let release: () => void;
  if (side.mutex !== undefined) {
    const mutex = Mutex.attach(side.mutex);
    take = () => mutex.lock();
    release = () => {
      words[Word.work]++;
      mutex.unlock();
    };
  } else {
    const rwmutex = RWMutex.attach(side.rwmutex as RWMutexHandle);
    take = () => rwmutex.rLock();
    release = () => rwmutex.rUnlock();
  }
  const turnout: Turnout = { locks: [], seconds: [], waitsUs: [] };
  const lockFor = (ms: number): void => {
    const start = performance.now();
    let locks = 0;
    while (performance.now() < start + ms) {
      for (let i = 0; i < BATCH; i++) {
        take();
        release();
      }
      locks += BATCH;
    }
    turnout.locks.push(locks);
    turnout.seconds.push((performance.now() - start) / 1000);
  };
  const timeWaitsFor = (ms: number): void => {
    const start = performance.now();
    for (let asked = start; asked < start + ms; asked = performance.now()) {
      take();
      turnout.waitsUs.push((performance.now() - asked) * 1000);
      release();
    }
  };
  let meeting = 0;
  meet(words, ++meeting);
  lockFor(side.roundMs);
  turnout.locks.length = turnout.seconds.length = 0;
  for (let round = 0; round < side.rounds; round++) {
    meet(words, ++meeting);
    lockFor(side.roundMs);
    meet(words, ++meeting);
    timeWaitsFor(side.roundMs);
  }
  return turnout;
}

async function run(effort: Effort, lock: Pick<Side, 'mutex' | 'rwmutex'>): Promise<Turnout[]> {
  const gate = new SharedArrayBuffer(256);
  const side: Side = { ...lock, gate, rounds: effort.rounds, roundMs: effort.roundMs };
  return Promise.all(
    Array.from({ length: THREADS }, () => onThread<Turnout>(import.meta.url, 'contend', side)),
  );
}

function rates(turnouts: readonly Turnout[]): number[] {
  return turnouts[0].locks.map((_, round) =>
    turnouts.reduce((sum, turnout) => sum + turnout.locks[round] / turnout.seconds[round], 0),
  );
}

const total = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0);

export const contended: Bench = {
  names: ['sync.mutex.contended-2'],
  async run(effort) {
    using mutex = new Mutex();
    const turnouts = await run(effort, { mutex: mutex.handle() });
    const waits = turnouts.flatMap((turnout) => turnout.waitsUs);
    const locks = turnouts.map((turnout) => total(turnout.locks));
    return [
      summarize('sync.mutex.contended-2', rates(turnouts), 'ops/s', {
        p50WaitUs: percentile(waits, 50),
        p99WaitUs: percentile(waits, 99),
        worstWaitUs: percentile(waits, 100),
        lesserShare: Math.min(...locks) / total(locks),
      }),
    ];
  },
};

export const readers: Bench = {
  names: ['sync.rwmutex.readers-2'],
  async run(effort) {
    using rwmutex = new RWMutex();
    const turnouts = await run(effort, { rwmutex: rwmutex.handle() });
    return [summarize('sync.rwmutex.readers-2', rates(turnouts), 'ops/s')];
  },
};
