/**
 * What an operation sees: the objects of the case, as this thread has them, and where it reports to.
 * One world a thread and case.
 */
import {
  type CancelCauseFunc,
  type CancelHandle,
  type Clock,
  Context,
  type ContextHandle,
  attachCancel,
  attachContext,
} from '../../../src/sync/index.js';
import type { AfterFuncOp, GoOp, Result } from './format.js';
import { type Plain, fromPlain } from './plain-handle.js';
import type { Script } from './script.js';

/** What a goroutine tells the driver. */
export type Report =
  | { readonly is: 'completed'; readonly g: string; readonly step: number; readonly result: Result }
  /** A goroutine made by the library is inside its function now. */
  | { readonly is: 'started'; readonly g: string; readonly step: number; readonly op: string }
  /** A range loop has had another value. */
  | { readonly is: 'got'; readonly g: string; readonly value: number }
  | { readonly is: 'fatal'; readonly g: string; readonly step: number; readonly text: string }
  /** A panic that nobody recovered: the first line Go would print. */
  | { readonly is: 'crash'; readonly text: string }
  /** The object was disposed under the operation: the case is over. */
  | { readonly is: 'stale'; readonly g: string }
  /** Something no Go program could do. */
  | { readonly is: 'broken'; readonly g: string; readonly text: string }
  /** A context that other threads have to learn of. */
  | ({ readonly is: 'made' } & MadeContext);

export interface MadeContext {
  readonly name: string;
  readonly context: Plain<ContextHandle>;
  /** Null: it has no cancel function. */
  readonly cancel: Plain<CancelHandle> | null;
}

/** Who runs the operation, and which step it is. */
export interface Actor {
  readonly g: string;
  readonly step: number;
}

/** What differs from one kind of thread to the other. */
export interface Surroundings {
  readonly clock: Clock;
  /** The clock's time when the case began. */
  readonly start: number;
  /** One word an object, shared by all threads of the case. */
  readonly counters: Int32Array;
  report(report: Report): void;
  startGo(world: World, op: GoOp, step: number): void;
  contextMade(name: string, context: Context, cancellable: boolean): void;
  afterFunc(world: World, op: AfterFuncOp, step: number): Script<void>;
  stop(world: World, name: string): Script<boolean>;
}

export class World {
  readonly around: Surroundings;
  readonly #objects = new Map<string, unknown>();
  readonly #indices = new Map<string, number>();
  readonly #cancels = new Map<string, CancelCauseFunc>();
  /** Stop functions of the afterFuncs registered on this thread. */
  readonly stops = new Map<string, () => boolean>();

  constructor(around: Surroundings) {
    this.around = around;
  }

  report(report: Report): void {
    this.around.report(report);
  }

  add(name: string, object: unknown): void {
    this.#indices.set(name, this.#indices.size);
    this.#objects.set(name, object);
  }

  get<T>(name: string, type: abstract new (...args: never[]) => T): T {
    const object = this.#objects.get(name);
    if (object instanceof type) return object;
    throw new Error(`the case has no ${type.name} called ${name}`);
  }

  objects(): IterableIterator<[string, unknown]> {
    return this.#objects.entries();
  }

  /** A context made on this thread. */
  addContext(name: string, context: Context, cancel?: CancelCauseFunc): void {
    this.add(name, context);
    if (cancel !== undefined) this.#cancels.set(name, cancel);
    this.around.contextMade(name, context, cancel !== undefined);
  }

  /** A context made elsewhere; the thread that made it hears of it, too. */
  learn({ name, context, cancel }: MadeContext): void {
    if (this.#objects.has(name)) return;
    this.add(name, attachContext(fromPlain(context)));
    if (cancel !== null) this.#cancels.set(name, attachCancel(fromPlain(cancel)));
  }

  cancelOf(name: string): CancelCauseFunc {
    const cancel = this.#cancels.get(name);
    if (cancel === undefined) throw new Error(`the case has no cancel function of ${name}`);
    return cancel;
  }

  /** A function was called through the once. */
  countRun(once: string): void {
    Atomics.add(this.around.counters, this.#indices.get(once) ?? 0, 1);
  }

  runs(once: string): number {
    return Atomics.load(this.around.counters, this.#indices.get(once) ?? 0);
  }
}
