/**
 * Clocks: what time it is, and timers. Everything that waits takes one, so that tests can bring their own time.
 *
 * Times are milliseconds. The real clock counts them from 1970, goes steadily whatever happens to the wall
 * clock, and reads the same on every thread of the process. A set timer keeps its thread's event loop alive.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { SyncError } from './errors.js';
import type { Handle } from './handle.js';
import { TimerHeap, type TimerHandle, type TimerSource, threadTimers } from './timer-heap.js';

export type { TimerHandle } from './timer-heap.js';
export type ClockHandle = Handle<'clock'>;

export interface Clock {
  now(): number;
  /** Calls `fire` on this thread at time `at`, or as soon as possible after it; never from within setTimer. */
  setTimer(at: number, fire: () => void): TimerHandle;
  /** How the clock travels; the real one is everywhere already, any other without it stays on its thread. */
  handle?(): ClockHandle;
}

const ENVIRONMENT_KEY = 'podloom.epoch';
/** The longest delay setTimeout takes. */
const MAX_DELAY = 2 ** 31 - 1;

class RealClock implements Clock, TimerSource {
  readonly #offset = steadyOffset();
  readonly #heap = new TimerHeap(() => this.#rearm());
  #timeout: NodeJS.Timeout | null = null;
  #armedFor = Infinity;
  #known = false;

  now(): number {
    return performance.now() + this.#offset;
  }

  setTimer(at: number, fire: () => void): TimerHandle {
    checkTime('at', at);
    if (!this.#known) {
      this.#known = true;
      threadTimers().add(this);
    }
    return this.#heap.add(at, fire);
  }

  runDue(): number {
    this.#heap.runUntil(this.now());
    return Math.max(0, this.#heap.nextDue - this.now());
  }

  /** One timeout for the first timer. It may be too early once that was stopped, which is cheaper than moving it. */
  #rearm(): void {
    const next = this.#heap.nextDue;
    if (next === Infinity) {
      if (this.#timeout !== null) clearTimeout(this.#timeout);
      this.#timeout = null;
      this.#armedFor = Infinity;
    } else if (this.#timeout === null || next < this.#armedFor) {
      if (this.#timeout !== null) clearTimeout(this.#timeout);
      this.#armedFor = next;
      const delay = Math.min(MAX_DELAY, Math.max(0, Math.ceil(next - this.now())));
      this.#timeout = setTimeout(this.#onTimeout, delay);
    }
  }

  #onTimeout = (): void => {
    this.#timeout = null;
    this.#armedFor = Infinity;
    this.#heap.runUntil(this.now());
    this.#rearm();
  };
}

/** What to add to this thread's performance.now(), which starts at zero with the thread. */
function steadyOffset(): number {
  const [seconds, nanoseconds] = process.hrtime();
  const sinceBoot = seconds * 1e3 + nanoseconds / 1e6;
  const toSinceBoot = sinceBoot - performance.now();
  let boot = getEnvironmentData(ENVIRONMENT_KEY);
  if (typeof boot !== 'number') {
    boot = Date.now() - sinceBoot;
    setEnvironmentData(ENVIRONMENT_KEY, boot);
  }
  return boot + toSinceBoot;
}

export const realClock: Clock = new RealClock();

/** Door check for times and durations. */
export function checkTime(what: string, ms: number): void {
  if (typeof ms !== 'number' || Number.isNaN(ms)) {
    throw new SyncError('ERR_BAD_TIME', `${what} must be a number of milliseconds, got ${String(ms)}`);
  }
}
