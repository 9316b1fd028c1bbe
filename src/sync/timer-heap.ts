/**
 * Timers of one thread: a heap a clock, and what the thread's parker has to know of all of them.
 *
 * A timer fires or is stopped, never both; `stop` answers true to exactly one of those who stop it, and only if it
 * will not fire. Timers due at one instant fire in the order they were set. What fires runs on the thread that
 * set the timer: from its event loop, or inside the call that blocks it.
 */
import { Thread } from './layout.js';
import { type Parker, type TimerService, parker } from './parker.js';

export interface TimerHandle {
  /** True: the timer was set and will not fire. */
  stop(): boolean;
}

class Entry implements TimerHandle {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
  readonly #heap: TimerHeap;
  /** Place in the heap, -1 = not in it. */
  index = -1;
  /** Neither fired nor stopped. */
  isSet = true;

  constructor(heap: TimerHeap, at: number, order: number, fire: () => void) {
    this.#heap = heap;
    this.at = at;
    this.order = order;
    this.fire = fire;
  }

  stop(): boolean {
    if (!this.isSet) return false;
    this.#heap.drop(this);
    return true;
  }

  isBefore(other: Entry): boolean {
    return this.at < other.at || (this.at === other.at && this.order < other.order);
  }
}

export class TimerHeap {
  readonly #entries: Entry[] = [];
  readonly #changed: () => void;
  #lastOrder = 0;

  /** `changed` is called whenever the first due time may be another one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** When the first timer is due; Infinity: there is none. */
  get nextDue(): number {
    return this.#entries.length === 0 ? Infinity : this.#entries[0].at;
  }

  add(at: number, fire: () => void): TimerHandle {
    const entry = new Entry(this, at, ++this.#lastOrder, fire);
    threadTimers().count(1);
    this.#entries.push(entry);
    this.#up(entry, this.#entries.length - 1);
    this.#changed();
    return entry;
  }

  /** Fires what is due at `now`; what that sets is left for the next time, due or not. */
  runUntil(now: number): void {
    if (this.nextDue > now) return;
    const due: Entry[] = [];
    while (this.nextDue <= now) {
      due.push(this.#entries[0]);
      this.#remove(this.#entries[0]);
    }
    for (const entry of due) {
      if (!entry.isSet) continue;
      this.#unset(entry);
      try {
        entry.fire();
      } catch (error) {
        // Whoever is in the middle of draining its wake-ups must get to the end; this crashes the thread next.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#changed();
  }

  drop(entry: Entry): void {
    this.#unset(entry);
    if (entry.index < 0) return;
    this.#remove(entry);
    this.#changed();
  }

  clear(): void {
    for (const entry of this.#entries.splice(0)) {
      entry.index = -1;
      this.#unset(entry);
    }
    this.#changed();
  }

  #unset(entry: Entry): void {
    entry.isSet = false;
    threadTimers().count(-1);
  }

  #remove(entry: Entry): void {
    const last = this.#entries.pop() as Entry;
    if (last !== entry) {
      this.#down(last, entry.index);
      this.#up(last, last.index);
    }
    entry.index = -1;
  }

  #up(entry: Entry, from: number): void {
    const entries = this.#entries;
    let index = from;
    while (index > 0) {
      const above = entries[(index - 1) >> 1];
      if (!entry.isBefore(above)) break;
      entries[index] = above;
      above.index = index;
      index = (index - 1) >> 1;
    }
    entries[index] = entry;
    entry.index = index;
  }

  #down(entry: Entry, from: number): void {
    const entries = this.#entries;
    let index = from;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && entries[child + 1].isBefore(entries[child])) child++;
      if (!entries[child].isBefore(entry)) break;
      entries[index] = entries[child];
      entries[index].index = index;
      index = child;
    }
    entries[index] = entry;
    entry.index = index;
  }
}

/** A clock's timers of this thread. */
export interface TimerSource {
  /** Fires what is due; ms of real time until the next one, Infinity if real time does not matter. */
  runDue(): number;
}

class ThreadTimers implements TimerService {
  readonly #mine: Parker = parker();
  readonly #sources = new Set<TimerSource>();
  #set = 0;

  constructor() {
    this.#mine.timers = this;
  }

  add(source: TimerSource): void {
    this.#sources.add(source);
  }

  remove(source: TimerSource): void {
    this.#sources.delete(source);
  }

  runDue(): number {
    let delay = Infinity;
    for (const source of this.#sources) delay = Math.min(delay, source.runDue());
    return delay;
  }

  /** The deadlock report looks at this: whoever sleeps may be woken by a timer. */
  count(delta: number): void {
    this.#set += delta;
    Atomics.store(this.#mine.words, this.#mine.record + Thread.timers, this.#set);
  }
}

let mine: ThreadTimers | null = null;

export function threadTimers(): ThreadTimers {
  return (mine ??= new ThreadTimers());
}
