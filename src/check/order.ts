/**
 * The order in which locks were taken, as all threads together have seen it.
 *
 * A graph over lock classes (rank names): an edge a → b says that some thread took a b while it held an a. Two
 * edges that close a circle are a deadlock waiting for its moment, whether or not anything hung. The graph is
 * kept free of circles: an edge that would close one is answered with the way back and not kept, so the wrong
 * order is reported each time, and the right one never.
 *
 * The graph is in shared memory, so that an inversion between two threads is seen by the second. Nothing in it
 * waits, so no thread can hang in it or leave it broken by dying:
 * - A class is found by the hash of its name, claimed with one compare-and-swap. Everybody who knows the name
 *   writes its text, all the same bytes.
 * - The stack of an edge is written by whoever gets it first; if that thread dies meanwhile the text is missing,
 *   the edge is not.
 * - An edge is set before the way back is looked for: of two threads that close a circle at the same moment, at
 *   least one sees the other's edge.
 */
import { threadId } from 'node:worker_threads';
import { PodloomError } from '../observe/errors.js';
import {
  CLASSES,
  NAME_BYTES,
  ROW_WORDS,
  STACK_BYTES,
  StackState,
  TABLE_MAGIC,
  TABLE_VERSION,
  Table,
} from './layout.js';

/** One edge of the graph, as it was first seen. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Which thread saw it; empty if it was declared and not seen. */
  readonly thread: string;
  /** Where it took `to`; may be empty. */
  readonly stack: string;
}

export class OrderGraph {
  readonly memory: SharedArrayBuffer;
  readonly #keys: BigInt64Array;
  readonly #edges: Int32Array;
  readonly #states: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #classes = new Map<string, number>();

  constructor(memory: SharedArrayBuffer) {
    const header = new Int32Array(memory);
    if (header[Table.magic >> 2] !== TABLE_MAGIC || header[Table.version >> 2] !== TABLE_VERSION) {
      throw new PodloomError(
        'ERR_FOREIGN_ORDER_TABLE',
        'this memory is not a lock-order table of this version; share the one enableChecks() made',
      );
    }
    this.memory = memory;
    this.#keys = new BigInt64Array(memory, Table.keys, CLASSES);
    this.#edges = new Int32Array(memory, Table.edges, CLASSES * ROW_WORDS);
    this.#states = new Int32Array(memory, Table.states, CLASSES * CLASSES);
    this.#bytes = new Uint8Array(memory);
  }

  static create(): OrderGraph {
    const memory = new SharedArrayBuffer(Table.bytes);
    const header = new Int32Array(memory);
    header[Table.version >> 2] = TABLE_VERSION;
    header[Table.magic >> 2] = TABLE_MAGIC;
    return new OrderGraph(memory);
  }

