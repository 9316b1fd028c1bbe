/**
 * The Done channel of a context in shared memory: closed, it also says how the context ended.
 *
 * The error and the cause are stored under the channel's lock before it is closed, so whoever sees it closed
 * finds them. The first close wins, on whatever thread. A cause that does not fit the arena is left out rather
 * than keeping the context from ending.
 */
import type { WireError } from '../observe/errors.js';
import { type Chan, type ChanHandle, RECEIVERS } from './chan.js';
import { encode, peek, release } from './codec.js';
import {
  type Outcome,
  canceled,
  causeFromWire,
  causeToWire,
  deadlineExceeded,
  lost,
} from './context-errors.js';
import { SyncError } from './errors.js';
import { Block, ChanWord } from './layout.js';
import { type SharedMonitor } from './shared-monitor.js';
import { abandon, finish } from './sleepers.js';
import { Park } from './park.js';
import { parker } from './parker.js';

const CANCELED = 1;
const DEADLINE_EXCEEDED = 2;

export class SharedDone {
  readonly #chan: Chan<void>;
  readonly #monitor: SharedMonitor;

  /** `chan` must be shared. */
  constructor(chan: Chan<void>) {
    this.#chan = chan;
    this.#monitor = chan.live() as SharedMonitor;
  }

  handle(): ChanHandle {
    return this.#chan.handle();
  }

  get isLive(): boolean {
    return this.#monitor.isLive();
  }

  /** Closed or disposed of: nothing more will come of it. One look at two words. */
  get isOver(): boolean {
    const { words, block, generation, at } = this.#monitor;
    return Atomics.load(words, at + ChanWord.closed) !== 0 || words[block + Block.gen] !== generation;
  }

  /** How it ended, once it is over. */
  outcome(): Outcome {
    const monitor = this.#monitor;
    const { words, at } = monitor;
    let wire: WireError | null = null;
    monitor.lock();
    try {
      if (!monitor.isLive()) return lost;
      const payload = words[at + ChanWord.cause];
      if (payload !== 0) wire = peek(payload) as WireError;
      const err = words[at + ChanWord.err] === DEADLINE_EXCEEDED ? deadlineExceeded : canceled;
      return { err, cause: wire === null ? err : causeFromWire(wire) };
    } finally {
      monitor.unlock();
    }
  }

  /** False: it was over already, and ended in another way. */
  close(outcome: Outcome): boolean {
    const payload = encodeCause(outcome);
    let closed = false;
    try {
      closed = this.#chan.closeWith((words, at) => store(words, at, outcome, payload));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
    }
    if (!closed && payload !== 0) release(payload);
    return closed;
  }

  /** It was closed before it was shared. */
  record(outcome: Outcome): void {
    store(this.#monitor.words, this.#monitor.at, outcome, encodeCause(outcome));
  }

  /** Calls `over` when it is, here, also while this thread blocks. Null: it is over now. */
  watch(over: () => void): Park | null {
    const monitor = this.#monitor;
    const park = new Park('context');
    monitor.lock();
    if (this.isOver) {
      monitor.unlock();
      return null;
    }
    monitor.enqueue(RECEIVERS, park, 0, 0);
    monitor.unlock();
    parker().attend(park, () => {
      finish(park);
      over();
    });
    return park;
  }

  /** False: it is over, and the call is on its way. */
  unwatch(park: Park): boolean {
    return abandon(park);
  }
}

function encodeCause({ err, cause }: Outcome): number {
  if (cause === err) return 0;
  try {
    return encode(causeToWire(cause));
  } catch (error) {
    if (error instanceof SyncError) return 0;
    throw error;
  }
}

function store(words: Int32Array, at: number, { err }: Outcome, payload: number): void {
  words[at + ChanWord.err] = err === canceled ? CANCELED : DEADLINE_EXCEEDED;
  if (payload === 0) return;
  parker().arena.publish(payload);
  words[at + ChanWord.cause] = payload;
}
