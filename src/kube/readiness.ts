/** Whether a pod with readiness gates needs its Ready condition looked at again. */
import { getPodConditionFromList, podReady } from './conditions.js';
import type { Gates } from './gates.js';
import { generatePodReadyCondition } from './generate.js';
import type { ContainerStatus, Pod, PodStatus } from './types.js';

/** By what the API has: a Ready condition that is missing there is left to the next sync. */
export function needToReconcilePodReadiness(pod: Pod, gates: Gates): boolean {
  if (!pod.spec?.readinessGates?.length) return false;
  const status = pod.status ?? {};
  const current = getPodConditionFromList(status.conditions, podReady)?.condition;
  if (current === undefined) return false;
  // Without the gate a sidecar's status is not found, and a pod with one is never as expected.
  const statuses = gates.SidecarReadinessGates ? allStatuses(status) : status.containerStatuses;
  const expected = generatePodReadyCondition(pod.spec, status.conditions, statuses, status.phase);
  return (current.status ?? '') !== expected.status || (current.message ?? '') !== (expected.message ?? '');
}

function allStatuses(status: PodStatus): readonly ContainerStatus[] | null {
  const { initContainerStatuses: init, containerStatuses: regular } = status;
  return init || regular ? [...(init ?? []), ...(regular ?? [])] : null;
}
