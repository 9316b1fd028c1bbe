/**
 * Watches: the events of the store as a client selected them, one JSON document a line.
 *
 * An object that comes to match is ADDED to the watch, one that ceases to is DELETED with its old content and the new
 * version. A version that is gone gives one ERROR event with a 410 and the end; the client lists again.
 */
import type { ServerResponse } from 'node:http';
import type { Clock, TimerHandle } from '../sync/index.js';
import { integer, selectorOf } from './endpoints.js';
import { objectText } from './object-text.js';
import { parseVersion, validateListOptions } from './registry/list.js';
import { withMeta } from './registry/registry.js';
import { type ApiRequest, param } from './request.js';
import type { Route } from './router.js';
import type { Selector } from './selectors.js';
import { expired } from './status-error.js';
import { type ApiObject, CompactedError, type Store, type StoreEvent } from './store.js';

/** How often a quiet watch hears of the version it is at. */
const BOOKMARK_PERIOD_MS = 60_000;
/** And how long before its end. */
const BOOKMARK_BEFORE_END_MS = 2_000;
/** A client that reads too slowly is cut off, as it could not catch up. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

interface WatchQuery {
  readonly selector: Selector;
  readonly version: number;
  readonly timeoutSeconds: number;
  readonly bookmarks: boolean;
}

/** Throws a StatusError for what is no watch. */
export function parseWatch(route: Route, request: ApiRequest): WatchQuery {
  const resourceVersion = param(request, 'resourceVersion');
  validateListOptions({
    resourceVersion,
    match: param(request, 'resourceVersionMatch'),
    continueToken: '',
    sendInitialEvents: request.query?.get('sendInitialEvents') ?? undefined,
    isWatch: true,
  });
  const bookmarks = param(request, 'allowWatchBookmarks');
  const selector = selectorOf(route.resource, request);
  return {
    selector: route.name === '' ? selector : withName(selector, route.name),
    version: parseVersion(resourceVersion),
    timeoutSeconds: integer(param(request, 'timeoutSeconds')),
    bookmarks: bookmarks === 'true' || bookmarks === '1',
  };
}

function withName(selector: Selector, name: string): Selector {
  return {
    isEverything: false,
    matches: (object) => object.metadata.name === name && selector.matches(object),
  };
}

export class Watch {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #route: Route;
  readonly #query: WatchQuery;
  readonly #response: ServerResponse;
  readonly #onEnd: () => void;
  #timers: TimerHandle[] = [];
  #unsubscribe: (() => void) | undefined;
  #bookmarked: number;

  constructor(
    store: Store,
    clock: Clock,
    route: Route,
    query: WatchQuery,
    response: ServerResponse,
    onEnd: () => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#route = route;
    this.#query = query;
    this.#response = response;
    this.#onEnd = onEnd;
    this.#bookmarked = query.version === 0 ? store.version : query.version;
  }

  /** The headers are sent at once, whether or not there is an event. */
  start(): void {
    this.#response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    this.#response.flushHeaders();
    this.#response.on('close', () => this.#finish());
    if (!this.#catchUp()) return;
    this.#unsubscribe = this.#store.subscribe((event) => this.#take(event));
    const { timeoutSeconds, bookmarks } = this.#query;
    const now = this.#clock.now();
    if (bookmarks) this.#bookmarkEvery(now);
    if (timeoutSeconds <= 0) return;
    const end = now + timeoutSeconds * 1000;
    if (bookmarks && timeoutSeconds * 1000 > BOOKMARK_BEFORE_END_MS) {
      this.#at(end - BOOKMARK_BEFORE_END_MS, () => this.#bookmark());
    }
    this.#at(end, () => this.end());
  }

  end(): void {
    this.#response.end();
    this.#finish();
  }

  /** What there is, or what happened since. False if the watch is over before it began. */
  #catchUp(): boolean {
    const { resource, namespace } = this.#route;
    const { version, selector } = this.#query;
    if (version === 0) {
      for (const object of this.#store.list(resource.plural, namespace === '' ? '' : `${namespace}/`)) {
        if (selector.matches(object)) this.#send('ADDED', object);
      }
      return true;
    }
    try {
      for (const event of this.#store.since(version)) this.#take(event);
      return true;
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      const { status } = expired(`too old resource version: ${version} (${error.oldest})`);
      this.#write(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
      this.end();
      return false;
    }
  }

  #take(event: StoreEvent): void {
    const { resource, namespace } = this.#route;
    // A version of the future is waited for.
    if (event.plural !== resource.plural || event.version <= this.#query.version) return;
    if (namespace !== '' && !event.key.startsWith(`${namespace}/`)) return;
    const { selector } = this.#query;
    const matched = event.previous !== undefined && selector.matches(event.previous);
    if (event.type === 'DELETED') {
      if (matched) this.#send('DELETED', event.object);
    } else if (selector.matches(event.object)) {
      this.#send(matched ? 'MODIFIED' : 'ADDED', event.object);
    } else if (matched) {
      const resourceVersion = String(event.version);
      this.#send('DELETED', withMeta(event.previous, { resourceVersion }));
    }
  }

  #send(type: string, object: ApiObject): void {
    const { kind, apiVersion } = this.#route.resource;
    this.#write(`{"type":"${type}","object":${objectText(kind, apiVersion, object)}}\n`);
  }

  #bookmarkEvery(from: number): void {
    this.#at(from + BOOKMARK_PERIOD_MS, () => {
      this.#bookmark();
      this.#bookmarkEvery(this.#clock.now());
    });
  }

  /** Only if there is something newer to say. */
  #bookmark(): void {
    const { version } = this.#store;
    if (version <= this.#bookmarked) return;
    this.#bookmarked = version;
    const { kind, apiVersion } = this.#route.resource;
    const metadata = { resourceVersion: String(version), creationTimestamp: null };
    this.#write(`{"type":"BOOKMARK","object":${JSON.stringify({ kind, apiVersion, metadata })}}\n`);
  }

  #write(line: string): void {
    this.#response.write(line);
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
  }

  #at(time: number, fire: () => void): void {
    this.#timers.push(this.#clock.setTimer(time, fire));
  }

  #finish(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    for (const timer of this.#timers) timer.stop();
    this.#timers = [];
    this.#onEnd();
  }
}
