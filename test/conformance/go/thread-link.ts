/**
 * The driver's end of a worker thread: started once, told what to do through a channel without a buffer.
 *
 * Without a buffer, because then a message that was taken was taken by a thread that slept at the channel, and
 * giving it to a sleeper is what the count of pending work knows of. A busy thread takes nothing.
 */
import { Worker } from 'node:worker_threads';
import { Chan, type ChanHandle, settled } from '../../../src/sync/index.js';
import type { Command } from './crew.js';
import type { GoOp } from './format.js';
import { forgetThread } from './forget-thread.js';
import type { Description, Form, PlainHandle } from './objects.js';
import type { Report } from './world.js';

export type Message =
  | { readonly is: 'hello' }
  /** A new case; what is left of the last one is dropped. */
  | {
      readonly is: 'open';
      readonly objects: readonly Description[];
      /** The scripted goroutines of a thread that hosts many. */
      readonly routines: readonly string[];
      /** Where goroutines made by the library are to run, by name. */
      readonly threads: Readonly<Record<string, PlainHandle>>;
    }
  | ({ readonly is: 'start' } & Command)
  | { readonly is: 'go'; readonly op: GoOp; readonly step: number };

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

  private constructor(data: Omit<ThreadData, 'control'>, onLost: (why: string) => void) {
    this.#worker = new Worker(ENTRY, {
      workerData: { ...data, control: this.#control.handle() } satisfies ThreadData,
    });
    this.#threadId = this.#worker.threadId;
    this.#worker.on('error', (error) => onLost(`a thread died: ${error.stack ?? error.message}`));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        if (!this.#ending) onLost(`a thread ended by itself with code ${code}`);
        forgetThread(this.#threadId);
        resolve();
      });
    });
  }

  /** Resolves when the thread sleeps at its channel. */
  static async start(
    data: { readonly form: Form; readonly results: Chan<Report>; readonly counters: Int32Array },
    onLost: (why: string) => void,
  ): Promise<ThreadLink> {
    const link = new ThreadLink({ ...data, results: data.results.handle() }, onLost);
    await link.#control.sendAsync({ is: 'hello' });
    // It took the first one while it was running; one it takes asleep shows that it came back, and is counted.
    while (!link.#control.trySend({ is: 'hello' })) await new Promise(setImmediate);
    await settled();
    return link;
  }

  /** How other threads reach it. */
  get handle(): PlainHandle {
    const { memory: _, ...handle } = this.#control.handle();
    return { ...handle };
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
