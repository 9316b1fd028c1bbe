/**
 * A status manager, a real API server and real HTTP between them, for one test.
 *
 * The pod manager follows the server's store as a watch would, unless `follow` is turned off.
 */
import { HttpStatusClient, KubeHttp, kubeConfigFor } from '../../src/api/index.js';
import { ApiServer, type ApiServerOptions, type RequestMatch } from '../../src/apiserver/index.js';
import type { Pod, PodCondition, PodStatus } from '../../src/kube/types.js';
import { BasicPodManager } from '../../src/pod/pod-manager.js';
import { type StatusClient, StatusManager, type StatusManagerOptions } from '../../src/status/index.js';

export interface RigOptions extends Partial<StatusManagerOptions> {
  readonly server?: ApiServerOptions;
  /** To listen in on the manager's requests. */
  readonly wrap?: (client: StatusClient) => StatusClient;
}

export class StatusRig {
  readonly server: ApiServer;
  readonly podManager = new BasicPodManager();
  readonly manager: StatusManager;
  /** UIDs that may still have something running. */
  readonly running = new Set<string>();
  follow = true;
  readonly #http: KubeHttp;

  private constructor(server: ApiServer, http: KubeHttp, options: RigOptions) {
    this.server = server;
    this.#http = http;
    this.manager = new StatusManager({
      client: (options.wrap ?? ((client) => client))(new HttpStatusClient(http)),
      podManager: this.podManager,
      podDeletionSafety: {
        podCouldHaveRunningContainers: ({ metadata }) => this.running.has(metadata.uid ?? ''),
      },
      qps: Infinity,
      backoff: { initialMs: 1, maxMs: 8 },
      ...options,
    });
    server.store.subscribe(({ plural, object, type }) => {
      if (!this.follow || plural !== 'pods') return;
      if (type === 'DELETED') this.podManager.removePod(object);
      else this.podManager.updatePod(object);
    });
  }

  /** With a manager that is not started. */
  static async open(options: RigOptions = {}): Promise<StatusRig> {
    const server = await ApiServer.start(options.server);
    const http = new KubeHttp(await kubeConfigFor({ server: server.url }));
    return new StatusRig(server, http, options);
  }

  static async start(options: RigOptions = {}): Promise<StatusRig> {
    const rig = await StatusRig.open(options);
    await rig.manager.start();
    return rig;
  }

  /** Nothing of it is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.server.faults.clear();
    await this.manager.stop({ deadlineMs: 0 });
    await this.#http.close();
    await this.server.stop();
  }

  async createPod(name: string, pod: Partial<Pod> = {}): Promise<Pod> {
    return this.ask('POST', '/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { nodeName: 'n1', containers: [{ name: 'a', image: 'i' }] },
      ...pod,
      metadata: { name, ...pod.metadata },
    });
  }

  async createPods(count: number): Promise<Pod[]> {
    return Promise.all(Array.from({ length: count }, (_, i) => this.createPod(`pod-${i}`)));
  }

  async getPod(name: string): Promise<Pod> {
    return this.ask('GET', `/api/v1/namespaces/default/pods/${name}`);
  }

  /** Another client. */
  async ask(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Pod> {
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
    });
    const answer = (await response.json()) as Pod;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Another client's write to a pod's status. */
  async meddle(name: string, status: object): Promise<Pod> {
    return this.ask(
      'PATCH',
      `/api/v1/namespaces/default/pods/${name}/status`,
      { status },
      'application/strategic-merge-patch+json',
    );
  }

  /** What the manager asked for since, as `patch pod-0/status`. */
  requests(since = 0, match: RequestMatch = {}): string[] {
    return this.server.requests
      .matching(match)
      .filter(({ id }) => id > since)
      .map(({ verb, name, subresource }) => `${verb} ${name}${subresource === '' ? '' : `/${subresource}`}`);
  }

  /** To count from. */
  get now(): number {
    return this.server.requests.records.at(-1)?.id ?? 0;
  }
}

export const ready = (status: 'True' | 'False'): PodCondition[] => [
  { type: 'Ready', status },
  { type: 'ContainersReady', status },
];

export const running = (message = '', isReady: 'True' | 'False' = 'False'): PodStatus => ({
  phase: 'Running',
  message,
  conditions: ready(isReady),
});

/** Lets the loop see the signal it was sent. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
