/**
 * FakeClock: time for tests, the same on every thread, that moves only when told to.
 *
 * The time is a word in shared memory. Timers stay on the thread that set them; for each thread the clock has,
 * also in shared memory, when the first of them is due. `advance` goes from one due time to the next: it sets
 * the time, tells the threads with timers due then, and goes on when everything they set going has settled. So
 * timers fire in time order over all threads, and whatever one does is over before the next one.
 *
 * Advance from one thread only; a second call there waits for the first. A thread's entry in the table counts
 * only while that thread lives, so its slot may be used again. Dispose of the clock before you terminate a
 * thread that has timers on it: nobody can be waited for that is not there any more.
 */
import { release } from './codec.js';
import { type Clock, type ClockHandle, type TimerHandle, checkTime } from './clock.js';
import { SyncError, staleHandle } from './errors.js';
import { settled } from './goroutine.js';
import { fromHandle, toHandle } from './handle.js';
import {
  Block,
  ClockTable,
  ClockWord,
  Kind,
  MAX_THREADS,
  Signal,
  Thread,
  ThreadState,
  threadAt,
} from './layout.js';
import { SharedMonitor } from './shared-monitor.js';
import { type Parker, parker } from './parker.js';
import { TimerHeap, type TimerSource, threadTimers } from './timer-heap.js';

export interface FakeClockOptions {
  /** The time to start with. Default 0. */
  readonly now?: number;
}

/** This thread's clocks, by block: attaching twice gives the same one, with the same timers. */
const clocks = new Map<number, FakeClock>();

export class FakeClock implements Clock, TimerSource {
  readonly #mine: Parker;
  readonly #monitor: SharedMonitor;
  readonly #now: number;
  readonly #table: number;
  readonly #heap = new TimerHeap(() => this.#publish());
  #published = Infinity;
  /** The last advance asked for on this thread; the next one waits for it. */
  #advanced: Promise<void> = Promise.resolve();

