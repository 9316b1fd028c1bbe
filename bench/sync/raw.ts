/**
 * What the hardware and the runtime cost without podloom: the other side of every ratio.
 *
 * Waiting belongs to one file of src/; here it is done by hand on purpose.
 */
import type { Loop } from '../measure.js';

/** A compare-and-swap there and one back: the least a lock and an unlock can be. */
export function casPair(): Loop {
  const words = new Int32Array(new SharedArrayBuffer(64));
  return (times) => {
    for (let i = 0; i < times; i++) {
      Atomics.compareExchange(words, 4, 0, 1);
      Atomics.compareExchange(words, 4, 1, 0);
    }
  };
}

/** Two threads that wait for each other by turns, each on its own word. */
export class RawTurns {
  readonly words: Int32Array;
  readonly #mine: number;
  readonly #theirs: number;
  #seen = 0;

  constructor(memory: SharedArrayBuffer, side: 0 | 1) {
    this.words = new Int32Array(memory);
    this.#mine = side * 16;
    this.#theirs = 16 - this.#mine;
  }

  signal(): void {
    Atomics.add(this.words, this.#theirs, 1);
    Atomics.notify(this.words, this.#theirs);
  }

  wait(): void {
    Atomics.wait(this.words, this.#mine, this.#seen);
    this.#seen++;
  }

  async waitAsync(): Promise<void> {
    const wait = Atomics.waitAsync(this.words, this.#mine, this.#seen);
    if (wait.async) await wait.value;
    this.#seen++;
  }
}
