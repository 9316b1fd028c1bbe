/**
 * A worker thread that runs functions of a test's worker module one at a time, on request.
 *
 * The module calls `serve` with its table of functions; the test calls them by name. A request is answered when
 * what the function returned has resolved, or, for one that blocks the thread, when it has returned.
 */
import { once } from 'node:events';
import { Worker, parentPort } from 'node:worker_threads';
import { arena } from '../../src/sync/index.js';

type Function_ = (...args: never[]) => unknown;
interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
}

export function serve(functions: Readonly<Record<string, Function_>>): void {
  parentPort?.on('message', ({ id, name, args }: { id: number; name: string; args: never[] }) => {
    void (async () => {
      let answer: Answer;
      try {
        answer = { id, value: await functions[name](...args) };
      } catch (error) {
        const { message, code } = error as Error & { code?: string };
        answer = { id, error: { message, code } };
      }
      parentPort?.postMessage(answer);
    })();
  });
}

export class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;

  constructor(module: URL) {
    // Made here, so that the thread inherits it whatever it does first.
    arena();
    this.#worker = new Worker(module);
    this.#worker.on('message', ({ id, value, error }: Answer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(Object.assign(new Error(error.message), { code: error.code }));
    });
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread has ended')));
  }

  call<T = unknown>(name: string, ...args: unknown[]): Promise<T> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, name, args });
    return answer as Promise<T>;
  }

  async end(): Promise<void> {
    const ended = once(this.#worker, 'exit');
    this.#waiting.clear();
    await this.#worker.terminate();
    await ended;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