  constructor(options: FakeClockOptions | SharedMonitor = {}) {
    this.#mine = parker();
    const attached = options instanceof SharedMonitor;
    const monitor = attached ? options : create(this.#mine, options.now ?? 0);
    this.#monitor = monitor;
    this.#now = (monitor.at + ClockWord.now) >> 1;
    this.#table = monitor.words[monitor.at + ClockWord.table] + Block.body;
    clocks.set(monitor.block, this);
    threadTimers().add(this);
    onExit();
  }

  static attach(handle: ClockHandle): FakeClock {
    const monitor = fromHandle('clock', handle);
    const known = clocks.get(monitor.block);
    return known !== undefined && known.#monitor.generation === monitor.generation
      ? known
      : new FakeClock(monitor);
  }

  handle(): ClockHandle {
    return toHandle('clock', this.#monitor);
  }

  now(): number {
    if (!this.#monitor.isLive()) throw staleHandle('clock');
    return this.#mine.arena.floats[this.#now];
  }

  setTimer(at: number, fire: () => void): TimerHandle {
    checkTime('at', at);
    const isDue = at <= this.now();
    this.#mine.listen();
    const timer = this.#heap.add(at, fire);
    if (isDue) this.#runSoon();
    return timer;
  }

  /** Moves time on by `ms`, firing every timer on the way. Resolves when the last one has settled. */
  async advance(ms: number): Promise<void> {
    checkTime('ms', ms);
    if (ms < 0 || ms === Infinity) {
      throw new SyncError('ERR_BAD_TIME', `time can only be advanced by 0 ms or more, got ${ms}`);
    }
    const mine = this.#advanced.then(() => this.#advance(ms));
    this.#advanced = mine.catch(() => undefined);
    return mine;
  }

  async #advance(ms: number): Promise<void> {
    const target = this.now() + ms;
    await settled();
    for (;;) {
      const { due, slots } = this.#nextDue();
      if (due > target) break;
      this.#setNow(due);
      for (const slot of slots) this.#mine.assign(slot, Signal.timers);
      await settled();
    }
    this.#setNow(target);
  }

  /** @internal */
  runDue(): number {
    if (!this.#monitor.isLive()) this.#drop();
    else this.#heap.runUntil(this.now());
    return Infinity;
  }

  /** Frees it. Timers that are still set, on any thread, are forgotten. */
  dispose(): void {
    const monitor = this.#monitor;
    this.#drop();
    monitor.lock();
    const isLive = monitor.isLive();
    const withTimers = isLive ? this.#entries() : [];
    if (isLive) {
      release(monitor.words[monitor.at + ClockWord.table]);
      monitor.dispose();
    }
    monitor.unlock();
    for (const { slot } of withTimers) this.#mine.assign(slot, Signal.timers);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #drop(): void {
    if (clocks.get(this.#monitor.block) === this) clocks.delete(this.#monitor.block);
    threadTimers().remove(this);
    this.#heap.clear();
  }

  /** A timer that is due already: nobody will advance the clock for it. */
  #runSoon(): void {
    this.#mine.assign(this.#mine.slot, Signal.timers);
    setImmediate(() => this.#mine.drain());
  }

  #setNow(time: number): void {
    const now = this.now();
    if (time > now) this.#mine.arena.floats[this.#now] = time;
  }

  /** Tells everybody when this thread's first timer is due, and keeps its event loop until then. */
  #publish(): void {
    const next = this.#heap.nextDue;
    if (next === this.#published) return;
    const mine = this.#mine;
    if (this.#published === Infinity) mine.hold();
    else if (next === Infinity) mine.unhold();
    this.#published = next;
    const monitor = this.#monitor;
    monitor.lock();
    if (monitor.isLive()) {
      mine.arena.floats[((this.#table + ClockTable.due) >> 1) + mine.slot] = next;
      mine.words[this.#table + ClockTable.incarnation + mine.slot] =
        mine.words[mine.record + Thread.incarnation];
    }
    monitor.unlock();
    let first = Infinity;
    for (const clock of clocks.values()) first = Math.min(first, clock.#published);
    mine.arena.floats[(mine.record + Thread.nextDue) >> 1] = first;
  }

  /** @internal The thread ends: its timers will never fire. */
  leave(): void {
    this.#heap.clear();
  }

  #nextDue(): { due: number; slots: number[] } {
    if (!this.#monitor.isLive()) throw staleHandle('clock');
    const entries = this.#entries();
    const due = Math.min(...entries.map((entry) => entry.due));
    return { due, slots: entries.filter((entry) => entry.due === due).map(({ slot }) => slot) };
  }

  /** The threads that have timers set, and when each one's first is due. */
  #entries(): { slot: number; due: number }[] {
    const { words, arena } = this.#mine;
    const entries: { slot: number; due: number }[] = [];
    for (let slot = 1; slot <= MAX_THREADS; slot++) {
      const record = threadAt(slot);
      if (Atomics.load(words, record + Thread.state) !== ThreadState.alive) continue;
      const whose = words[this.#table + ClockTable.incarnation + slot];
      if (whose !== words[record + Thread.incarnation]) continue;
      const due = arena.floats[((this.#table + ClockTable.due) >> 1) + slot];
      if (due !== Infinity) entries.push({ slot, due });
    }
    return entries;
  }
}

function create(mine: Parker, now: number): SharedMonitor {
  checkTime('now', now);
  const { arena, words, slot } = mine;
  const table = arena.allocPayload(ClockTable.words * 4, slot);
  words.fill(0, table + Block.body, table + Block.body + ClockTable.words);
  let monitor: SharedMonitor;
  try {
    monitor = SharedMonitor.create(Kind.clock);
  } catch (error) {
    release(table);
    throw error;
  }
  words[monitor.at + ClockWord.table] = table;
  arena.floats[(monitor.at + ClockWord.now) >> 1] = now;
  arena.publish(table);
  arena.publish(monitor.block);
  return monitor;
}

let exitWatched = false;

/** A thread that ends in an orderly way takes its timers with it; nobody must wait for them to fire. */
function onExit(): void {
  if (exitWatched) return;
  exitWatched = true;
  process.once('exit', () => {
    for (const clock of clocks.values()) clock.leave();
  });
}
