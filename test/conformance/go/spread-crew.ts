/** `--threads N`: goroutines spread round robin over N threads, async forms, everything shared. */
import type { GoCase, Op } from './format.js';
import type { Description } from './objects.js';
import type { ThreadLink } from './thread-link.js';
import { ThreadsCrew } from './threads-crew.js';

export class SpreadCrew extends ThreadsCrew {
  readonly #count: number;
  #threads: ThreadLink[] = [];

  constructor(count: number) {
    super('async');
    this.#count = count;
  }

  protected async assemble(vector: GoCase, objects: readonly Description[]): Promise<void> {
    if (this.#threads.length === 0)
      this.#threads = await Promise.all(Array.from({ length: this.#count }, () => this.newThread()));
    const names = Array.from({ length: vector.goroutines }, (_, i) => `g${i}`);
    this.#threads.forEach((thread, index) => {
      const routines = names.filter((_, i) => i % this.#count === index);
      thread.tell({ is: 'open', objects, routines, threads: {} });
    });
  }

  protected start(op: Op, g: string, step: number): void {
    this.#threads[Number(g.slice(1)) % this.#count].tell({ is: 'start', op, g, step });
  }

  /** Goroutines that sleep for ever are forgotten: the next case has new ones. */
  protected disband(): void {}

  protected async endThreads(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end()));
  }
}
