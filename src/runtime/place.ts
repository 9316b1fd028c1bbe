/**
 * One place of the supervisor: launches a host, waits for its end, launches the next one.
 *
 * A place is one loop, so that up, down and the next launch come in this order whatever the threads do.
 */
import { performance } from 'node:perf_hooks';
import { isThreadDied } from './control.js';
import { hostBoot, raiseUncaught, supervisorState } from './errors.js';
import { type Host, Launch, type LaunchOptions } from './host.js';
import type { HostEnd } from './protocol.js';

/** Pause in ms before the next launch, after `failures` hosts in a row that died young. */
export type Backoff = (failures: number) => number;

/** A host that lived this long was healthy: its death starts a new count. */
const HEALTHY_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

export const defaultBackoff: Backoff = (failures) =>
  failures <= 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2));

export interface PlaceOptions extends Omit<LaunchOptions, 'boot'> {
  readonly boot: Omit<LaunchOptions['boot'], 'incarnation'>;
  readonly backoff: Backoff;
  readonly onHostUp: ((host: Host) => void) | undefined;
  readonly onHostDown: ((host: Host, end: HostEnd) => void) | undefined;
  readonly onBootFailure: ((index: number, error: Error, failures: number) => void) | undefined;
}

interface Waiter {
  /** Failed starts in a row it puts up with. */
  readonly attempts: number;
  up(host: Host): void;
  fail(error: Error): void;
}

export class Place {
  host: Host | null = null;
  /** Resolves, after stop(), when the last host is down. */
  readonly done: Promise<void>;

  readonly #options: PlaceOptions;
  readonly #waiters = new Set<Waiter>();
  #launch: Launch | null = null;
  #incarnation = 0;
  #bootFailures = 0;
  #youngDeaths = 0;
  #stopping = false;
  #endPause: (() => void) | null = null;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.done = this.#loop();
  }

  /** The host that is ready, or the next one that will be; fails after that many failed starts in a row. */
  untilUp(attempts = Infinity): Promise<Host> {
    if (this.host !== null) return Promise.resolve(this.host);
    if (this.#stopping) return Promise.reject(supervisorState('wait for a host of', 'stopping'));
    return new Promise((resolve, reject) => {
      this.#waiters.add({ attempts, up: resolve, fail: reject });
    });
  }

  async drain(): Promise<void> {
    for (;;) {
      const host = await this.untilUp();
      try {
        return await host.drain();
      } catch (error) {
        if (!isThreadDied(error)) throw error;
        // Its place in `host` is cleared by the loop, when it is down.
        await this.#launch?.over;
      }
    }
  }

  /** Ends the host and the place; kills the host if it takes longer than `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping = true;
    this.#endPause?.();
    for (const waiter of this.#waiters) waiter.fail(supervisorState('wait for a host of', 'stopping'));
    this.#waiters.clear();
    const launch = this.#launch;
    if (launch === null) return;
    if (this.host === null) return launch.kill('stopped before it was ready');
    const timer = setTimeout(() => launch.kill(`not stopped within ${timeoutMs} ms`), timeoutMs);
    await Promise.all([launch.settled, launch.stop().catch(() => undefined)]);
    clearTimeout(timer);
  }

  /** The pool will not give its launch a thread: take it back, which counts as a failed start. */
  relaunch(why: string): void {
    if (this.host === null) this.#launch?.kill(`no thread came up for it (${why})`);
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      await this.#live();
      if (this.#stopping) break;
      const failures = Math.max(this.#bootFailures, this.#youngDeaths);
      await this.#pause(this.#options.backoff(failures));
    }
  }

  async #live(): Promise<void> {
    const { boot, onHostUp, onHostDown } = this.#options;
    const incarnation = ++this.#incarnation;
    const launch = (this.#launch = new Launch({ ...this.#options, boot: { ...boot, incarnation } }));
    let host: Host;
    try {
      host = await launch.ready;
    } catch (error) {
      await launch.over;
      this.#launch = null;
      this.#onBootFailure(error as Error);
      return;
    }
    const since = performance.now();
    this.#bootFailures = 0;
    this.host = host;
    call(() => onHostUp?.(host));
    for (const waiter of this.#waiters) waiter.up(host);
    this.#waiters.clear();

    const end = await launch.over;
    this.host = null;
    this.#launch = null;
    this.#youngDeaths = performance.now() - since < HEALTHY_MS ? this.#youngDeaths + 1 : 1;
    call(() => onHostDown?.(host, end));
  }

  #onBootFailure(error: Error): void {
    if (this.#stopping) return;
    const { boot, onBootFailure } = this.#options;
    const failures = ++this.#bootFailures;
    call(() => onBootFailure?.(boot.index, error, failures));
    for (const waiter of this.#waiters) {
      if (failures < waiter.attempts) continue;
      this.#waiters.delete(waiter);
      waiter.fail(hostBoot(boot.index, failures, error));
    }
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = null;
  }
}

/** Calls back without letting the callee's error into the loop; it is an uncaught one. */
function call(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    raiseUncaught(error);
  }
}
