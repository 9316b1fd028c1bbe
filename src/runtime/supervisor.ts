/**
 * Keeps N host threads alive.
 *
 * Each place 0 … N-1 has one host at a time. A host that dies, of whatever, is replaced by the next incarnation of
 * its place: at once the first time, then after a growing pause as long as its hosts die young.
 *
 * Promises
 * - onHostUp and onHostDown alternate for each place. onHostDown comes when nothing more can come from that host:
 *   its mail was delivered, its calls have settled, its thread has exited. The next host of the place is launched
 *   only after it.
 * - start() resolves when every place has been ready once, or rejects with ERR_HOST_BOOT when one place failed to
 *   start `bootAttempts` times in a row; then nothing is left running. Later on a place never gives up.
 * - After stop() no thread, port or timer is left.
 *
 * piscina holds the threads and starts new ones for those that ended. It gets one task a thread, which lasts as
 * long as the thread. Two habits of it need care: it stops starting threads once one ended before it was up, and
 * then a queued task waits for ever, so such tasks are taken back and tried again (#rescue); and a thread whose
 * exit it sees after destroy() makes it start new ones, so leavers are waited for first.
 */
import { availableParallelism } from 'node:os';
import type { MessagePort, ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { parker } from '../sync/parker.js';
import { badOption, supervisorState } from './errors.js';
import type { Host } from './host.js';
import { type Backoff, Place, defaultBackoff } from './place.js';
import type { HostEnd } from './protocol.js';
import { ThreadWatch } from './thread-watch.js';

export interface SupervisorOptions {
  /** Number of host threads. Default: cores - 1, at least 1. */
  readonly threads?: number;
  /** Module whose main(env) each host runs (host-env.ts). */
  readonly hostModule: URL | string;
  /** Given to each host as env.data; copied. */
  readonly data?: unknown;
  /** Messages under way in each direction of a mailbox. */
  readonly credits?: number;
  readonly resourceLimits?: ResourceLimits;
  /** Node options of the threads instead of the process' own. */
  readonly execArgv?: readonly string[];
  readonly backoff?: Backoff;
  /** Failed starts of one place in a row after which start() gives up. Default 5. */
  readonly bootAttempts?: number;
  /** How long stop() waits for a host before it kills it. Default 5,000 ms. */
  readonly stopTimeoutMs?: number;
  /** Allows Host.fault(). */
  readonly faults?: boolean;
  /**
   * Gets, for each new thread, a port that closes when the thread ends, and the thread's parker slot; before the
   * host module runs. The thread says on it who it is (LifelineHello): hand it to Sentinel.watch. Whoever takes
   * the port closes it.
   */
  readonly lifeline?: (port: MessagePort, slot: number) => void;
  readonly onHostUp?: (host: Host) => void;
  readonly onHostDown?: (host: Host, end: HostEnd) => void;
  /** A host of place `index` ended before it was ready, the `failures`th in a row. */
  readonly onBootFailure?: (index: number, error: Error, failures: number) => void;
}

type State = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

const DEFAULT_BOOT_ATTEMPTS = 5;
const DEFAULT_STOP_TIMEOUT_MS = 5_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #threadCount: number;
  #state: State = 'new';
  #pool: Piscina | null = null;
  #watch: ThreadWatch | null = null;
  #places: Place[] = [];
  #stopped: Promise<void> | null = null;
  /** What the last thread without a task died of. */
  #idleThreadError: Error | null = null;
  /** Between two incarnations nothing else may keep the process. */
  #hold: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    if (!Number.isInteger(threads) || threads < 1 || threads > 128) {
      throw badOption('threads', 'an integer from 1 to 128', threads);
    }
    this.#options = options;
    this.#threadCount = threads;
  }

  /** The ready host of each place, null where there is none right now. */
  get hosts(): readonly (Host | null)[] {
    return this.#places.map((place) => place.host);
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw supervisorState('start', this.#state);
    this.#state = 'starting';
    const options = this.#options;
    // Before the threads exist: they inherit the arena this makes.
    parker();
    const pool = new Piscina({
      minThreads: this.#threadCount,
      maxThreads: this.#threadCount,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
      ...(options.resourceLimits === undefined ? {} : { resourceLimits: options.resourceLimits }),
      ...(options.execArgv === undefined ? {} : { execArgv: [...options.execArgv] }),
    });
    this.#pool = pool;
    this.#watch = new ThreadWatch(pool);
    this.#hold = setInterval(() => undefined, 0x7fff_ffff);
    // Every thread error ends a task, which reports it; the rest are threads that ended before they had one.
    pool.on('error', (error: Error) => void (this.#idleThreadError = error));
    pool.on('workerDestroy', () => this.#rescue());

    const attempts = options.bootAttempts ?? DEFAULT_BOOT_ATTEMPTS;
    const watch = this.#watch;
    this.#places = Array.from(
      { length: this.#threadCount },
      (_, index) =>
        new Place({
          pool,
          threads: watch,
          boot: {
            index,
            threads: this.#threadCount,
            hostModule: String(options.hostModule),
            data: options.data,
            faults: options.faults ?? false,
          },
          credits: options.credits,
          lifeline: options.lifeline,
          backoff: options.backoff ?? defaultBackoff,
          onHostUp: options.onHostUp,
          onHostDown: options.onHostDown,
          onBootFailure: options.onBootFailure,
        }),
    );
    const started = this.#places.map((place) => place.untilUp(attempts));
    try {
      await Promise.all(started);
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (this.#state === 'starting') this.#state = 'running';
  }

  /** Resolves when every place has finished what it had begun; a host that dies meanwhile passes it on. */
  async drain(): Promise<void> {
    if (this.#state !== 'running') throw supervisorState('drain', this.#state);
    await Promise.all(this.#places.map((place) => place.drain()));
  }

  /** Terminates the host at a place, which is then replaced. False: there is none right now. */
  kill(index: number, why?: string): boolean {
    const host = this.#places[index]?.host ?? null;
    host?.kill(why);
    return host !== null;
  }

  /** Ends all hosts, at once and in order; those that do not end in time are killed. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#state = 'stopping';
    const timeout = this.#options.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS;
    await Promise.all(this.#places.map((place) => place.stop(timeout)));
    await this.#watch?.leaversGone();
    await this.#pool?.destroy();
    await this.#watch?.allGone();
    await Promise.all(this.#places.map((place) => place.done));
    clearInterval(this.#hold);
    this.#state = 'stopped';
  }

  /** Looks for tasks no thread will ever take, once the pool has come to terms with a thread's end. */
  #rescue(): void {
    setImmediate(() => {
      const why = this.#idleThreadError?.message ?? 'its thread ended';
      this.#idleThreadError = null;
      const pool = this.#pool;
      if (pool === null || this.#state === 'stopping' || this.#state === 'stopped') return;
      if (pool.queueSize > 0 && pool.threads.length < this.#threadCount) {
        for (const place of this.#places) place.relaunch(why);
      }
    });
  }
}
