/** afterFunc: a function that runs when a context has ended. */
import type { CancelContext, Child } from './cancel-context.js';
import type { Context } from './context.js';
import { nilDereference } from './errors.js';
import { go } from './goroutine.js';
import { parker } from './parker.js';

class AfterFunc implements Child {
  readonly #fn: () => unknown;
  readonly #above: CancelContext | null;
  #waits = true;

  constructor(above: CancelContext | null, fn: () => unknown) {
    this.#above = above;
    this.#fn = fn;
  }

  end(): void {
    if (!this.#waits) return;
    this.#waits = false;
    go(this.#fn);
  }

  stop(): boolean {
    if (!this.#waits) return false;
    this.#waits = false;
    this.#above?.release(this);
    return true;
  }

  markPolled(): void {}
}

/**
 * Runs `fn` as a goroutine of this thread when the context has ended. `stop` is true for one call, and only if
 * `fn` will never run. Waiting for it does not keep the event loop alive.
 */
export function afterFunc(ctx: Context, fn: () => unknown): () => boolean {
  const given: Context | null | undefined = ctx;
  if (given === null || given === undefined) throw nilDereference();
  const { core } = given;
  const waiting = new AfterFunc(core, fn);
  if (core !== null) {
    parker().hostGoroutines();
    if (core.outcome() !== null) waiting.end();
    else core.adopt(waiting);
  }
  return () => waiting.stop();
}
