/**
 * The driver's end of a worker thread: started once, told what to do through a channel without a buffer.
 *
 * Without a buffer, because then a message that was taken was taken by a thread that slept at the channel, and
 * giving it to a sleeper is what the count of pending work knows of. A busy thread takes nothing.
 */
import { Worker } from 'node:worker_threads';
import type { WireError } from '../../../src/observe/errors.js';
import { Chan, type ChanHandle, type ClockHandle, settled } from '../../../src/sync/index.js';
import type { Command } from './crew.js';
import type { AfterFuncOp, GoOp } from './format.js';
import { forgetThread } from './forget-thread.js';
import type { Description, Form } from './objects.js';
import { type Plain, toPlain } from './plain-handle.js';
import type { MadeContext, Report } from './world.js';

export type Message =
  | { readonly is: 'hello' }
  /** A new case; what is left of the last one is dropped. */
  | {
      readonly is: 'open';
      readonly objects: readonly Description[];
      /** The scripted goroutines of a thread that hosts many. */
      readonly routines: readonly string[];
      /** Where what the library starts or calls back is, by its name: see the crews. */
      readonly threads: Readonly<Record<string, Plain<ChanHandle>>>;
      /** Null: the real one. */
      readonly clock: Plain<ClockHandle> | null;
      readonly start: number;
    }
  | { readonly is: 'learn'; readonly contexts: readonly MadeContext[] }
  | ({ readonly is: 'start'; readonly contexts: readonly MadeContext[] } & Command)
  | { readonly is: 'go'; readonly op: GoOp; readonly step: number; readonly contexts: readonly MadeContext[] }
  /** Call it there, and say what it came to. */
  | { readonly is: 'afterFunc'; readonly op: AfterFuncOp; readonly step: number; readonly answer: Answer }
  | { readonly is: 'stop'; readonly name: string; readonly answer: Answer };

/** A channel for one {@link Answered}. */
export type Answer = Plain<ChanHandle>;
export type Answered = { readonly value: unknown } | { readonly thrown: WireError };

/** What a thread is given at its start. */
export interface ThreadData {
  readonly form: Form;
  readonly control: ChanHandle;
  readonly results: ChanHandle;
  readonly counters: Int32Array;
}

const ENTRY = new URL('./thread.js', import.meta.url);

export class ThreadLink {
  readonly #worker: Worker;
  readonly #control = new Chan<Message>();
  readonly #exited: Promise<void>;
  readonly #threadId: number;
  #ending = false;

  /** Resolves when the thread sleeps at its channel. */
  readonly ready: Promise<void>;

  constructor(
    data: { readonly form: Form; readonly results: Chan<Report>; readonly counters: Int32Array },
    onLost: (why: string) => void,
  ) {
    const workerData = { ...data, results: data.results.handle(), control: this.#control.handle() };
    this.#worker = new Worker(ENTRY, { workerData: workerData satisfies ThreadData });
    this.#threadId = this.#worker.threadId;
    this.#worker.on('error', (error) => onLost(`a thread died: ${error.stack ?? error.message}`));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        if (!this.#ending) onLost(`a thread ended by itself with code ${code}`);
        forgetThread(this.#threadId);
        resolve();
      });
    });
    this.ready = this.#greet();
    // A thread that is ended before it is ready stays unready; nobody waits for it any more.
    this.ready.catch(() => undefined);
  }

  async #greet(): Promise<void> {
    await this.#control.sendAsync({ is: 'hello' });
    // It took the first one while it was running; one it takes asleep shows that it came back, and is counted.
    while (!this.#control.trySend({ is: 'hello' })) await new Promise(setImmediate);
    await settled();
  }

  /** How other threads reach it. */
  get handle(): Plain<ChanHandle> {
    return toPlain(this.#control.handle());
  }

  /** False if the thread is inside something. */
  tryTell(message: Message): boolean {
    return this.#control.trySend(message);
  }

  tell(message: Message): void {
    if (!this.tryTell(message)) throw new Error(`a thread was told to ${message.is} while it was busy`);
  }

  async end(): Promise<void> {
    if (this.#ending) return this.#exited;
    this.#ending = true;
    await this.#worker.terminate();
    await this.#exited;
    this.#control.dispose();
  }
}
