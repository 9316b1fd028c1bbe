/**
 * `--threads each`: a dedicated thread a goroutine, blocking forms.
 *
 * A blocked thread cannot run what the library starts on it. So `go` is done here as Go does it inside: add(1), a
 * goroutine elsewhere, done(); the goroutine has a dedicated thread of its own. And functions given to afterFunc
 * are registered on one thread that hosts goroutines and never blocks.
 *
 * Threads are kept between cases. One that sleeps where nobody can wake it (a nil channel, an empty select) is
 * terminated, and a fresh one takes its place.
 */
import { type GoCase, type Op, allOps } from './format.js';
import type { ThreadLink } from './thread-link.js';
import { type Opening, ThreadsCrew } from './threads-crew.js';
import type { MadeContext } from './world.js';

export class DedicatedCrew extends ThreadsCrew {
  readonly #idle: ThreadLink[] = [];
  readonly #coming = new Set<Promise<void>>();
  /** Who plays whom in this case. */
  readonly #cast = new Map<string, ThreadLink>();
  /** Contexts made so far, and how many of them each thread knows. */
  #contexts: MadeContext[] = [];
  readonly #told = new Map<ThreadLink, number>();
  #host: ThreadLink | null = null;
  #hostIsOn = false;

  protected async assemble(vector: GoCase, opening: Opening): Promise<void> {
    const names = Array.from({ length: vector.goroutines }, (_, i) => `g${i}`);
    const threads: Record<string, ThreadLink['handle']> = {};
    this.#contexts = [];
    this.#told.clear();
    this.#hostIsOn = false;
    for (const op of allOps(vector)) {
      if (op.op === 'go') names.push(op.as);
      if (op.op !== 'afterFunc') continue;
      this.#host ??= this.newThread('async');
      await this.#host.ready;
      this.#hostIsOn = true;
      threads[op.as] = this.#host.handle;
    }
    for (let i = this.#idle.length + this.#coming.size; i < names.length; i++) this.#add();
    while (this.#idle.length < names.length) await Promise.race(this.#coming);
    for (const name of names) {
      const thread = this.#idle.pop() as ThreadLink;
      this.#cast.set(name, thread);
      threads[name] = thread.handle;
    }
    const message = { ...opening, routines: [], threads };
    for (const thread of this.#cast.values()) thread.tell(message);
    if (this.#hostIsOn) this.#host?.tell(message);
  }

  #add(): void {
    const thread = this.newThread('blocking');
    const coming = thread.ready.then(() => {
      this.#coming.delete(coming);
      this.#idle.push(thread);
    });
    coming.catch(() => undefined);
    this.#coming.add(coming);
  }

  protected start(op: Op, g: string, step: number): void {
    const thread = this.#cast.get(g);
    if (thread === undefined) throw new Error(`no goroutine ${g}`);
    const contexts = this.#contexts.slice(this.#told.get(thread) ?? 0);
    this.#told.set(thread, this.#contexts.length);
    thread.tell({ is: 'start', op, g, step, contexts });
  }

  /** The others hear of them with their next step: until then they may be blocked. */
  protected tellOf(contexts: readonly MadeContext[]): void {
    this.#contexts.push(...contexts);
    if (this.#hostIsOn) this.#host?.tell({ is: 'learn', contexts });
  }

  protected disband(): void {
    for (const thread of this.#cast.values()) {
      if (thread.tryTell({ is: 'hello' })) {
        this.#idle.push(thread);
      } else {
        this.#add();
        void this.endThread(thread);
      }
    }
    this.#cast.clear();
  }
}
