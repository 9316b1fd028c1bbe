/**
 * How long a key that failed has to wait: longer each time in a row, up to a limit, with jitter so that many that
 * failed together do not come back together. Only keys that failed last are remembered.
 */
import { StatusError } from './errors.js';

export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  /** By how much the wait grows from one failure to the next. */
  readonly factor: number;
  /** A wait is this much longer at most, as a part of itself. */
  readonly jitter: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export class Backoff<K> {
  readonly #options: BackoffOptions;
  /** The next wait of each key, without jitter. */
  readonly #next = new Map<K, number>();

  constructor(options: BackoffOptions) {
    const { initialMs, maxMs } = options;
    if (!(initialMs >= 0 && maxMs >= initialMs)) {
      throw new StatusError(
        'ERR_BAD_OPTION',
        `backoff needs 0 <= initialMs <= maxMs, got ${String(initialMs)} and ${String(maxMs)}`,
      );
    }
    this.#options = options;
  }

  /** How many keys failed last. */
  get size(): number {
    return this.#next.size;
  }

  /** The wait after this failure in milliseconds; never less than what the other side asked for. */
  fail(key: K, atLeastMs = 0): number {
    const { initialMs, maxMs, factor, jitter, random } = this.#options;
    const wait = this.#next.get(key) ?? initialMs;
    this.#next.set(key, Math.min(maxMs, wait * factor));
    return Math.max(wait, atLeastMs) * (1 + jitter * random());
  }

  succeed(key: K): void {
    this.#next.delete(key);
  }
}
