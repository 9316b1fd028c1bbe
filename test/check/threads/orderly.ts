// A program that keeps the rules: three threads over the same ranked locks, each form of them.

import { parentPort, workerData } from 'node:worker_threads';
import { enableChecks } from '../../../src/check/index.js';
import { Mutex, type MutexHandle, RWMutex, type RWMutexHandle } from '../../../src/sync/index.js';

export const ORDERLY_RANKS = 'index < slot* < names < queue | box';

export interface OrderlyHandles {
  readonly index: RWMutexHandle;
  readonly slots: readonly MutexHandle[];
  readonly names: MutexHandle;
  readonly queue: MutexHandle;
  readonly box: MutexHandle;
  /** Plain counters: one a slot, each guarded by its lock. */
  readonly counters: SharedArrayBuffer;
}

export interface OrderlyData {
  readonly handles: OrderlyHandles;
  readonly rounds: number;
  readonly seed: number;
}

const SLOTS = 4;

export function orderlyHandles(keep: <T extends { dispose(): void }>(made: T) => T): OrderlyHandles {
  const mutex = (rank: string): MutexHandle => keep(new Mutex({ rank })).handle();
  return {
    index: keep(new RWMutex({ rank: 'index' })).handle(),
    slots: Array.from({ length: SLOTS }, () => mutex('slot')),
    names: mutex('names'),
    queue: mutex('queue'),
    box: mutex('box'),
    counters: new SharedArrayBuffer(SLOTS * 4),
  };
}

export class Orderly {
  readonly #index: RWMutex;
  readonly #slots: readonly Mutex[];
  readonly #names: Mutex;
  readonly #queue: Mutex;
  readonly #box: Mutex;
  readonly #counters: Int32Array;
  #seed: number;

  constructor(handles: OrderlyHandles, seed: number) {
    this.#index = RWMutex.attach(handles.index);
    this.#slots = handles.slots.map((handle) => Mutex.attach(handle)).sort((a, b) => a.id - b.id);
    this.#names = Mutex.attach(handles.names);
    this.#queue = Mutex.attach(handles.queue);
    this.#box = Mutex.attach(handles.box);
    this.#counters = new Int32Array(handles.counters);
    this.#seed = seed;
  }

  /** One increment of one counter, with as many other locks around it as the seed says. */
  round(): void {
    const reads = this.#chance(2);
    if (reads) this.#index.rLock();
    else this.#index.lock();
    const at = this.#next() % SLOTS;
    this.#slots[at].lock();
    const above = this.#chance(3) && at + 1 < SLOTS ? this.#slots[at + 1] : null;
    above?.lock();
    this.#counters[at]++;
    const last = this.#chance(2) ? this.#queue : this.#box;
    if (this.#chance(2)) this.#names.guard().release();
    last.lock();
    // Out of order, and allowed: it cannot hang.
    if (this.#names.tryLock()) this.#names.unlock();
    this.#slots[at].unlock();
    last.unlock();
    above?.unlock();
    if (reads) this.#index.rUnlock();
    else this.#index.unlock();
  }

  total(): number {
    return this.#counters.reduce((sum, count) => sum + count, 0);
  }

  #next(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) | 0;
    return this.#seed >>> 16;
  }

  #chance(of: number): boolean {
    return this.#next() % of === 0;
  }
}

function main(port: NonNullable<typeof parentPort>, { handles, rounds, seed }: OrderlyData): void {
  const found: string[] = [];
  enableChecks({ report: (seen) => void found.push(seen.message) });
  const work = new Orderly(handles, seed);
  for (let round = 0; round < rounds; round++) work.round();
  // After the microtask that looks what is still held.
  setImmediate(() => port.postMessage(found));
}

const data = workerData as Partial<OrderlyData> | null;
if (parentPort !== null && data?.handles !== undefined) main(parentPort, data as OrderlyData);
