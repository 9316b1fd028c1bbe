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
  readonly threadId: number;
  readonly exited: Promise<void>;
  /** What it died of, if it was an error. */
  error: Error | null = null;
  /** Null while it lives. */
  exitCode: number | null = null;

  constructor(worker: Worker) {
    this.worker = worker;
    this.threadId = worker.threadId;
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
  readonly #threads = new Map<Worker, WatchedThread>();

  constructor(pool: Piscina) {
    this.#pool = pool;
    this.#look();
    // Between them no thread is missed: one that comes up gets no task before, one that never does ends.
    pool.on('workerCreate', () => this.#look());
    pool.on('workerDestroy', () => this.#look());
  }

  /** Null: no thread of the pool. */
  find(threadId: number): WatchedThread | null {
    for (const thread of this.#threads.values()) if (thread.threadId === threadId) return thread;
    return null;
  }

  /** Resolves when every thread the pool has given up is gone. */
  async leaversGone(): Promise<void> {
    this.#look();
    const kept = new Set(this.#pool.threads);
    await allExited([...this.#threads.values()].filter((thread) => !kept.has(thread.worker)));
  }

  /** Resolves when no thread is left, nor what belonged to one. */
  async allGone(): Promise<void> {
    await allExited([...this.#threads.values()]);
    // Closed ports go at the end of a turn of the event loop, and a first immediate may come before the end of
    // the turn that closed them.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }

  #look(): void {
    for (const worker of this.#pool.threads) {
      if (worker.threadId < 0 || this.#threads.has(worker)) continue;
      this.#threads.set(worker, new WatchedThread(worker));
    }
    const dead = [...this.#threads].filter(([, thread]) => thread.exitCode !== null);
    for (const [worker] of dead.slice(0, -REMEMBERED_DEAD)) this.#threads.delete(worker);
  }
}

async function allExited(threads: readonly WatchedThread[]): Promise<void> {
  await Promise.all(threads.map((thread) => thread.exited));
}
