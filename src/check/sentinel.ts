/**
 * The sentinel: a tiny thread that notices when another one dies, and sweeps after it.
 *
 * Main cannot do it: main may be waiting, blocked, for the very lock the dead thread held. So every watched
 * thread holds one end of a life line, a message port; the sentinel holds the other. The end of a thread closes
 * its ports, whatever it died of, and the port's `close` comes after everything the thread had sent.
 *
 *   main:    const line = sentinel.lifeline();
 *            new Worker(url, { workerData: { line }, transferList: [line] });
 *   worker:  holdLifeline(workerData.line);
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { PodloomError, type WireError, fromWireError } from '../observe/errors.js';
import { parker } from '../sync/parker.js';

/** What the sentinel reports of each death. */
export interface Death {
  readonly slot: number;
  readonly incarnation: number;
  /** Ranked locks it held. */
  readonly abandoned: number;
  /** Places in queues it stood at. */
  readonly places: number;
}

export type SentinelReport =
  { readonly ready: true } | { readonly death: Death } | { readonly failed: WireError };
/** The sentinel's other end sends this once; without it there is nothing to sweep. */
export interface LifelineHello {
  readonly slot: number;
  readonly incarnation: number;
}

const held: MessagePort[] = [];

/** In the watched thread, before it takes any lock: keeps the line until the thread ends. */
export function holdLifeline(line: MessagePort): void {
  const { slot, incarnation } = parker();
  line.postMessage({ slot, incarnation } satisfies LifelineHello);
  line.unref();
  held.push(line);
}

export class Sentinel {
  readonly #worker: Worker;
  readonly #listeners = new Set<(death: Death) => void>();

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (report: SentinelReport) => {
      if ('death' in report) for (const listener of [...this.#listeners]) listener(report.death);
      if ('failed' in report) throw fromWireError(report.failed);
    });
    // After the listener, which takes a hold of its own.
    worker.unref();
  }

  /** Resolves when the sentinel is on watch. It does not keep the process alive. */
  static async start(): Promise<Sentinel> {
    parker();
    const worker = new Worker(new URL('../../workers/sentinel.js', import.meta.url), {
      name: 'podloom-sentinel',
      // Not the program's: it needs none of them, and some forbid a thread of its own.
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      const died = (code: number): void =>
        reject(
          new PodloomError('ERR_SENTINEL_DIED', `the sentinel ended with code ${code} before it was ready`),
        );
      worker.once('exit', died);
      worker.once('error', reject);
      worker.once('message', () => {
        worker.off('exit', died);
        worker.off('error', reject);
        resolve();
      });
    });
    return new Sentinel(worker);
  }

  /** A line for one new thread: transfer it there and call holdLifeline with it. */
  lifeline(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.watch(port2);
    return port1;
  }

  /** Watches a line whose other end a thread holds already. */
  watch(line: MessagePort): void {
    this.#worker.postMessage(line, [line]);
  }

  onDeath(listener: (death: Death) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** From here on nobody sweeps after the dead. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
