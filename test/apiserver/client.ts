/** For tests: a server with a clock of its own, and plain requests to it. */
import { ApiServer, type ApiServerOptions } from '../../src/apiserver/index.js';
import type { FailureStatus } from '../../src/kube/api-error.js';
import type { Pod } from '../../src/kube/types.js';
import { FakeClock } from '../../src/sync/index.js';

export const STRATEGIC = 'application/strategic-merge-patch+json';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

/** 2024-01-02T03:04:05Z */
export const START = Date.UTC(2024, 0, 2, 3, 4, 5);
export const PODS = '/api/v1/namespaces/default/pods';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface RequestOptions {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export class TestServer implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly server: ApiServer;

  static async start(options: ApiServerOptions = {}): Promise<TestServer> {
    const clock = new FakeClock({ now: START });
    let uids = 0;
    const newUID = (): string => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`;
    return new TestServer(await ApiServer.start({ clock, newUID, ...options }), clock);
  }

  private constructor(server: ApiServer, clock: FakeClock) {
    this.server = server;
    this.clock = clock;
  }

  async send<T = Pod>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const { contentType = 'application/json', headers = {}, signal } = options;
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': contentType }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  }

  /** A pod on node `n`, unless the spec says otherwise. */
  async createPod(name: string, spec: Pod['spec'] = {}, metadata: Pod['metadata'] = {}): Promise<Pod> {
    const { status, body } = await this.send('POST', PODS, {
      metadata: { name, ...metadata },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'busybox:1' }], ...spec },
    });
    if (status !== 201) throw new Error(`creating ${name}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  patchStatus<T = Pod>(name: string, status: unknown, metadata?: unknown): Promise<Answer<T>> {
    const body = { ...(metadata === undefined ? {} : { metadata }), status };
    return this.send<T>('PATCH', `${PODS}/${name}/status`, body, { contentType: STRATEGIC });
  }

  get(name: string): Promise<Answer<Pod>> {
    return this.send('GET', `${PODS}/${name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
    this.clock.dispose();
  }
}

export const messageOf = ({ body }: Answer<unknown>): string => (body as FailureStatus).message;
