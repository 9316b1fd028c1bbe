/** Locks nobody else wants. Each beside a raw pair of compare-and-swaps on the same thread. */
import { Mutex, RWMutex } from '../../src/sync/index.js';
import { type Effort, type Loop, compare, measure, summarize } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench, Result } from '../result.js';
import { casPair } from './raw.js';

const RAW = 'sync.raw-cas-pair';
const GOAL = '≤ 60 ns or ≤ 3 × the raw pair';

function lockLoop(lock: Mutex | RWMutex): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) {
      lock.lock();
      lock.unlock();
    }
  };
}

function readLoop(lock: RWMutex): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) {
      lock.rLock();
      lock.rUnlock();
    }
  };
}

function tryLoop(lock: Mutex): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) {
      lock.tryLock();
      lock.unlock();
    }
  };
}

function shared<L extends Mutex | RWMutex>(lock: L): L {
  lock.handle();
  return lock;
}

/** All locks of one thread at once, as a program has them: each makes the code the others run less special. */
export function onDedicatedThread(effort: Effort): Promise<Record<string, number[]>> {
  return measure(
    {
      raw: casPair(),
      mutex: lockLoop(shared(new Mutex())),
      local: lockLoop(new Mutex()),
      ranked: lockLoop(new Mutex({ rank: 'bench' })),
      write: lockLoop(shared(new RWMutex())),
      read: readLoop(shared(new RWMutex())),
    },
    effort,
  );
}

function goal(result: Result): Result {
  return { ...result, goal: GOAL, ok: result.value <= 60 || (result.ratio ?? Infinity) <= 3 };
}

export const uncontended: Bench = {
  names: [
    RAW,
    'sync.mutex.uncontended',
    'sync.mutex.uncontended.local',
    'sync.mutex.uncontended.ranked',
    'sync.mutex.uncontended.main-try',
    'sync.rwmutex.write',
    'sync.rwmutex.read',
  ],
  async run(effort) {
    const thread = await onThread<Record<string, number[]>>(import.meta.url, 'onDedicatedThread', effort);
    const main = await measure({ raw: casPair(), tried: tryLoop(shared(new Mutex())) }, effort);
    return [
      summarize(RAW, thread.raw),
      goal(compare('sync.mutex.uncontended', thread.mutex, RAW, thread.raw)),
      goal(compare('sync.mutex.uncontended.local', thread.local, RAW, thread.raw)),
      goal(compare('sync.mutex.uncontended.ranked', thread.ranked, RAW, thread.raw)),
      goal(compare('sync.mutex.uncontended.main-try', main.tried, RAW, main.raw)),
      compare('sync.rwmutex.write', thread.write, RAW, thread.raw),
      compare('sync.rwmutex.read', thread.read, RAW, thread.raw),
    ];
  },
};
