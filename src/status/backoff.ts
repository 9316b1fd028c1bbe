/**
 * How long to leave a pod alone after its request failed: longer each time, up to a limit, and never the same for all.
 *
 * Pure: it says how long, somebody else waits. Only keys that failed since they last succeeded take memory.
 */
import { PodloomError } from '../observe/errors.js';

export interface BackoffOptions {
  /** The first delay. Default 500. */
  readonly initialMs?: number;
  /** The longest delay, before jitter. Default 30,000. */
  readonly maxMs?: number;
  /** What each delay is multiplied by for the next one. Default 2. */
  readonly factor?: number;
  /** How much longer a delay may get at random: 0.2 is up to a fifth. Default 0.2. */
  readonly jitter?: number;
  /** From 0 up to 1, exclusive. Default Math.random. */
  readonly random?: () => number;
}

export class Backoff {
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #factor: number;
  readonly #jitter: number;
  readonly #random: () => number;
  /** The next delay of each key that failed, without jitter. */
  readonly #next = new Map<string, number>();

  constructor(options: BackoffOptions = {}) {
    const { initialMs = 500, maxMs = 30_000, factor = 2, jitter = 0.2, random = Math.random } = options;
    this.#initialMs = atLeast('initialMs', 1, initialMs);
    this.#maxMs = atLeast('maxMs', initialMs, maxMs);
    this.#factor = atLeast('factor', 1, factor);
    this.#jitter = atLeast('jitter', 0, jitter);
    this.#random = random;
  }

  /** How many keys are backed off. */
  get size(): number {
    return this.#next.size;
  }

  /**
   * The delay after one more failure. `atLeastMs` is what the server asked for (Retry-After): the delay is never
   * shorter, and spread all the same, or everybody who was told the same would come back together.
   */
  fail(key: string, atLeastMs = 0): number {
    atLeast('atLeastMs', 0, atLeastMs);
    const base = this.#next.get(key) ?? this.#initialMs;
    this.#next.set(key, Math.min(this.#maxMs, base * this.#factor));
    return Math.max(base, atLeastMs) + base * this.#jitter * this.#random();
  }

  /** The next failure begins with the first delay again. */
  succeed(key: string): void {
    this.#next.delete(key);
  }

  /** The pod is gone. */
  delete(key: string): void {
    this.#next.delete(key);
  }
}

function atLeast(name: string, least: number, saw: number): number {
  if (typeof saw !== 'number' || !(saw >= least) || saw === Infinity) {
    throw new PodloomError(
      'ERR_BAD_OPTION',
      `${name} must be a finite number from ${least}, got ${String(saw)}`,
    );
  }
  return saw;
}
