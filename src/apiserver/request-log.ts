/**
 * Every request the server got, in order: what it asked, how it ended, and when it began and ended beside the others.
 *
 * `started` and `finished` count one sequence: two requests overlapped if each started before the other finished.
 */
import type { Verb } from './router.js';

export interface RequestRecord {
  readonly id: number;
  readonly method: string;
  /** Undefined for a path that is nothing of the API's. */
  readonly verb: Verb | undefined;
  /** The plural; '' if there is none. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly started: number;
  /** Undefined while it is under way. */
  readonly finished: number | undefined;
  /** What was answered; undefined if nothing was, or not yet. */
  readonly code: number | undefined;
}

export interface RequestMatch {
  readonly method?: string;
  readonly verb?: Verb;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string | RegExp;
  readonly name?: string | RegExp;
  readonly code?: number;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

interface Waiter {
  readonly match: RequestMatch;
  left: number;
  readonly resolve: () => void;
}

export class RequestLog {
  readonly #limit: number;
  #records: Open<RequestRecord>[] = [];
  #sequence = 0;
  #ids = 0;
  #waiters: Waiter[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The newest ones, oldest first: at least `limit`, then older ones are forgotten. */
  get records(): readonly RequestRecord[] {
    return this.#records;
  }

  /** How many requests came, also those that are forgotten. */
  get total(): number {
    return this.#ids;
  }

  matching(match: RequestMatch): RequestRecord[] {
    return this.#records.filter((record) => matches(match, record));
  }

  count(match: RequestMatch = {}): number {
    return this.matching(match).length;
  }

  /** How many of them were under way at once, at most, for one object. */
  maxOverlap(match: RequestMatch = {}): number {
    const ends: { readonly at: number; readonly key: string; readonly step: 1 | -1 }[] = [];
    for (const record of this.matching(match)) {
      const key = `${record.resource}/${record.namespace}/${record.name}`;
      ends.push({ at: record.started, key, step: 1 });
      if (record.finished !== undefined) ends.push({ at: record.finished, key, step: -1 });
    }
    ends.sort((a, b) => a.at - b.at);
    const open = new Map<string, number>();
    let most = 0;
    for (const { key, step } of ends) {
      const now = (open.get(key) ?? 0) + step;
      open.set(key, now);
      most = Math.max(most, now);
    }
    return most;
  }

  /** Resolves when so many more matching requests have finished. */
  finished(match: RequestMatch, count = 1): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ match, left: count, resolve }));
  }

  clear(): void {
    this.#records = [];
  }

  /** The server's: a request has come. */
  start(about: Omit<RequestRecord, 'id' | 'started' | 'finished' | 'code'>): RequestRecord {
    const record = {
      ...about,
      id: ++this.#ids,
      started: ++this.#sequence,
      finished: undefined,
      code: undefined,
    };
    this.#records.push(record);
    // Twice the limit before anything is cut: a cut moves the whole array.
    if (this.#records.length >= 2 * this.#limit) this.#records = this.#records.slice(-this.#limit);
    return record;
  }

  /** The server's: it was answered, or (no code) broken off. */
  finish(record: RequestRecord, code: number | undefined): void {
    if (record.finished !== undefined) return;
    const own = record as Open<RequestRecord>;
    own.finished = ++this.#sequence;
    own.code = code;
    if (this.#waiters.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => {
      if (!matches(waiter.match, record) || --waiter.left > 0) return true;
      waiter.resolve();
      return false;
    });
  }
}

export function matches(match: RequestMatch, record: RequestRecord): boolean {
  return (
    (match.method === undefined || match.method === record.method) &&
    (match.verb === undefined || match.verb === record.verb) &&
    (match.resource === undefined || match.resource === record.resource) &&
    (match.subresource === undefined || match.subresource === record.subresource) &&
    (match.code === undefined || match.code === record.code) &&
    fits(match.namespace, record.namespace) &&
    fits(match.name, record.name)
  );
}

function fits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return typeof pattern === 'string' ? pattern === text : text.search(pattern) >= 0;
}
