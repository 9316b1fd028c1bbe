/**
 * Once: a function runs once, on whichever thread comes first; everybody else waits until it has returned.
 *
 * Once.do counts as done even if its function panics, and only the caller that ran it sees the panic. A
 * OnceFunc remembers the outcome: every call, here or on another thread, returns the same value or panics with
 * the same error. Code does not travel: each thread gives its own function, the first one to call wins.
 * Re-entry waits for itself for ever, as in Go.
 *
 * Happens before: the return of the function before the return of any call.
 */
import { fromWireError, toWireError, type WireError } from '../observe/errors.js';
import { encode, peek } from './codec.js';
import { SyncError, staleHandle } from './errors.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { Kind, OnceWord } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Claimed, type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive, share } from './sleepers.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';
import { release } from './codec.js';

const FRESH = 0;
const RUNNING = 1;
const DONE = 2;
const WORDS = 4;

export type OnceHandle = Handle<'once'>;

export class Once {
  #monitor: Monitor;

  constructor(monitor?: SharedMonitor) {
    this.#monitor = monitor ?? new LocalMonitor(WORDS);
  }

  static attach(handle: OnceHandle): Once {
    return new Once(fromHandle('once', handle));
  }

  handle(): OnceHandle {
    if (this.#monitor instanceof LocalMonitor) this.#monitor = share(this.#monitor, Kind.once, () => 0);
    return toHandle('once', this.#monitor as SharedMonitor);
  }

  get isDone(): boolean {
    return this.#state() === DONE;
  }

  do(fn: () => void): void {
    parker().assertMayBlock('do');
    const park = this.#enter();
    if (park === 'done') return;
    if (park === 'run') {
      try {
        fn();
      } finally {
        this.complete();
      }
      return;
    }
    parker().block(park);
    this.#awake(park);
  }

  async doAsync(fn: () => void | Promise<void>): Promise<void> {
    const park = this.#enter();
    if (park === 'done') return;
    if (park === 'run') {
      try {
        await fn();
      } finally {
        this.complete();
      }
      return;
    }
    await parker().sleep(park);
    this.#awake(park);
  }

  dispose(): void {
    const monitor = this.#monitor;
    disposeMonitor(monitor, () => {
      const result = monitor.words[monitor.at + OnceWord.result];
      if (monitor.block !== 0 && result !== 0) release(result);
    });
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get monitor(): Monitor {
    return this.#monitor;
  }

  #state(): number {
    if (!this.#monitor.isLive()) throw staleHandle('once');
    return Atomics.load(this.#monitor.words, this.#monitor.at + OnceWord.state);
  }

  #enter(): 'done' | 'run' | Park {
    if (this.#state() === DONE) return 'done';
    const monitor = this.#monitor;
    const { words, at } = monitor;
    lockLive(monitor, 'once');
    const state = words[at + OnceWord.state];
    let park: Park | null = null;
    if (state === FRESH) {
      words[at + OnceWord.runner] = parker().slot;
      Atomics.store(words, at + OnceWord.state, RUNNING);
    } else if (state === RUNNING) {
      park = new Park('sync.Once.Do');
      monitor.enqueue(0, park, 0, 0);
    }
    monitor.unlock();
    return state === FRESH ? 'run' : (park ?? 'done');
  }

  /** @internal The function has returned, one way or another. */
  complete(): void {
    const monitor = this.#monitor;
    monitor.lock();
    if (!monitor.isLive()) {
      monitor.unlock();
      return;
    }
    const woken = lockedComplete(monitor);
    monitor.unlock();
    for (const place of woken) place.wake();
  }

  #awake(park: Park): void {
    finish(park);
    if (park.code === Code.disposed) throw staleHandle('once');
  }
}

/** Done: everybody who waited may go on. Under the monitor's lock. */
export function lockedComplete(monitor: Monitor): Claimed[] {
  const woken: Claimed[] = [];
  Atomics.store(monitor.words, monitor.at + OnceWord.state, DONE);
  for (let place = monitor.dequeue(0); place !== null; place = monitor.dequeue(0)) {
    place.grant(Code.granted);
    woken.push(place);
  }
  return woken;
}

type Outcome<T> = { readonly value: T } | { readonly panic: unknown };

/** sync.OnceFunc, OnceValue and OnceValues in one: the function may return anything. */
export class OnceFunc<T> {
  readonly #once: Once;
  readonly #fn: () => T | Promise<T>;
  #outcome: Outcome<T> | null = null;

  constructor(fn: () => T | Promise<T>, once = new Once()) {
    this.#fn = fn;
    this.#once = once;
  }

  /** `fn` is run only if this thread's call is the first of all. */
  static attach<T>(handle: OnceHandle, fn: () => T | Promise<T>): OnceFunc<T> {
    return new OnceFunc(fn, Once.attach(handle));
  }

  handle(): OnceHandle {
    const handle = this.#once.handle();
    if (this.#outcome !== null) this.#publish(this.#outcome);
    return handle;
  }

  call(): T {
    this.#once.do(() => this.#settle(this.#runSync()));
    return this.#result();
  }

  async callAsync(): Promise<T> {
    await this.#once.doAsync(async () => this.#settle(await this.#run()));
    return this.#result();
  }

  dispose(): void {
    this.#once.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #runSync(): Outcome<T> {
    try {
      return { value: this.#fn() as T };
    } catch (panic) {
      return { panic };
    }
  }

  async #run(): Promise<Outcome<T>> {
    try {
      return { value: await this.#fn() };
    } catch (panic) {
      return { panic };
    }
  }

  #settle(outcome: Outcome<T>): void {
    this.#outcome = outcome;
    this.#publish(outcome);
  }

  /** Other threads read it from the arena; set before anybody can see that the once is done. */
  #publish(outcome: Outcome<T>): void {
    const { words, at, block } = this.#once.monitor;
    if (block === 0 || words[at + OnceWord.result] !== 0) return;
    const payload = encodeOutcome(outcome);
    parker().arena.publish(payload);
    words[at + OnceWord.result] = payload;
  }

  #result(): T {
    if (this.#outcome === null) {
      const { words, at } = this.#once.monitor;
      const payload = words[at + OnceWord.result];
      if (payload === 0) {
        throw new SyncError(
          'ERR_ONCE_NO_OUTCOME',
          'the function ran on another thread and left no outcome: that thread died, or the arena was full',
        );
      }
      const stored = peek(payload) as { value: T } | { panic: WireError };
      this.#outcome = 'panic' in stored ? { panic: fromWireError(stored.panic) } : stored;
    }
    if ('panic' in this.#outcome) throw this.#outcome.panic;
    return this.#outcome.value;
  }
}

/** A value that cannot travel is, to the other threads, the panic that says so. */
function encodeOutcome(outcome: Outcome<unknown>): number {
  if ('panic' in outcome) return encode({ panic: toWireError(outcome.panic) });
  try {
    return encode(outcome);
  } catch (error) {
    return encode({ panic: toWireError(error) });
  }
}

export const onceFunc = (fn: () => void | Promise<void>): OnceFunc<void> => new OnceFunc(fn);
export const onceValue = <T>(fn: () => T | Promise<T>): OnceFunc<T> => new OnceFunc(fn);
export const onceValues = <A, B>(fn: () => [A, B] | Promise<[A, B]>): OnceFunc<[A, B]> => new OnceFunc(fn);
