/**
 * HTTP to one cluster, as fast as this process can: kept-alive connections, credentials and TLS from a KubeConfig.
 *
 * - At most `connections` sockets at a time; further requests wait for one.
 * - A 401 makes the credentials be read again, and if that gives others, the request goes once more.
 * - When TLS material changes, new requests take new connections; the old ones end with the requests they have.
 * - Every answer is read to its end and handed over whole. Whatever status it has is the caller's business.
 */
import type { KubeConfig } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { isDeepStrictEqual } from 'node:util';
import { parseProxy, parseServer } from './addresses.js';
import { type CredentialOptions, CredentialSource, type Credentials } from './credentials.js';
import { Deadline } from './deadline.js';
import type { createDispatcher } from './dispatcher.js';
import { apiTimeout, badKubeConfig, badOption, clientClosed } from './errors.js';
import { type KubeAnswer, exchange } from './exchange.js';
import { USER_AGENT } from './user-agent.js';

export interface KubeHttpOptions extends CredentialOptions {
  /** How many connections at most. Default 32. */
  readonly connections?: number;
  /** How long a request may take from the call to the end of its answer. Default 30,000; 0 is no limit. */
  readonly timeoutMs?: number;
  /** The largest answer that is taken. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  readonly userAgent?: string;
}

export interface KubeRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** From the server's base, query included, escaped: `/api/v1/nodes?limit=500`. */
  readonly path: string;
  readonly body?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
}

/** Credentials, and the connections that were opened with them. */
interface Line {
  readonly credentials: Credentials;
  readonly dispatcher: Dispatcher;
}

export class KubeHttp {
  /** The cluster's URL without a slash at its end. */
  readonly server: string;
  readonly #origin: string;
  readonly #base: string;
  readonly #proxy: URL | undefined;
  readonly #credentials: CredentialSource;
  readonly #options: Required<Omit<KubeHttpOptions, keyof CredentialOptions>>;
  /** Connections that take no new requests, and when they have ended. */
  readonly #draining = new Map<Dispatcher, Promise<void>>();
  #createDispatcher: typeof createDispatcher | null = null;
  #line: Line | null = null;
  #closed = false;

  constructor(config: KubeConfig, options: KubeHttpOptions = {}) {
    const cluster = config.getCurrentCluster();
    if (cluster === null) {
      throw badKubeConfig(
        `the kubeconfig's current context '${config.getCurrentContext()}' names no cluster; choose another context`,
      );
    }
    const url = parseServer(cluster.server);
    this.server = url.href.replace(/\/+$/, '');
    this.#origin = url.origin;
    this.#base = url.pathname.replace(/\/+$/, '');
    this.#proxy = cluster.proxyUrl ? parseProxy(cluster.proxyUrl) : undefined;
    this.#credentials = new CredentialSource(config, cluster, options);
    this.#options = {
      connections: atLeast('connections', 1, options.connections ?? 32),
      timeoutMs: atLeast('timeoutMs', 0, options.timeoutMs ?? 30_000),
      maxBodyBytes: atLeast('maxBodyBytes', 1, options.maxBodyBytes ?? 32 * 1024 * 1024),
      userAgent: options.userAgent ?? USER_AGENT,
    };
  }

  async request(request: KubeRequest): Promise<KubeAnswer> {
    const ms = request.timeoutMs ?? this.#options.timeoutMs;
    const deadline = new Deadline(ms, () => apiTimeout(describe(request), ms), request.signal);
    try {
      const line = this.#latestLine() ?? (await deadline.race(this.#firstLine()));
      const answer = await this.#send(line, request, deadline);
      if (answer.status !== 401) return answer;
      await deadline.race(this.#credentials.renew(line.credentials));
      const renewed = this.#latestLine();
      if (renewed === null || renewed.credentials === line.credentials) return answer;
      return await this.#send(renewed, request, deadline);
    } finally {
      deadline.release();
    }
  }

  /** Takes no more requests, and resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#end();
    await Promise.all(this.#draining.values());
  }

  /** Ends everything at once; requests under way fail. */
  async destroy(): Promise<void> {
    this.#end();
    await Promise.all([...this.#draining.keys()].map((dispatcher) => dispatcher.destroy(clientClosed())));
  }

  #end(): void {
    this.#closed = true;
    if (this.#line !== null) this.#drain(this.#line.dispatcher);
    this.#line = null;
  }

  /** Loads undici, too: 20 MB that a thread which only imports this file need not have. */
  async #firstLine(): Promise<Line> {
    const [dispatchers] = await Promise.all([import('./dispatcher.js'), this.#credentials.load()]);
    this.#createDispatcher = dispatchers.createDispatcher;
    return this.#latestLine() as Line;
  }

  /** Always of the newest credentials, so that a request which had to wait cannot bring older ones back. */
  #latestLine(): Line | null {
    if (this.#closed) throw clientClosed();
    const credentials = this.#credentials.latest();
    const create = this.#createDispatcher;
    if (credentials === null || create === null) return null;
    const old = this.#line;
    if (old?.credentials === credentials) return old;
    if (old !== null && isDeepStrictEqual(old.credentials.tls, credentials.tls)) {
      return (this.#line = { credentials, dispatcher: old.dispatcher });
    }
    const { connections } = this.#options;
    const dispatcher = create({ origin: this.#origin, proxy: this.#proxy, connections }, credentials);
    if (old !== null) this.#drain(old.dispatcher);
    return (this.#line = { credentials, dispatcher });
  }

  #drain(dispatcher: Dispatcher): void {
    const done = (): void => void this.#draining.delete(dispatcher);
    this.#draining.set(dispatcher, dispatcher.close().then(done, done));
  }

  #send(line: Line, request: KubeRequest, deadline: Deadline): Promise<KubeAnswer> {
    return exchange(
      line.dispatcher,
      {
        origin: this.#origin,
        method: request.method,
        path: this.#base + request.path,
        body: request.body,
        // Without this undici gives up the connection after a DELETE that has a body.
        reset: false,
        // A fresh object: undici's ProxyAgent writes into it.
        headers: {
          'user-agent': this.#options.userAgent,
          accept: 'application/json',
          ...request.headers,
          ...line.credentials.headers,
        },
      },
      {
        request: describe(request),
        maxBodyBytes: request.maxBodyBytes ?? this.#options.maxBodyBytes,
        deadline,
      },
    );
  }
}

const describe = (request: KubeRequest): string => `${request.method} ${request.path}`;

function atLeast(name: string, least: number, saw: number): number {
  if (typeof saw !== 'number' || !(saw >= least)) {
    throw badOption(name, `a number of at least ${least}`, saw);
  }
  return saw;
}
