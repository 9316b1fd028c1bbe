/**
 * client-go's rate limiter: a bucket of `burst` tokens that fills with `qps` tokens a second.
 *
 * Who finds no token may reserve the next one: then the level goes below zero, and the place in the line is the time
 * until it is back. So reservations are served in the order they came, and nobody who only looks (`tryTake`) gets
 * ahead of them.
 */
import type { Clock } from '../sync/index.js';
import { StatusError } from './errors.js';

export interface TokenBucketOptions {
  /** Tokens a second. Infinity, or nothing above 0: no limit, as client-go has it for a negative one. */
  readonly qps: number;
  /** Tokens at once. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Times are rounded: who waited until the next token must find it. */
const A_TOKEN = 1 - 1e-9;

export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #level: number;
  #asOf: number;

  constructor({ qps, burst, clock }: TokenBucketOptions) {
    if (Number.isNaN(qps)) throw badOption('qps', 'a number', qps);
    const isLimited = qps > 0 && qps !== Infinity;
    if (isLimited && !(burst >= 1)) throw badOption('burst', '1 or more', burst);
    this.#perMs = isLimited ? qps / 1000 : Infinity;
    this.#burst = burst;
    this.#clock = clock;
    this.#level = burst;
    this.#asOf = clock.now();
  }

  tryTake(): boolean {
    if (this.#perMs === Infinity) return true;
    this.#fill();
    if (this.#level < A_TOKEN) return false;
    this.#level--;
    return true;
  }

  /** Takes the next token there will be. Rejects with the signal's reason; the token is given back then. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.tryTake()) return;
    const ms = this.msUntilNext();
    this.#level--;
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        timer.stop();
        this.giveBack();
        reject(signal!.reason as Error);
      };
      const timer = this.#clock.setTimer(this.#clock.now() + ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** A token that was taken for nothing. */
  giveBack(): void {
    if (this.#perMs === Infinity) return;
    this.#fill();
    this.#level = Math.min(this.#burst, this.#level + 1);
  }

  /** How long until `tryTake` can succeed, if nobody else takes. */
  msUntilNext(): number {
    if (this.#perMs === Infinity) return 0;
    this.#fill();
    return Math.max(0, (1 - this.#level) / this.#perMs);
  }

  #fill(): void {
    const now = this.#clock.now();
    // A clock that was set back takes no tokens away.
    const passed = Math.max(0, now - this.#asOf);
    this.#level = Math.min(this.#burst, this.#level + passed * this.#perMs);
    this.#asOf = now;
  }
}

function badOption(name: string, wanted: string, got: unknown): StatusError {
  return new StatusError('ERR_BAD_OPTION', `${name} must be ${wanted}, got ${String(got)}`);
}
