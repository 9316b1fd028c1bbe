/**
 * Context: Go's, for one thread and between threads.
 *
 * A context ends once, by its cancel function, its deadline or its parent's end, and everything below it ends
 * with it: `err` says canceled or deadline exceeded, `cause` why, `done` is closed, `signal` aborted. A parent's
 * done is closed before its children's.
 *
 * `handle` makes a context shared. Its end is then a word in shared memory: `err` and `isDone` look at it, at
 * those of the shared contexts above, and at the deadline, so a thread that never yields sees the end at once.
 * What hangs on a context without being asked (done of contexts below, signals, functions) follows when the
 * thread next looks at its wake-ups, in its event loop or in the call that blocks it.
 *
 * Values with primitive keys travel with the handle if they can be cloned, and so do the deadline and the name.
 */
import type { WireError } from '../observe/errors.js';
import { Chan, type ChanHandle } from './chan.js';
import type { CancelContext } from './cancel-context.js';
import { type Clock, type ClockHandle, realClock } from './clock.js';
import { SyncError, keyNotComparable, nilKey, nilParent } from './errors.js';
import { parker } from './parker.js';

/** What Go would compare: anything but objects and functions. Use a symbol for a key nobody else can have. */
export type ContextKey = string | number | boolean | bigint | symbol;

export interface ContextHandle {
  readonly podloom: 'context';
  readonly memory: SharedArrayBuffer;
  /** Null: it cannot end. */
  readonly done: ChanHandle | null;
  /** Shared contexts above it, nearest first. */
  readonly above: readonly ChanHandle[];
  readonly deadline: number | null;
  /** The deadline is its own, and this is the cause it ends with then. */
  readonly expiry: { readonly cause: WireError | null } | null;
  readonly values: ReadonlyMap<ContextKey, unknown>;
  /** Null: the real one. */
  readonly clock: ClockHandle | null;
  readonly name: string;
}

export abstract class Context {
  readonly clock: Clock;
  #signal: AbortSignal | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @internal The nearest context, itself included, that can end; null: there is none. */
  abstract get core(): CancelContext | null;

  /** Closed when the context ends; the nil channel if it never does. */
  done(): Chan<void> {
    return this.core === null ? (never ??= Chan.nil<void>()) : this.core.doneChan();
  }

  /** Null: it has not ended. */
  err(): Error | null {
    return this.core?.outcome()?.err ?? null;
  }

  /** Why it ended; the same as err() if nobody said. */
  cause(): Error | null {
    return this.core?.outcome()?.cause ?? null;
  }

  /** `err() !== null`, for polling. */
  get isDone(): boolean {
    const core = this.core;
    return core !== null && core.outcome() !== null;
  }

  /** Aborted when the context ends; the reason is the cause. */
  get signal(): AbortSignal {
    return this.core === null ? (this.#signal ??= new AbortController().signal) : this.core.abortSignal();
  }

  /** When it ends at the latest, on its clock. */
  abstract deadline(): number | undefined;
  /** The value the nearest withValue gave for the key. */
  abstract value(key: ContextKey): unknown;
  /** Go's String(). */
  abstract toString(): string;
  /** @internal Adds the values that are not there yet. */
  abstract carry(values: Map<ContextKey, unknown>): void;

  handle(): ContextHandle {
    const { clock, core } = this;
    if (clock !== realClock && clock.handle === undefined) {
      throw new SyncError(
        'ERR_CLOCK_NOT_SHARED',
        'this context is on a clock that cannot travel; use the real clock or a FakeClock',
      );
    }
    const values = new Map<ContextKey, unknown>();
    this.carry(values);
    for (const [key, value] of values) if (!canTravel(key, value)) values.delete(key);
    return {
      podloom: 'context',
      memory: parker().arena.memory,
      ...(core === null ? { done: null, above: [], expiry: null } : core.share()),
      deadline: this.deadline() ?? null,
      values,
      clock: clock === realClock ? null : (clock.handle?.() ?? null),
      name: this.toString(),
    };
  }

  /**
   * Frees the memory of a shared context, for every thread; using it afterwards is ERR_STALE_HANDLE, calling its
   * cancel function nothing. What is below it ends, canceled, with that error as the cause. Values and contexts
   * without an end of their own have nothing to free.
   */
  dispose(): void {}

  [Symbol.dispose](): void {
    this.dispose();
  }
}

let never: Chan<void> | null = null;

class EmptyContext extends Context {
  readonly #name: string;

