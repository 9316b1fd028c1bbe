/**
 * Goroutines: async functions that the library knows of.
 *
 * go(fn) starts one on this thread. A panic that nobody recovered ends the thread like an uncaught exception,
 * unless onPanic() routes it elsewhere; it is never swallowed.
 *
 * Settled means: no goroutine of any thread can run before something new happens. Every thread has a count of
 * work that was given to it and has not come to rest; whoever gives work raises the count first, and bumps one
 * version word before that. Settled is "all counts are zero, and the version did not change while we looked":
 * asking thread by thread without the version says yes too early.
 *
 * Watching, for tests, also knows what each goroutine waits for, and reports when all of them are asleep. It
 * follows a goroutine through its awaits with an AsyncLocalStorage, which makes every await slower: off, it
 * costs one comparison a sleep.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { GoFatal, asleepDeadlock } from './errors.js';
import { Header, MAX_THREADS, Thread, ThreadState, threadAt } from './layout.js';
import { type Park } from './park.js';
import { type Parker, parker } from './parker.js';

export interface Goroutine {
  /** Unique in the process. */
  readonly id: number;
  readonly name: string;
  /** `running` also while it awaits something the library does not know. */
  readonly status: 'running' | 'waiting' | 'done';
  /** What it waits for, in Go's words. */
  readonly waitReason: string | null;
}

class Routine implements Goroutine {
  readonly id: number;
  readonly name: string;
  status: 'running' | 'waiting' | 'done' = 'running';
  waitReason: string | null = null;

  constructor(id: number, name: string) {
    this.id = id;
    this.name = name;
  }
}

export type PanicHandler = (panic: unknown, goroutine: Goroutine) => void;

const alive = new Map<number, Routine>();
let panicHandler: PanicHandler | null = null;
let watch: Watch | null = null;

/** Starts `fn` as a goroutine of this thread; it runs after the current piece of code. */
export function go(fn: () => unknown, name = fn.name): Goroutine {
  const mine = parker();
  mine.hostGoroutines();
  const routine = new Routine(Atomics.add(mine.words, Header.lastGoroutine, 1) + 1, name);
  alive.set(routine.id, routine);
  Atomics.add(mine.words, mine.record + Thread.goroutines, 1);
  mine.raise(mine.slot);
  queueMicrotask(() => {
    mine.owe();
    void (watch === null ? run(fn, routine, mine) : watch.storage.run(routine, run, fn, routine, mine));
  });
  return routine;
}

async function run(fn: () => unknown, routine: Routine, mine: Parker): Promise<void> {
  try {
    await fn();
  } catch (panic) {
    if (panicHandler !== null) panicHandler(panic, routine);
    else crash(panic);
  } finally {
    routine.status = 'done';
    alive.delete(routine.id);
    Atomics.sub(mine.words, mine.record + Thread.goroutines, 1);
    // Its end may leave everybody else asleep: have that looked at when this has come to rest.
    if (watch !== null) {
      mine.raise(mine.slot);
      mine.owe();
    }
  }
}

function crash(panic: unknown): void {
  queueMicrotask(() => {
    throw panic;
  });
}

/** Routes panics of this thread's goroutines; null: back to crashing the thread. */
export function onPanic(handler: PanicHandler | null): void {
  panicHandler = handler;
}

/** The live goroutines of this thread. */
export function goroutines(): Goroutine[] {
  return [...alive.values()];
}

// --- settling ------------------------------------------------------------------------------------------------

export function isSettled(): boolean {
  const { words } = parker();
  const version = Atomics.load(words, Header.runVersion);
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    if (Atomics.load(words, record + Thread.state) !== ThreadState.alive) continue;
    if (Atomics.load(words, record + Thread.pending) !== 0) return false;
  }
  return Atomics.load(words, Header.runVersion) === version;
}

/** Resolves when no goroutine of any thread can run. The caller itself does not count. */
export async function settled(): Promise<void> {
  const mine = parker();
  Atomics.add(mine.words, Header.settlers, 1);
  mine.listen();
  try {
    for (;;) {
      let announce!: () => void;
      const announced = new Promise<void>((resolve) => (announce = resolve));
      mine.settleListeners.add(announce);
      if (isSettled()) return void mine.settleListeners.delete(announce);
      const hold = setInterval(() => undefined, 60_000);
      await announced;
      clearInterval(hold);
      mine.settleListeners.delete(announce);
    }
  } finally {
    Atomics.sub(mine.words, Header.settlers, 1);
  }
}

// --- watching ------------------------------------------------------------------------------------------------

class Watch {
  readonly storage = new AsyncLocalStorage<Routine>();
  readonly #mine = parker();
  readonly #sleepers = new Map<Park, Routine>();

  asleep(park: Park): void {
    const routine = this.storage.getStore();
    if (routine === undefined) return;
    routine.status = 'waiting';
    routine.waitReason = park.reason;
    this.#sleepers.set(park, routine);
    Atomics.add(this.#mine.words, this.#mine.record + Thread.asleep, 1);
  }

  awake(park: Park): void {
    const routine = this.#sleepers.get(park);
    if (routine === undefined) return;
    this.#sleepers.delete(park);
    routine.status = 'running';
    routine.waitReason = null;
    Atomics.sub(this.#mine.words, this.#mine.record + Thread.asleep, 1);
  }
}

/** From now on goroutines started on this thread say what they wait for. For tests: it slows every await. */
export function watchGoroutines(): void {
  if (watch !== null) return;
  watch = new Watch();
  parker().watcher = watch;
}

/** Go's report: the fatal error's text, then each goroutine of this thread and what it waits for. */
export function deadlockReport(): GoFatal & { readonly report: string } {
  const error = asleepDeadlock();
  const lines = goroutines().map(
    (g) => `goroutine ${g.id} [${g.waitReason ?? g.status}]: ${g.name || '(anonymous)'}`,
  );
  return Object.assign(error, { report: ['fatal error: ' + error.message, '', ...lines].join('\n') });
}

/** True if there are goroutines and every one of them, on every watched thread, sleeps with no timer to end it. */
export function everybodyIsAsleep(): boolean {
  const { words } = parker();
  let live = 0;
  let asleep = 0;
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    if (Atomics.load(words, record + Thread.state) !== ThreadState.alive) continue;
    if (Atomics.load(words, record + Thread.timers) !== 0) return false;
    live += Atomics.load(words, record + Thread.goroutines);
    asleep += Atomics.load(words, record + Thread.asleep);
  }
  return live > 0 && live === asleep && isSettled();
}

/**
 * Runs `main` as a program's main goroutine, watched: resolves when it returns, rejects with its panic, with a
 * panic of any goroutine of this thread, or with Go's deadlock report once every goroutine is asleep.
 */
export async function runMain<T>(main: () => T | Promise<T>): Promise<T> {
  watchGoroutines();
  const mine = parker();
  const before = panicHandler;
  Atomics.add(mine.words, Header.settlers, 1);
  mine.listen();
  let check: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      check = () => void (everybodyIsAsleep() && reject(deadlockReport()));
      mine.settleListeners.add(check);
      onPanic(reject);
      go(async () => resolve(await main()), 'main');
    });
  } finally {
    if (check !== undefined) mine.settleListeners.delete(check);
    Atomics.sub(mine.words, Header.settlers, 1);
    onPanic(before);
  }
}
