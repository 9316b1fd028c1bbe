/**
 * What may end a request early: its time, or its caller.
 *
 * One for the whole request, whatever it goes through: waiting for credentials, for a connection, for an answer, and
 * all that a second time after a 401. Whoever works on the request at the moment is told through `onEnd`, once.
 */
import { setMaxListeners } from 'node:events';

export class Deadline {
  /** Called with the reason when the request must end. Replaced by each step. */
  onEnd: ((reason: unknown) => void) | null = null;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onAbort = (): void => this.onEnd?.(this.#signal?.reason);

  /** Throws the signal's reason if it is aborted already. `ms` 0 is no limit. */
  constructor(ms: number, expired: () => Error, signal?: AbortSignal) {
    signal?.throwIfAborted();
    this.#signal = signal;
    if (signal !== undefined) {
      // One signal for many requests is no leak, and Node 20 would warn of one at the eleventh.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (ms > 0) this.#timer = setTimeout(() => this.onEnd?.(expired()), ms);
  }

  /** What `work` gives, unless the request must end before. `work` itself goes on. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onEnd = reject;
      work.then(resolve, reject);
    });
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.onEnd = null;
  }
}
