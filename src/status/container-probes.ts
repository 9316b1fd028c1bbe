/** What a probe's result does to a status: SetContainerReadiness and SetContainerStartup as functions of data. */
import { replaceOrAppendPodCondition } from '../kube/conditions.js';
import { findContainerStatus } from '../kube/container-status.js';
import { generateContainersReadyCondition, generatePodReadyCondition } from '../kube/generate.js';
import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../kube/types.js';

/** Why nothing came of it. */
export type ProbeMiss = 'no-container' | 'unchanged';

export function withReadiness(
  pod: Pod,
  status: PodStatus,
  containerID: string,
  ready: boolean,
): PodStatus | ProbeMiss {
  const changed = withContainer(status, containerID, (container) =>
    (container.ready ?? false) === ready ? null : { ...container, ready },
  );
  if (typeof changed === 'string') return changed;
  const { initContainerStatuses: init, containerStatuses: regular, phase = '' } = changed;
  const all = !init ? regular : [...init, ...(regular ?? [])];
  const spec = pod.spec ?? {};
  const podReady = generatePodReadyCondition(spec, changed.conditions, all, phase);
  const containersReady = generateContainersReadyCondition(spec, all, phase);
  return {
    ...changed,
    conditions: [podReady, containersReady].reduce<readonly PodCondition[]>(
      replaceOrAppendPodCondition,
      changed.conditions ?? [],
    ),
  };
}

/** Startup changes no condition. An unset `started` is neither true nor false. */
export function withStartup(status: PodStatus, containerID: string, started: boolean): PodStatus | ProbeMiss {
  return withContainer(status, containerID, (container) =>
    container.started === started ? null : { ...container, started },
  );
}

function withContainer(
  status: PodStatus,
  containerID: string,
  change: (container: ContainerStatus) => ContainerStatus | null,
): PodStatus | ProbeMiss {
  const found = findContainerStatus(status, containerID);
  if (found.index < 0) return 'no-container';
  const field = found.init ? 'initContainerStatuses' : 'containerStatuses';
  const list = status[field] ?? [];
  const changed = change(list[found.index]);
  if (changed === null) return 'unchanged';
  return { ...status, [field]: list.map((container, i) => (i === found.index ? changed : container)) };
}
