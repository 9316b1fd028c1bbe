/**
 * How fast dirty pods get to an API server: the embedded one, in another process, on the same machine, answering at once
 * or 5 ms later. Upstream's code does the same against the same server in the same run where it can be had.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { HttpStatusClient, KubeHttp, kubeConfigFor } from '../../src/api/index.js';
import type { Pod } from '../../src/kube/types.js';
import { BasicPodManager } from '../../src/pod/pod-manager.js';
import { StatusManager } from '../../src/status/index.js';
import { benchStatus } from './pods.js';

export const DRAIN_DELAYS = [0, 5] as const;
export const DRAIN_CONCURRENCIES = [1, 8, 32] as const;

export interface Drained {
  readonly podsPerSecond: number;
  readonly requestsPerPod: number;
}

export class DrainServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(pods: number, delayMs: number): Promise<DrainServer> {
    const child = fork(new URL('./server.js', import.meta.url), [String(pods), String(delayMs)]);
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    return new DrainServer(child, url);
  }

  async requests(): Promise<number> {
    this.#child.send('requests');
    const [{ requests }] = (await once(this.#child, 'message')) as [{ requests: number }];
    return requests;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

/** Rounds alternate between ready and not, so that each finds all pods changed. */
export async function drain(
  server: DrainServer,
  count: number,
  concurrency: number,
  rounds: number,
): Promise<Drained[]> {
  const http = new KubeHttp(await kubeConfigFor({ server: server.url }), { connections: 32 });
  const podManager = new BasicPodManager();
  const manager = new StatusManager({
    client: new HttpStatusClient(http),
    podManager,
    podDeletionSafety: { podCouldHaveRunningContainers: () => false },
    concurrency,
    qps: Infinity,
    syncPeriodMs: 1e9,
  });
  const list = (await (await fetch(`${server.url}/api/v1/namespaces/default/pods`)).json()) as {
    items: Pod[];
  };
  const pods = list.items.slice(0, count);
  for (const pod of pods) podManager.addPod(pod);
  await manager.start();
  const results: Drained[] = [];
  // The first round is a rehearsal: connections are opened, code is compiled.
  for (let round = -1; round < rounds; round++) {
    const before = await server.requests();
    const start = performance.now();
    pods.forEach((pod, i) => manager.setPodStatus(pod, benchStatus(i, round % 2 === 0)));
    await manager.idle();
    const seconds = (performance.now() - start) / 1000;
    const requests = (await server.requests()) - before;
    if (requests < count) throw new Error(`only ${requests} requests for ${count} pods`);
    if (round >= 0) results.push({ podsPerSecond: count / seconds, requestsPerPod: requests / count });
  }
  const { unsynced } = await manager.stop();
  if (unsynced > 0) throw new Error(`${unsynced} pods were not sent`);
  await http.close();
  return results;
}
