/** The last status of a pod: status_manager.go TerminatePod as a function of data. */
import { hasPodInitialized, initializedContainers } from '../kube/container-status.js';
import { isPodPhaseTerminal, isStaticPod } from '../kube/pod.js';
import type { ContainerStatus, Pod, PodStatus } from '../kube/types.js';

/**
 * Nobody will ever know how these containers ended. 137 is what a kill gives.
 * The texts are upstream's, as people and programs look for them.
 */
const UNKNOWN_END = {
  terminated: {
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    exitCode: 137,
  },
} as const;

/**
 * `status` is the cached one, or the pod's own where nothing is cached. Whether the regular containers had their turn
 * is read from the pod that was passed in, whatever is cached: so does upstream.
 */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const containerStatuses = hasPodInitialized(pod)
    ? status.containerStatuses?.map(ended)
    : status.containerStatuses;
  const attempted = initializedContainers(status.initContainerStatuses)?.length ?? 0;
  const initContainerStatuses = status.initContainerStatuses?.map((container, i) =>
    i < attempted ? ended(container) : container,
  );
  // Static pods keep their phase (kubernetes#116484).
  const phase = isStaticPod(pod) || isPodPhaseTerminal(status.phase) ? status.phase : 'Failed';
  return { ...status, phase, containerStatuses, initContainerStatuses };
}

function ended(container: ContainerStatus): ContainerStatus {
  return container.state?.terminated ? container : { ...container, state: UNKNOWN_END };
}