  constructor(name: string, clock: Clock) {
    super(clock);
    this.#name = name;
  }

  get core(): null {
    return null;
  }

  deadline(): undefined {
    return undefined;
  }

  value(): undefined {
    return undefined;
  }

  carry(): void {}

  toString(): string {
    return this.#name;
  }
}

class ValueContext extends Context {
  readonly core: CancelContext | null;
  readonly #parent: Context;
  readonly #key: ContextKey;
  readonly #value: unknown;

  constructor(parent: Context, key: ContextKey, value: unknown) {
    super(parent.clock);
    this.#parent = parent;
    this.core = parent.core;
    this.#key = key;
    this.#value = value;
  }

  deadline(): number | undefined {
    return this.#parent.deadline();
  }

  value(key: ContextKey): unknown {
    return key === this.#key ? this.#value : this.#parent.value(key);
  }

  carry(values: Map<ContextKey, unknown>): void {
    if (!values.has(this.#key)) values.set(this.#key, this.#value);
    this.#parent.carry(values);
  }

  toString(): string {
    return `${this.#parent.toString()}.WithValue(${goName(this.#key)}, ${goName(this.#value)})`;
  }
}

class WithoutCancelContext extends Context {
  readonly #parent: Context;

  constructor(parent: Context) {
    super(parent.clock);
    this.#parent = parent;
  }

  get core(): null {
    return null;
  }

  deadline(): undefined {
    return undefined;
  }

  value(key: ContextKey): unknown {
    return this.#parent.value(key);
  }

  carry(values: Map<ContextKey, unknown>): void {
    this.#parent.carry(values);
  }

  toString(): string {
    return `${this.#parent.toString()}.WithoutCancel`;
  }
}

export interface RootOptions {
  /** The clock of everything below. Default: the real one. */
  readonly clock?: Clock;
}

const BACKGROUND = new EmptyContext('context.Background', realClock);
const TODO = new EmptyContext('context.TODO', realClock);

export function background(options: RootOptions = {}): Context {
  return options.clock === undefined ? BACKGROUND : new EmptyContext('context.Background', options.clock);
}

export function todo(options: RootOptions = {}): Context {
  return options.clock === undefined ? TODO : new EmptyContext('context.TODO', options.clock);
}

export function withValue(parent: Context, key: ContextKey, value: unknown): Context {
  checkParent(parent);
  const given: unknown = key;
  if (given === undefined || given === null) throw nilKey();
  if (typeof given === 'object' || typeof given === 'function') throw keyNotComparable();
  return new ValueContext(parent, key, value);
}

/** Has the parent's values, but neither its end nor its deadline. */
export function withoutCancel(parent: Context): Context {
  checkParent(parent);
  return new WithoutCancelContext(parent);
}

export function cause(ctx: Context): Error | null {
  return ctx.cause();
}

export function checkParent(parent: Context | null | undefined): void {
  if (parent === null || parent === undefined) throw nilParent();
}

function canTravel(key: ContextKey, value: unknown): boolean {
  if (typeof key === 'symbol' || typeof value === 'symbol' || typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** A string as it is, anything else by its type's name, as Go's contexts print keys and values. */
function goName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float64';
    case 'boolean':
      return 'bool';
    case 'symbol':
      return value.description ?? 'symbol';
    case 'object':
      return value === null
        ? '<nil>'
        : ((value.constructor as { name?: string } | undefined)?.name ?? 'object');
    case 'undefined':
      return '<nil>';
    default:
      return typeof value;
  }
}
