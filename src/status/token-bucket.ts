/**
 * A token bucket, as the one client-go limits requests with: `burst` tokens at most, `qps` new ones a second.
 *
 * Tokens are counted in fractions, so the rate is steady and not that of a window. Takers are served in the order in
 * which they came: while one waits, `tryTake` takes nothing. A taker that gives up leaves no gap, those behind it
 * move up. (client-go hands out times when it is asked, and cannot move them.)
 */
import { PodloomError } from '../observe/errors.js';
import { type Clock, type TimerHandle, realClock } from '../sync/clock.js';

export interface TokenBucketOptions {
  /** Tokens a second. 0, less, or Infinity: no limit. Default 50, the kubelet's. */
  readonly qps?: number;
  /** The most tokens that can be saved up. Default 100, the kubelet's. */
  readonly burst?: number;
  readonly clock?: Clock;
}

interface Waiter {
  readonly resolve: () => void;
}

/** Times are rounded: who waited until the next token must find it. */
const A_TOKEN = 1 - 1e-9;

export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  /** In order of arrival. Not empty only while there is less than one token. */
  readonly #waiting = new Set<Waiter>();
  #tokens: number;
  /** When `#tokens` was counted last. */
  #at: number;
  /** Set while somebody waits, for the moment of the next whole token. */
  #timer: TimerHandle | null = null;

  constructor({ qps = 50, burst = 100, clock = realClock }: TokenBucketOptions = {}) {
    if (typeof qps !== 'number' || Number.isNaN(qps)) throw badOption('qps', 'a number', qps);
    if (!Number.isInteger(burst) || burst < 1) throw badOption('burst', 'a whole number from 1', burst);
    this.#clock = clock;
    this.#perMs = qps > 0 ? qps / 1000 : Infinity;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = clock.now();
  }

  tryTake(): boolean {
    if (this.#perMs === Infinity) return true;
    this.#refill();
    if (this.#tokens < A_TOKEN || this.#waiting.size > 0) return false;
    this.#tokens--;
    return true;
  }

  /** Resolves when a token was taken. Rejects with the signal's reason, and then has taken none. */
  take(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.tryTake()) {
        resolve();
        return;
      }
      const giveUp = (): void => {
        this.#waiting.delete(waiter);
        if (this.#waiting.size === 0) this.#disarm();
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        resolve: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
      if (this.#timer === null) this.#arm();
    });
  }

  /** A token that was taken and not used. */
  giveBack(): void {
    if (this.#perMs === Infinity) return;
    this.#refill();
    this.#tokens++;
    this.#serve();
    // Only now: those who wait may have a claim to more than the burst leaves.
    this.#tokens = Math.min(this.#burst, this.#tokens);
  }

  /** How long until somebody who comes now gets a token, if those who wait stay. */
  msUntilNext(): number {
    if (this.#perMs === Infinity) return 0;
    this.#refill();
    return Math.max(0, (1 + this.#waiting.size - this.#tokens) / this.#perMs);
  }

  #refill(): void {
    const now = this.#clock.now();
    // A clock that was set back takes no tokens away.
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#perMs);
    this.#at = now;
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      if (this.#tokens < A_TOKEN) break;
      this.#tokens--;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
    this.#disarm();
    if (this.#waiting.size > 0) this.#arm();
  }

  #arm(): void {
    const due = this.#at + (1 - this.#tokens) / this.#perMs;
    this.#timer = this.#clock.setTimer(due, () => {
      this.#refill();
      // It is due now by definition; a token short of 1 by rounding would set the same timer again for ever.
      this.#tokens = Math.max(1, this.#tokens);
      this.#serve();
    });
  }

  #disarm(): void {
    this.#timer?.stop();
    this.#timer = null;
  }
}

function badOption(name: string, want: string, saw: unknown): PodloomError {
  return new PodloomError('ERR_BAD_OPTION', `${name} must be ${want}, got ${String(saw)}`);
}
