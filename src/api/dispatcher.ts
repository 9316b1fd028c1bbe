/**
 * The undici dispatcher for one cluster: a pool of kept-alive HTTP/1.1 connections, at most `connections` of them,
 * direct or through the cluster's proxy.
 *
 * http and https proxies are asked to CONNECT, also for plain http servers, as client-node does. For SOCKS, client-node's
 * own agent makes the connection, and TLS goes on top of it here.
 */
import type { Socket } from 'node:net';
import { type Dispatcher, Pool, ProxyAgent, buildConnector } from 'undici';
import type { Credentials } from './credentials.js';
import { badKubeConfig } from './errors.js';

export interface DispatcherOptions {
  readonly origin: string;
  readonly proxy: URL | undefined;
  readonly connections: number;
}

/** Below the 60 s after which common load balancers forget an idle connection, and the API server's 90 s. */
const KEEP_ALIVE_MS = 30_000;

export function createDispatcher(options: DispatcherOptions, credentials: Credentials): Dispatcher {
  const { origin, proxy, connections } = options;
  const { tls } = credentials;
  // Each request has one deadline for everything; undici's own timers would only add to its cost.
  const common = {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  if (proxy === undefined) return new Pool(origin, { ...common, connect: { ...tls } });
  if (proxy.protocol.startsWith('socks')) {
    return new Pool(origin, { ...common, connect: socksConnector(credentials) });
  }
  return new ProxyAgent({ ...common, uri: proxy.href, requestTls: { ...tls }, ...proxyAuthorization(proxy) });
}

/** undici takes them from the URL only if there are both. */
function proxyAuthorization({ username, password }: URL): { token?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** What an agent that can make connections itself has, as all of the agent-base family. */
interface ConnectingAgent {
  connect(
    request: unknown,
    options: { readonly host: string; readonly port: number; readonly secureEndpoint: false },
  ): Promise<Socket>;
}

function socksConnector({ agent, tls }: Credentials): buildConnector.connector {
  const connecting = agent as unknown as Partial<ConnectingAgent> | undefined;
  const secure = buildConnector({ ...tls });
  return (options, callback) => {
    if (connecting?.connect === undefined) {
      callback(badKubeConfig('client-node gave no SOCKS agent for the cluster; use an http proxy'), null);
      return;
    }
    const isSecure = options.protocol === 'https:';
    const port = Number(options.port) || (isSecure ? 443 : 80);
    const host = options.hostname.replace(/^\[|\]$/g, '');
    connecting.connect({ destroy() {} }, { host, port, secureEndpoint: false }).then(
      (socket) => {
        if (isSecure) secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket.setNoDelay(true));
      },
      (error: Error) => callback(error, null),
    );
  };
}
