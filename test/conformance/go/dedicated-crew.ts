/**
 * `--threads each`: a dedicated thread a goroutine, blocking forms.
 *
 * A blocked thread cannot run what the library starts on it. So `go` is done here as Go does it inside: add(1), a
 * goroutine elsewhere, done(); the goroutine has a dedicated thread of its own.
 *
 * Threads are kept between cases. One that sleeps where nobody can wake it (a nil channel, an empty select) is
 * terminated, and a fresh one takes its place.
 */
import { type GoCase, type Op, allOps } from './format.js';
import type { Description } from './objects.js';
import type { ThreadLink } from './thread-link.js';
import { ThreadsCrew } from './threads-crew.js';

export class DedicatedCrew extends ThreadsCrew {
  #idle: ThreadLink[] = [];
  readonly #coming = new Set<Promise<void>>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #cast = new Map<string, ThreadLink>();

  constructor() {
    super('blocking');
  }

  protected async assemble(vector: GoCase, objects: readonly Description[]): Promise<void> {
    const names = Array.from({ length: vector.goroutines }, (_, i) => `g${i}`);
    for (const op of allOps(vector)) if (op.op === 'go') names.push(op.as);
    for (let i = this.#idle.length + this.#coming.size; i < names.length; i++) this.#add();
    while (this.#idle.length < names.length) await Promise.race(this.#coming);
    const threads: Record<string, ThreadLink['handle']> = {};
    for (const name of names) {
      const thread = this.#idle.pop() as ThreadLink;
      this.#cast.set(name, thread);
      threads[name] = thread.handle;
    }
    for (const thread of this.#cast.values()) thread.tell({ is: 'open', objects, routines: [], threads });
  }

  #add(): void {
    const coming = this.newThread().then((thread) => {
      this.#coming.delete(coming);
      this.#idle.push(thread);
    });
    this.#coming.add(coming);
  }

  protected start(op: Op, g: string, step: number): void {
    this.#cast.get(g)?.tell({ is: 'start', op, g, step });
  }

  protected disband(): void {
    for (const thread of this.#cast.values()) {
      if (thread.tryTell({ is: 'hello' })) {
        this.#idle.push(thread);
        continue;
      }
      this.#add();
      const leaving = thread.end().then(() => void this.#leaving.delete(leaving));
      this.#leaving.add(leaving);
    }
    this.#cast.clear();
  }

  protected async endThreads(): Promise<void> {
    await Promise.all(this.#coming);
    const threads = [...this.#cast.values(), ...this.#idle.splice(0)];
    this.#cast.clear();
    await Promise.all([...this.#leaving, ...threads.map((thread) => thread.end())]);
  }
}
