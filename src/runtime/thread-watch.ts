/**
 * The worker threads of a pool, by thread id, each with how it ended.
 *
 * The pool forgets a thread when it decides to end it, and a dead Worker's id reads -1. So every thread is noted
 * as soon as the pool has it, under the id it has then. The last dead ones stay known: a thread's exit may overtake
 * the message in which it says who it is.
 */
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';

const REMEMBERED_DEAD = 256;

export class WatchedThread {
  readonly worker: Worker;
  readonly exited: Promise<void>;
  /** What it died of, if it was an error. */
  error: Error | null = null;
  /** Null while it lives. */
  exitCode: number | null = null;

  constructor(worker: Worker) {
    this.worker = worker;
    worker.once('error', (error: unknown) => {
      // What cannot be cloned arrives as text.
      this.error = error instanceof Error ? error : new Error(String(error));
    });
    this.exited = new Promise((resolve) => {
      worker.once('exit', (code: number) => {
        this.exitCode = code;
        resolve();
      });
    });
  }
}

export class ThreadWatch {
  readonly #pool: Piscina;
  readonly #byId = new Map<number, WatchedThread>();

  constructor(pool: Piscina) {
    this.#pool = pool;
    this.#look();
    // Also emitted for a thread that was replaced, before it gets a task.
    pool.on('workerCreate', () => this.#look());
  }

  /** Null: no thread of the pool. */
  find(threadId: number): WatchedThread | null {
    return this.#byId.get(threadId) ?? null;
  }

  /** Resolves when every thread the pool has given up is gone. */
  async leaversGone(): Promise<void> {
    const kept = new Set(this.#pool.threads);
    const leavers = [...this.#byId.values()].filter((thread) => !kept.has(thread.worker));
    await Promise.all(leavers.map((thread) => thread.exited));
  }

  /** Resolves when no thread is left. */
  async allGone(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((thread) => thread.exited));
  }

  #look(): void {
    for (const worker of this.#pool.threads) {
      const { threadId } = worker;
      if (threadId < 0 || this.#byId.has(threadId)) continue;
      this.#byId.set(threadId, new WatchedThread(worker));
    }
    const dead = [...this.#byId].filter(([, thread]) => thread.exitCode !== null);
    for (const [id] of dead.slice(0, -REMEMBERED_DEAD)) this.#byId.delete(id);
  }
}
