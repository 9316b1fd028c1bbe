/** A status manager with pods in it, for one benchmark. */
import type { Pod } from '../../src/kube/types.js';
import { BasicPodManager } from '../../src/pod/pod-manager.js';
import { type StatusClient, StatusManager, type StatusManagerOptions } from '../../src/status/index.js';
import { benchPod } from './pods.js';

/** Nobody gets to it: what is measured ends before the request. */
export const unreachable: StatusClient = {
  getPod: () => new Promise(() => {}),
  patchPodStatus: () => new Promise(() => {}),
  deletePod: () => new Promise(() => {}),
};

export interface Setup {
  readonly manager: StatusManager;
  readonly podManager: BasicPodManager;
  readonly pods: readonly Pod[];
}

export function setUp(count: number, options: Partial<StatusManagerOptions> = {}): Setup {
  const podManager = new BasicPodManager();
  const pods = Array.from({ length: count }, (_, i) => benchPod(i));
  for (const pod of pods) podManager.addPod(pod);
  const manager = new StatusManager({
    client: unreachable,
    podManager,
    podDeletionSafety: { podCouldHaveRunningContainers: () => false },
    maxPods: Math.max(1000, count),
    qps: Infinity,
    ...options,
  });
  return { manager, podManager, pods };
}