  /** Takes an order as given, as if it had been seen. */
  declare(from: string, to: string): void {
    const a = this.#classOf(from);
    const b = this.#classOf(to);
    Atomics.or(this.#edges, rowWord(a, b), bitOf(b));
  }

  /**
   * A lock of `to` is about to be taken while one of `from`, another class, is held. Answers null, or the edges
   * that lead from `to` back to `from`. `where` is asked for the stack only if the edge is new.
   */
  observe(from: string, to: string, where: () => string): Edge[] | null {
    const a = this.#classOf(from);
    const b = this.#classOf(to);
    const word = rowWord(a, b);
    const bit = bitOf(b);
    if ((Atomics.load(this.#edges, word) & bit) !== 0) return null;
    this.#recordStack(a, b, where);
    // Set by another thread meanwhile: then that one looks for the way back.
    if ((Atomics.or(this.#edges, word, bit) & bit) !== 0) return null;
    const back = this.#path(b, a);
    if (back === null) return null;
    Atomics.and(this.#edges, word, ~bit);
    return back.slice(1).map((node, i) => this.#edge(back[i], node));
  }

  /** Every edge seen or declared so far. */
  edges(): Edge[] {
    const found: Edge[] = [];
    for (let a = 0; a < CLASSES; a++) for (const b of this.#after(a)) found.push(this.#edge(a, b));
    return found;
  }

  #after(a: number): number[] {
    const next: number[] = [];
    for (let i = 0; i < ROW_WORDS; i++) {
      for (let bits = Atomics.load(this.#edges, a * ROW_WORDS + i); bits !== 0; bits &= bits - 1)
        next.push(i * 32 + 31 - Math.clz32(bits & -bits));
    }
    return next;
  }

  /** The shortest way, both ends included. */
  #path(from: number, to: number): number[] | null {
    const cameFrom = new Map<number, number>([[from, -1]]);
    // A Map goes through what is added while it goes: this is the queue of a breadth-first search.
    for (const node of cameFrom.keys()) {
      for (const next of this.#after(node)) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, node);
        if (next !== to) continue;
        const path: number[] = [];
        for (let at = to; at !== -1; at = cameFrom.get(at) ?? -1) path.unshift(at);
        return path;
      }
    }
    return null;
  }

  #classOf(name: string): number {
    const known = this.#classes.get(name);
    if (known !== undefined) return known;
    const encoded = new TextEncoder().encode(name);
    const key = hash(encoded);
    for (let i = 0; i < CLASSES; i++) {
      const seen = Atomics.compareExchange(this.#keys, i, 0n, key);
      if (seen !== 0n && seen !== key) continue;
      const at = Table.names + i * NAME_BYTES;
      const shown = encoded.subarray(0, NAME_BYTES - 1);
      this.#bytes.set(shown, at + 1);
      this.#bytes[at] = shown.length;
      this.#classes.set(name, i);
      return i;
    }
    throw new PodloomError(
      'ERR_TOO_MANY_RANKS',
      `the lock-order table has room for ${CLASSES} ranks and ${name} is one more; give locks of one kind one rank`,
    );
  }

  #nameOf(index: number): string {
    const at = Table.names + index * NAME_BYTES;
    return this.#text(at + 1, this.#bytes[at]);
  }

  #recordStack(a: number, b: number, where: () => string): void {
    const at = a * CLASSES + b;
    if (Atomics.compareExchange(this.#states, at, StackState.none, StackState.writing) !== StackState.none)
      return;
    const text = fitting(`${threadName()}\n${where()}`);
    this.#bytes.set(text, Table.stacks + at * STACK_BYTES);
    Atomics.store(this.#states, at, text.length);
  }

  #edge(a: number, b: number): Edge {
    const at = a * CLASSES + b;
    const length = Atomics.load(this.#states, at);
    const text = length > 0 ? this.#text(Table.stacks + at * STACK_BYTES, length) : '';
    const [thread, ...frames] = text.split('\n');
    return { from: this.#nameOf(a), to: this.#nameOf(b), thread, stack: frames.join('\n') };
  }

  /** A decoder refuses shared memory; slice copies out of it. */
  #text(at: number, length: number): string {
    return new TextDecoder().decode(this.#bytes.slice(at, at + length));
  }
}

export function threadName(): string {
  return threadId === 0 ? 'the main thread' : `thread ${threadId}`;
}

function rowWord(a: number, b: number): number {
  return a * ROW_WORDS + (b >> 5);
}

function bitOf(b: number): number {
  return 1 << (b & 31);
}

/** As many whole lines as a stack slot takes. */
function fitting(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= STACK_BYTES) return bytes;
  const end = bytes.lastIndexOf(0x0a, STACK_BYTES);
  return bytes.subarray(0, end > 0 ? end : STACK_BYTES);
}

/** FNV-1a, 64 bits: two of 64 names colliding is not going to happen. */
function hash(bytes: Uint8Array): bigint {
  let value = 0xcbf2_9ce4_8422_2325n;
  for (const byte of bytes) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100_0000_01b3n);
  return BigInt.asIntN(64, value) || 1n;
}
