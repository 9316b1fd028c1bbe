/**
 * The objects of the server, and what happened to them: etcd, for one process.
 *
 * One counter gives every write its resourceVersion, over all kinds. Objects are immutable: a write replaces one and
 * leaves an event with the object before and after. The events since the last compaction are kept, for watches that
 * resume and for lists of an older version; older ones are gone, and asking for them is an error.
 */
import type { ObjectMeta } from '../kube/types.js';
import { PodloomError } from '../observe/errors.js';

export interface ApiObject {
  readonly metadata: ObjectMeta;
}

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly plural: string;
  readonly key: string;
  readonly version: number;
  /** After the write. For DELETED: as it was last, with the version of the deletion. */
  readonly object: ApiObject;
  /** Before the write; what was stored for DELETED, too. */
  readonly previous: ApiObject | undefined;
}

export type StoreListener = (event: StoreEvent) => void;

export interface StoreOptions {
  /** The version before the first write. Above 1, so that a client can ask for one that is gone. */
  readonly firstVersion?: number;
  /** How many events are kept. */
  readonly eventLimit?: number;
}

/** The version asked for lies before the oldest event that is kept. */
export class CompactedError extends PodloomError {
  constructor(
    readonly version: number,
    readonly oldest: number,
  ) {
    super('ERR_COMPACTED', `resource version ${version} is gone, the oldest kept is ${oldest}: list again`);
  }
}

interface Bucket {
  readonly objects: Map<string, ApiObject>;
  /** The keys in order; undefined after a key came or went. */
  sorted: string[] | undefined;
}

export class Store {
  #version: number;
  /** Events with a version above this one are all kept. */
  #compacted: number;
  readonly #eventLimit: number;
  readonly #buckets = new Map<string, Bucket>();
  #events: StoreEvent[] = [];
  readonly #listeners = new Set<StoreListener>();

  constructor({ firstVersion = 100, eventLimit = 10_000 }: StoreOptions = {}) {
    this.#version = firstVersion;
    this.#compacted = firstVersion;
    this.#eventLimit = eventLimit;
  }

  /** Of the last write. */
  get version(): number {
    return this.#version;
  }

  /** The oldest version that can still be asked for. */
  get oldestVersion(): number {
    return this.#compacted;
  }

  get(plural: string, key: string): ApiObject | undefined {
    return this.#buckets.get(plural)?.objects.get(key);
  }

  /** Writes what `build` makes with the write's version. */
  put(plural: string, key: string, build: (resourceVersion: string) => ApiObject): ApiObject {
    const bucket = this.#bucket(plural);
    const previous = bucket.objects.get(key);
    const version = this.#version + 1;
    const object = build(String(version));
    this.#version = version;
    bucket.objects.set(key, object);
    if (previous === undefined) bucket.sorted = undefined;
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    this.#publish({ type, plural, key, version, object, previous });
    return object;
  }

  /** Removes the object and returns it with the version of the removal. */
  delete(plural: string, key: string): ApiObject {
    const bucket = this.#bucket(plural);
    const previous = bucket.objects.get(key);
    if (previous === undefined) {
      throw new PodloomError('ERR_NO_OBJECT', `no ${plural} at ${key} to remove: look first`);
    }
    const version = ++this.#version;
    const metadata = { ...previous.metadata, resourceVersion: String(version) };
    const object = { ...previous, metadata };
    bucket.objects.delete(key);
    bucket.sorted = undefined;
    this.#publish({ type: 'DELETED', plural, key, version, object, previous });
    return object;
  }

  /** The objects whose key starts with `prefix`, in the order of their keys. */
  list(plural: string, prefix: string): ApiObject[] {
    const bucket = this.#bucket(plural);
    bucket.sorted ??= [...bucket.objects.keys()].sort();
    const found: ApiObject[] = [];
    for (let i = lowerBound(bucket.sorted, prefix); i < bucket.sorted.length; i++) {
      const key = bucket.sorted[i];
      if (!key.startsWith(prefix)) break;
      found.push(bucket.objects.get(key) as ApiObject);
    }
    return found;
  }

  /** As `list`, at an older version. */
  listAt(plural: string, prefix: string, version: number): ApiObject[] {
    if (version >= this.#version) return this.list(plural, prefix);
    const objects = new Map(this.#bucket(plural).objects);
    for (const event of this.since(version).reverse()) {
      if (event.plural !== plural) continue;
      if (event.previous === undefined) objects.delete(event.key);
      else objects.set(event.key, event.previous);
    }
    return [...objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .sort()
      .map((key) => objects.get(key) as ApiObject);
  }

  /** The events after a version, oldest first. */
  since(version: number): StoreEvent[] {
    if (version < this.#compacted) throw new CompactedError(version, this.#compacted);
    let from = this.#events.length;
    while (from > 0 && this.#events[from - 1].version > version) from--;
    return this.#events.slice(from);
  }

  /** Forgets all events so far. */
  compact(): void {
    this.#events = [];
    this.#compacted = this.#version;
  }

  /** Calls back with every event, during the write. Returns what ends it. */
  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #bucket(plural: string): Bucket {
    let bucket = this.#buckets.get(plural);
    if (bucket === undefined) {
      bucket = { objects: new Map(), sorted: undefined };
      this.#buckets.set(plural, bucket);
    }
    return bucket;
  }

  #publish(event: StoreEvent): void {
    this.#events.push(event);
    // Twice the limit before anything is cut: a cut moves the whole array.
    if (this.#events.length >= 2 * this.#eventLimit) {
      this.#events = this.#events.slice(-this.#eventLimit);
      this.#compacted = this.#events[0].version - 1;
    }
    for (const listener of this.#listeners) listener(event);
  }
}

function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
