/**
 * The status version and the API version of each pod, in shared memory: written on the thread that made the table
 * (main), read on all of them.
 *
 * Promises
 * - statusVersion(uid) and apiVersion(uid) never answer with another pod's version, and answer 0 only for a pod
 *   that was unknown, or had none, at some moment of the call. How: uid-index.ts.
 * - A version is read whole: it is one 64-bit word. (Two 32-bit words with a check were measured: 13 ns instead of 26
 *   to set, 28 instead of 22 to read. Not worth a word that can be seen half.)
 * - Reads take no lock and wait for nobody.
 * - A slot number stays the pod's until its release. After that it may be another's, so the methods that take a slot
 *   are for those who know that the pod is not released meanwhile: main. Everybody else asks by uid.
 */
import { foreignHandle } from '../sync/errors.js';
import { badMaxPods, badSlot, badVersion } from './errors.js';
import { TableMemory } from './table-memory.js';
import { UidIndex } from './uid-index.js';

export interface VersionTableOptions {
  /** Pods alive at once. There is room for twice as many and some, as finished pods keep their slot for a while. */
  readonly maxPods: number;
}

/** Plain data for postMessage and workerData. */
export interface VersionTableHandle {
  readonly podloom: 'versionTable';
  readonly memory: SharedArrayBuffer;
  readonly capacity: number;
}

export interface VersionEntry {
  readonly uid: string;
  readonly slot: number;
  readonly statusVersion: number;
  readonly apiVersion: number;
}

/** Keeps the cells' hash bits at ten or more. */
const MOST_PODS = 1 << 20;
const SPARE_SLOTS = 64;

export class VersionTable {
  readonly capacity: number;

  readonly #memory: TableMemory;
  readonly #index: UidIndex;
  /** The whole table as 64-bit words; the columns as offsets into it. */
  readonly #longs: BigUint64Array;
  readonly #statusColumn: number;
  readonly #apiColumn: number;

  private constructor(memory: TableMemory) {
    this.capacity = memory.layout.capacity;
    this.#memory = memory;
    this.#index = new UidIndex(memory);
    this.#longs = new BigUint64Array(memory.memory);
    this.#statusColumn = memory.layout.statusVersion / 2;
    this.#apiColumn = memory.layout.apiVersion / 2;
  }

  /** A table whose writer is the calling thread. */
  static create(options: VersionTableOptions): VersionTable {
    const { maxPods } = options;
    if (!Number.isInteger(maxPods) || maxPods < 1 || maxPods > MOST_PODS)
      throw badMaxPods(MOST_PODS, maxPods);
    return new VersionTable(TableMemory.create(2 * maxPods + SPARE_SLOTS));
  }

  static attach(handle: VersionTableHandle): VersionTable {
    const given: unknown = handle;
    if (typeof given !== 'object' || given === null) throw foreignHandle('pod table', `got ${String(given)}`);
    if (handle.podloom !== 'versionTable') {
      throw foreignHandle('pod table', `it says it is a ${String(handle.podloom)}`);
    }
    const memory = TableMemory.open(handle.memory);
    if (memory.layout.capacity !== handle.capacity)
      throw foreignHandle('pod table', 'it names another capacity');
    return new VersionTable(memory);
  }

  handle(): VersionTableHandle {
    return { podloom: 'versionTable', memory: this.#memory.memory, capacity: this.capacity };
  }

  /** Pods in the table. */
  get size(): number {
    return this.#index.size;
  }

  /** Writer: the pod's slot, given out now if it has none; a new pod has no versions. */
  acquire(uid: string): number {
    return this.#index.acquire(uid);
  }

  /** Writer: gives the pod's slot up. False: it has none. */
  release(uid: string): boolean {
    const slot = this.#index.release(uid);
    if (slot < 0) return false;
    Atomics.store(this.#longs, this.#statusColumn + slot, 0n);
    Atomics.store(this.#longs, this.#apiColumn + slot, 0n);
    return true;
  }

  /** Writer. 0 = none. */
  setStatusVersion(slot: number, version: number): void {
    this.#memory.checkWriter('setStatusVersion');
    this.#checkUsed(slot);
    Atomics.store(this.#longs, this.#statusColumn + slot, wordOf(version));
  }

  /** Writer. 0 = none. */
  setApiVersion(slot: number, version: number): void {
    this.#memory.checkWriter('setApiVersion');
    this.#checkUsed(slot);
    Atomics.store(this.#longs, this.#apiColumn + slot, wordOf(version));
  }

  /** The pod's slot, -1 for an unknown one; no pod has a uid that acquire() refuses. */
  find(uid: string): number {
    return this.#index.find(uid);
  }

  /** 0 for an unknown pod. */
  statusVersion(uid: string): number {
    return this.#read(this.#statusColumn, uid);
  }

  /** 0 for an unknown pod. */
  apiVersion(uid: string): number {
    return this.#read(this.#apiColumn, uid);
  }

  /** Of whichever pod has the slot now; 0 for a free one. */
  statusVersionAt(slot: number): number {
    this.#checkSlot(slot);
    return Number(Atomics.load(this.#longs, this.#statusColumn + slot));
  }

  /** Of whichever pod has the slot now; 0 for a free one. */
  apiVersionAt(slot: number): number {
    this.#checkSlot(slot);
    return Number(Atomics.load(this.#longs, this.#apiColumn + slot));
  }

  /** By slot. An entry is one pod's, but pods that come or go meanwhile may be missing. */
  *entries(): Generator<VersionEntry, undefined> {
    for (let slot = 0; slot < this.#index.carved; slot++) {
      const entry = this.#entryAt(slot);
      if (entry !== undefined) yield entry;
    }
  }

  /** For people: a line a pod. */
  dump(): string {
    let text = '';
    for (const { uid, slot, statusVersion, apiVersion } of this.entries()) {
      text += `slot ${slot} uid ${JSON.stringify(uid)} status ${statusVersion} api ${apiVersion}\n`;
    }
    return text;
  }

  #read(column: number, uid: string): number {
    const index = this.#index;
    for (;;) {
      const slot = index.seek(uid);
      if (slot < 0) return 0;
      const version = Number(Atomics.load(this.#longs, column + slot));
      if (index.isStill(slot)) return version;
    }
  }

  #entryAt(slot: number): VersionEntry | undefined {
    const index = this.#index;
    for (;;) {
      const generation = index.generation(slot);
      const uid = index.uidAt(slot, generation);
      if (uid === undefined) return undefined;
      const statusVersion = this.statusVersionAt(slot);
      const apiVersion = this.apiVersionAt(slot);
      if (index.generation(slot) === generation) return { uid, slot, statusVersion, apiVersion };
    }
  }

  #checkSlot(slot: number): void {
    if (!(Number.isInteger(slot) && slot >= 0 && slot < this.capacity)) throw badSlot(slot, this.capacity);
  }

  #checkUsed(slot: number): void {
    this.#checkSlot(slot);
    if (!this.#index.isUsed(slot)) throw badSlot(slot, this.capacity);
  }
}

function wordOf(version: number): bigint {
  if (!Number.isSafeInteger(version) || version < 0) throw badVersion(version);
  return BigInt(version);
}
