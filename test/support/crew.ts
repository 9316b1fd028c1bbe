/**
 * A few worker threads that run named functions of a module, for tests across threads.
 *
 * A task is an exported function `(args) => value | promise`; arguments and results travel by structured clone,
 * so handles may be among them. The threads are opened as dedicated, unless told otherwise: a task may block. They
 * are used again and again, because a thread costs tens of milliseconds and a place in the arena.
 */
import { Worker } from 'node:worker_threads';
import { RemoteError, type WireError } from '../../src/observe/errors.js';
import { arena } from '../../src/sync/index.js';

export interface CrewOrder {
  readonly id: number;
  readonly module: string;
  readonly task: string;
  readonly args: unknown;
}

export type CrewReport =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: WireError };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

class Member {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(dedicated: boolean) {
    this.#worker = new Worker(new URL('./crew-worker.js', import.meta.url), { workerData: { dedicated } });
    this.#worker.on('message', (report: CrewReport) => {
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if ('error' in report) waiting?.reject(new RemoteError(report.error));
      else waiting?.resolve(report.value);
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`the thread ended with code ${code}`)));
  }

  run(module: string, task: string, args: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, module, task, args } satisfies CrewOrder);
    });
  }

  async stop(): Promise<void> {
    this.#waiting.clear();
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

export class Crew {
  readonly #members: readonly Member[];
  readonly #module: string;

  /** `module` is the URL of the compiled file with the tasks. */
  constructor(size: number, module: URL, dedicated = true) {
    // Open before the threads start, so that they inherit it rather than make their own.
    arena();
    this.#members = Array.from({ length: size }, () => new Member(dedicated));
    this.#module = module.href;
  }

  get size(): number {
    return this.#members.length;
  }

  async run<T = void>(member: number, task: string, args?: unknown): Promise<T> {
    return (await this.#members[member].run(this.#module, task, args)) as T;
  }

  /** The same task on every thread, with the arguments made for each. */
  all<T = void>(task: string, args: (member: number) => unknown): Promise<T[]> {
    return Promise.all(this.#members.map((_, member) => this.run<T>(member, task, args(member))));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop()));
  }
}
