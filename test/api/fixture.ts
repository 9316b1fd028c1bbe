// Real servers for the API client: everything that is opened here is closed by `cleanUp`.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { KubeHttp, type KubeHttpOptions } from '../../src/api/index.js';

const undo: (() => unknown)[] = [];

export function atEnd(what: () => unknown): void {
  undo.push(what);
}

export async function cleanUp(): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each();
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'podloom-api-'));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function writeIn(path: string, name: string, text: string, mode = 0o600): string {
  const file = join(path, name);
  writeFileSync(file, text, { mode });
  return file;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answerer = (asked: Asked, response: http.ServerResponse, request: http.IncomingMessage) => void;

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Everything that was asked, in order. */
  readonly asked: Asked[];
  /** How many connections were opened in all. */
  readonly connections: number;
}

/** An HTTP server, or an HTTPS one with `tls`, that answers by `answer` once it has the whole request. */
export async function serve(answer: Answerer, tls?: https.ServerOptions): Promise<TestServer> {
  const asked: Asked[] = [];
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      answer(one, response, request);
    });
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  let connections = 0;
  server.on('connection', () => connections++);
  const port = await listen(server);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked,
    get connections() {
      return connections;
    },
  };
}

/** A server on the level of bytes: `onConnection` has the socket. */
export async function serveSocket(onConnection: (socket: Socket) => void): Promise<number> {
  return listen(net.createServer(onConnection));
}

async function listen(server: net.Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => undefined));
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

export function json(response: http.ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export async function configOf(cluster: Partial<Cluster>, user: Partial<User> = {}): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const skipTLSVerify = cluster.server?.startsWith('http:') ?? false;
  config.loadFromClusterAndUser(
    { name: 'test', server: '', skipTLSVerify, ...cluster },
    { name: 'tester', ...user },
  );
  return config;
}

export function clientOf(config: KubeConfig, options?: KubeHttpOptions): KubeHttp {
  const client = new KubeHttp(config, options);
  atEnd(() => client.destroy());
  return client;
}

/** Why there are no certificates to test with, or undefined. */
export function withoutOpenssl(): string | undefined {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return `openssl cannot be run (${(error as Error).message}): no certificates, so nothing over TLS is tested`;
  }
}

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of its own, which signs what it is asked to. */
export class Authority {
  readonly #folder = folder();
  readonly cert: string;

  constructor(name: string) {
    this.#openssl('req -x509 -nodes -days 2 -keyout ca.key -out ca.crt', name);
    this.cert = this.#read('ca.crt');
  }

  /** `alternatives` as `DNS:a.test,IP:127.0.0.1`: then it is a server's. */
  issue(name: string, alternatives?: string): Pair {
    this.#openssl('req -nodes -keyout leaf.key -out leaf.csr', name);
    const extensions =
      alternatives === undefined ? 'extendedKeyUsage=clientAuth' : `subjectAltName=${alternatives}`;
    writeIn(this.#folder, 'leaf.ext', `${extensions}\n`);
    this.#run(
      'x509 -req -days 2 -in leaf.csr -CA ca.crt -CAkey ca.key -CAcreateserial -extfile leaf.ext -out leaf.crt',
    );
    return { cert: this.#read('leaf.crt'), key: this.#read('leaf.key') };
  }

  #openssl(args: string, name: string): void {
    this.#run(`${args} -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=${name}`);
  }

  #run(args: string): void {
    execFileSync('openssl', args.split(' '), { cwd: this.#folder, stdio: 'pipe' });
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
