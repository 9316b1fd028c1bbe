/**
 * The run queue of a host thread.
 *
 * Promises
 * - Runnables are resumed in the order they were queued; one that is queued again goes to the tail. A runnable
 *   is in the queue at most once.
 * - At most `items` are resumed, for at most `ms`, before the event loop turns: timers, control calls, rings and
 *   cancels get in between slices whatever the runnables do. A single resume is not cut short.
 *
 * resume() may set an async function going. What that does before its next real wait runs between two resumes,
 * as each resume is a microtask of its own, so that it counts for the slice that caused it. For the same reason
 * a slice does not end with an empty queue: a loop that queues itself again one microtask later must not get a
 * fresh budget in the same turn.
 *
 * A non-empty queue counts as pending work of the thread (goroutine.ts, settled).
 */
import { performance } from 'node:perf_hooks';
import { parker } from '../sync/parker.js';
import { raiseUncaught } from './errors.js';

export interface Runnable {
  /** Stands in the queue; only the scheduler writes it. Cleared before resume(), so resume() may queue it again. */
  queued: boolean;
  /** Goes on until it has to wait. Must not block; an error it throws is an uncaught one of the thread. */
  resume(): void;
}

export interface SchedulerOptions {
  /** Runnables resumed before the event loop turns. Default 64. */
  readonly items?: number;
  /** Milliseconds after which no further one is resumed in a slice. Default 2. */
  readonly ms?: number;
}

export interface SchedulerStats {
  readonly queued: number;
  readonly resumed: number;
  readonly slices: number;
}

class Turn implements Runnable {
  queued = false;
  readonly taken: Promise<void>;
  #take!: () => void;

  constructor() {
    this.taken = new Promise((resolve) => (this.#take = resolve));
  }

  resume(): void {
    this.#take();
  }
}

/** Queue with amortised constant cost: taken entries are cut off in bulk. */
class Fifo {
  #items: (Runnable | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: Runnable): void {
    this.#items.push(item);
  }

  shift(): Runnable | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.#items.length = this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}

export class Scheduler {
  readonly #items: number;
  readonly #ms: number;
  readonly #queue = new Fifo();
  readonly #parker = parker();
  readonly #idleListeners: (() => void)[] = [];
  /** A slice is open until the event loop has turned; `#left` and `#until` are its budget. */
  #open = false;
  #left = 0;
  #until = 0;
  /** A step is under way or queued as a microtask. */
  #stepping = false;
  #stopped = false;
  /** The queue is counted as pending. */
  #busy = false;
  #resumed = 0;
  #slices = 0;

  constructor(options: SchedulerOptions = {}) {
    this.#items = options.items ?? 64;
    this.#ms = options.ms ?? 2;
  }

  /** Queues it at the tail. False: it stands in the queue already, or the scheduler was stopped. */
  enqueue(item: Runnable): boolean {
    if (item.queued || this.#stopped) return false;
    item.queued = true;
    this.#queue.push(item);
    if (!this.#busy) {
      this.#busy = true;
      this.#parker.raise(this.#parker.slot);
    }
    if (!this.#open) this.#openSlice();
    this.#proceed();
    return true;
  }

  /** The caller's next turn in the queue, for goroutines: `for (;;) { await scheduler.turn(); … }`. */
  turn(): Promise<void> {
    const turn = new Turn();
    this.enqueue(turn);
    return turn.taken;
  }

  /** Resolves when the queue is empty and what was resumed has come to its next wait. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve);
      if (!this.#open) this.#openSlice();
    });
  }

  /** Forgets what is queued and takes nothing more: the host is ending. */
  stop(): void {
    this.#stopped = true;
    while (this.#queue.shift() !== undefined);
    if (this.#busy) this.#rest();
  }

  stats(): SchedulerStats {
    return { queued: this.#queue.length, resumed: this.#resumed, slices: this.#slices };
  }

  #openSlice(): void {
    this.#open = true;
    this.#slices++;
    this.#left = this.#items;
    this.#until = performance.now() + this.#ms;
    setImmediate(this.#turned);
  }

  #turned = (): void => {
    this.#open = false;
    if (this.#queue.length > 0) {
      this.#openSlice();
      this.#proceed();
    } else {
      for (const listener of this.#idleListeners.splice(0)) listener();
    }
  };

  #proceed(): void {
    if (this.#stepping || this.#left === 0) return;
    this.#stepping = true;
    queueMicrotask(this.#step);
  }

  #step = (): void => {
    const item = this.#queue.shift();
    if (item === undefined) {
      this.#stepping = false;
      return;
    }
    this.#left--;
    this.#resumed++;
    item.queued = false;
    try {
      item.resume();
    } catch (error) {
      raiseUncaught(error);
    }
    // Only now: a runnable that queued itself must not have asked for the next step before the time was looked at.
    this.#stepping = false;
    if (performance.now() >= this.#until) this.#left = 0;
    if (this.#queue.length > 0) this.#proceed();
    else if (this.#busy) this.#rest();
  };

  #rest(): void {
    this.#busy = false;
    this.#parker.owe();
  }
}
