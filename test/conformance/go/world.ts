/**
 * What an operation sees: the objects of the case, as this thread has them, and where it reports to.
 * One world a thread and case.
 */
import type { GoOp, Result } from './format.js';

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
  | { readonly is: 'broken'; readonly g: string; readonly text: string };

/** Who runs the operation, and which step it is. */
export interface Actor {
  readonly g: string;
  readonly step: number;
}

export class World {
  readonly #objects = new Map<string, unknown>();
  readonly #runs = new Map<string, number>();
  readonly #counters: Int32Array;
  readonly report: (report: Report) => void;
  /** wg.Go, in the way this thread can do it. */
  readonly startGo: (world: World, op: GoOp, step: number) => void;

  /** `counters`: shared by all threads of the case, one word an object. */
  constructor(
    counters: Int32Array,
    report: (report: Report) => void,
    startGo: (world: World, op: GoOp, step: number) => void,
  ) {
    this.#counters = counters;
    this.report = report;
    this.startGo = startGo;
  }

  add(name: string, object: unknown): void {
    this.#runs.set(name, this.#runs.size);
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

  /** A function was called through the once. */
  countRun(once: string): void {
    Atomics.add(this.#counters, this.#runs.get(once) ?? 0, 1);
  }

  runs(once: string): number {
    return Atomics.load(this.#counters, this.#runs.get(once) ?? 0);
  }
}
