/**
 * Timer, Ticker and after: Go's, on any clock.
 *
 * Their channels have room for one time and nobody waits to send: a tick that finds the last one still there is
 * dropped. After `stop` or `reset` returns no value of before is left in the channel (Go 1.23's promise).
 */
import { Chan } from './chan.js';
import { type Clock, type TimerHandle, checkTime } from './clock.js';
import { SyncError, nonPositiveInterval } from './errors.js';
import { go } from './goroutine.js';

/** Sends the time if there is room. False: somebody disposed of the channel. */
function tell(c: Chan<number>, now: number): boolean {
  try {
    c.trySend(now);
    return true;
  } catch (error) {
    if (error instanceof SyncError && error.code === 'ERR_STALE_HANDLE') return false;
    throw error;
  }
}

/** True: there was one. */
function drain(c: Chan<number>): boolean {
  return c.tryRecv() !== undefined;
}

export class Timer {
  /** Receives the time when the timer fires; the nil channel for Timer.func. */
  readonly c: Chan<number>;
  readonly #clock: Clock;
  readonly #fire: () => void;
  #handle: TimerHandle;

  constructor(clock: Clock, ms: number, fn?: () => unknown) {
    checkTime('ms', ms);
    this.#clock = clock;
    const c = fn === undefined ? new Chan<number>(1, { elem: 'number' }) : Chan.nil<number>();
    this.c = c;
    this.#fire = fn === undefined ? () => void tell(c, clock.now()) : () => void go(fn);
    this.#handle = clock.setTimer(clock.now() + ms, this.#fire);
  }

  /** Runs `fn` as a goroutine of this thread after `ms`. */
  static func(clock: Clock, ms: number, fn: () => unknown): Timer {
    return new Timer(clock, ms, fn);
  }

  /** True: it was running, or had fired and nobody has received the time; nobody will now. */
  stop(): boolean {
    const stopped = this.#handle.stop();
    return drain(this.c) || stopped;
  }

  /** Starts anew; true as for stop(). */
  reset(ms: number): boolean {
    checkTime('ms', ms);
    const stopped = this.stop();
    this.#handle = this.#clock.setTimer(this.#clock.now() + ms, this.#fire);
    return stopped;
  }
}

/** A channel that receives the time once, after `ms`. */
export function after(clock: Clock, ms: number): Chan<number> {
  return new Timer(clock, ms).c;
}

export class Ticker {
  readonly c = new Chan<number>(1, { elem: 'number' });
  readonly #clock: Clock;
  #period: number;
  #due: number;
  #handle: TimerHandle;

  constructor(clock: Clock, period: number) {
    checkPeriod(period, 'NewTicker');
    this.#clock = clock;
    this.#period = period;
    this.#due = clock.now() + period;
    this.#handle = clock.setTimer(this.#due, this.#tick);
  }

  /** No tick comes after this; the channel is not closed. */
  stop(): void {
    this.#handle.stop();
    drain(this.c);
  }

  /** The next tick comes after `period`, and so on. */
  reset(period: number): void {
    checkPeriod(period, 'Ticker.Reset');
    this.stop();
    this.#period = period;
    this.#due = this.#clock.now() + period;
    this.#handle = this.#clock.setTimer(this.#due, this.#tick);
  }

  #tick = (): void => {
    const now = this.#clock.now();
    if (!tell(this.c, now)) return;
    // In step with the first tick; those that are late already are left out.
    this.#due += this.#period * (1 + Math.max(0, Math.floor((now - this.#due) / this.#period)));
    this.#handle = this.#clock.setTimer(this.#due, this.#tick);
  };
}

function checkPeriod(period: number, what: 'NewTicker' | 'Ticker.Reset'): void {
  checkTime('period', period);
  if (period <= 0) throw nonPositiveInterval(what);
}
