/** A checkpoint file in memory, whose writes wait for the test and end as it says. */
import type { CheckpointFile } from '../../src/state/index.js';

interface Write {
  readonly content: string;
  finish(error?: Error): void;
}

export class FakeFile implements CheckpointFile {
  readonly path = '/state/fake';
  content: string | undefined;
  /** How many were started. */
  writes = 0;
  /** Whether writes wait for `next`. */
  held = false;
  readonly #started: Write[] = [];
  #waiting: ((write: Write) => void) | undefined;

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  sweep(): Promise<void> {
    return Promise.resolve();
  }

  read(): Promise<Buffer | undefined> {
    return Promise.resolve(this.content === undefined ? undefined : Buffer.from(this.content));
  }

  replace(content: string): Promise<void> {
    this.writes += 1;
    if (!this.held) {
      this.content = content;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const finish = (error?: Error): void => {
        if (error !== undefined) return reject(error);
        this.content = content;
        resolve();
      };
      const write = { content, finish };
      if (this.#waiting === undefined) this.#started.push(write);
      else this.#waiting(write);
      this.#waiting = undefined;
    });
  }

  /** The next write that has started. */
  next(): Promise<Write> {
    const started = this.#started.shift();
    if (started !== undefined) return Promise.resolve(started);
    return new Promise((resolve) => (this.#waiting = resolve));
  }
}
