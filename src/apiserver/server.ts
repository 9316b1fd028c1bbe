/**
 * The embedded API server: a kube-apiserver's HTTP interface to the objects in one process' memory.
 *
 * It listens on loopback unless told otherwise. A request without faults is answered in the turn its body arrived in:
 * writes are applied one at a time, in the order they came.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Clock, realClock } from '../sync/index.js';
import { answerBadRequest } from './bad-request.js';
import { Endpoints } from './endpoints.js';
import { Faults } from './faults.js';
import { SYSTEM_NAMESPACES, namespaceResource } from './registry/namespace.js';
import { type Environment, Registry } from './registry/registry.js';
import { RequestHandler } from './request-handler.js';
import { RequestLog } from './request-log.js';
import { Store, type StoreOptions } from './store.js';

export interface ApiServerOptions extends StoreOptions {
  readonly host?: string;
  /** A free one if it is not given. */
  readonly port?: number;
  /** PEM. With a client CA, a certificate of its is as good as a token. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCA?: string };
  /** Bearer tokens that are let in; everybody is, if neither these nor a client CA are given. */
  readonly tokens?: readonly string[];
  /** Times of objects, delays and watches. */
  readonly clock?: Clock;
  readonly newUID?: () => string;
  /** Five characters for a generated name. */
  readonly nameSuffix?: () => string;
  /** For what faults draw. */
  readonly seed?: number;
  /** How many requests the log keeps. */
  readonly requestLimit?: number;
}

export class ApiServer {
  readonly store: Store;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly #server: Server;
  readonly #handler: RequestHandler;
  readonly #url: string;

  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { tls, host = '127.0.0.1', port = 0 } = options;
    const server =
      tls === undefined
        ? createServer()
        : createTlsServer({
            key: tls.key,
            cert: tls.cert,
            ...(tls.clientCA === undefined
              ? {}
              : { ca: tls.clientCA, requestCert: true, rejectUnauthorized: false }),
          });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const address = server.address() as AddressInfo;
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return new ApiServer(
      server,
      `${tls === undefined ? 'http' : 'https'}://${name}:${address.port}`,
      options,
    );
  }

  private constructor(server: Server, url: string, options: ApiServerOptions) {
    const { clock = realClock, newUID = randomUUID, nameSuffix = randomSuffix, seed = 1 } = options;
    const environment: Environment = { now: () => clock.now(), newUID, nameSuffix };
    this.store = new Store(options);
    this.faults = new Faults(clock, seed);
    this.requests = new RequestLog(options.requestLimit ?? 100_000);
    this.#server = server;
    this.#url = url;
    const registry = new Registry(this.store, environment);
    for (const namespace of SYSTEM_NAMESPACES) {
      registry.create(namespaceResource, '', { metadata: { name: namespace } }, { dryRun: false });
    }
    this.#handler = new RequestHandler({
      store: this.store,
      faults: this.faults,
      requests: this.requests,
      endpoints: new Endpoints(this.store, environment),
      clock,
      tokens: options.tokens,
      acceptsCertificates: options.tls?.clientCA !== undefined,
    });
    // A client's idle connection stays: closing it would race with its next request.
    server.keepAliveTimeout = 0;
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#handler.serve(request, response),
    );
    server.on('clientError', answerBadRequest);
  }

  get url(): string {
    return this.#url;
  }

  /** Ends watches, breaks off what is under way, and frees the port. */
  async stop(): Promise<void> {
    this.#handler.close();
    this.faults.clear();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** What Kubernetes makes names of: no vowels, and nothing that looks like another. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

function randomSuffix(): string {
  return [...randomBytes(5)].map((byte) => SUFFIX_LETTERS[byte % SUFFIX_LETTERS.length]).join('');
}
