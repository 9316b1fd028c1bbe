/**
 * `--threads N`: goroutines spread round robin over N threads, async forms, everything shared.
 *
 * What a goroutine registers with afterFunc is on its thread; another thread that stops it asks that one.
 */
import type { GoCase, Op } from './format.js';
import type { ThreadLink } from './thread-link.js';
import { type Opening, ThreadsCrew } from './threads-crew.js';
import type { MadeContext } from './world.js';

export class SpreadCrew extends ThreadsCrew {
  readonly #count: number;
  #threads: ThreadLink[] = [];

  constructor(count: number) {
    super();
    this.#count = count;
  }

  protected async assemble(vector: GoCase, opening: Opening): Promise<void> {
    if (this.#threads.length === 0) {
      this.#threads = Array.from({ length: this.#count }, () => this.newThread('async'));
      await Promise.all(this.#threads.map((thread) => thread.ready));
    }
    const names = Array.from({ length: vector.goroutines }, (_, i) => `g${i}`);
    const registrations = vector.steps.flatMap((step) =>
      step.op === 'afterFunc' ? [[step.as, this.#threadOf(step.g).handle]] : [],
    );
    const threads = Object.fromEntries(registrations) as Record<string, ThreadLink['handle']>;
    for (const thread of this.#threads) {
      const routines = names.filter((name) => this.#threadOf(name) === thread);
      thread.tell({ ...opening, routines, threads });
    }
  }

  #threadOf(g: string): ThreadLink {
    return this.#threads[Number(g.slice(1)) % this.#count];
  }

  protected start(op: Op, g: string, step: number): void {
    this.#threadOf(g).tell({ is: 'start', op, g, step, contexts: [] });
  }

  protected tellOf(contexts: readonly MadeContext[]): void {
    for (const thread of this.#threads) thread.tell({ is: 'learn', contexts });
  }

  /** Goroutines that sleep for ever are forgotten: the next case has new ones. */
  protected disband(): void {}
}
