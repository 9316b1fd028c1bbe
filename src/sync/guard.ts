/** Guards for `using`: the lock is given back when the block ends, however it ends. */
export class Guard implements Disposable {
  #release: (() => void) | null;

  constructor(release: () => void) {
    this.#release = release;
  }

  /** Gives the lock back early; the end of the block then does nothing. */
  release(): void {
    const release = this.#release;
    this.#release = null;
    release?.();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** What a Cond needs of a lock. */
export interface Locker {
  lock(): void;
  lockAsync(): Promise<void>;
  unlock(): void;
}
