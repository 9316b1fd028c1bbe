/** What is sent to the API server: the kubelet's status, laid over what others wrote. */
import {
  getPodConditionFromList,
  isPodConditionTrue,
  containersReady,
  podConditionByKubelet,
  podConditionSharedByKubelet,
  podReady,
  replaceOrAppendPodCondition,
  updateLastTransitionTime,
  updatePodCondition,
} from './conditions.js';
import type { Gates } from './gates.js';
import {
  generateContainersReadyConditionForTerminalPhase,
  generatePodReadyConditionForTerminalPhase,
} from './generate.js';
import { isPodPhaseTerminal } from './pod.js';
import type { PodCondition, PodStatus } from './types.js';

export interface MergedStatus {
  readonly merged: PodStatus;
  /**
   * Upstream merges in place and so stamps the transition times of shared conditions in the cached status, too. That
   * status, if there was anything to stamp; null with the gate ImmutableMerge.
   */
  readonly restamped: PodStatus | null;
}

/** `old` is the API's, `next` the kubelet's. A terminal phase is held back while something may still be running. */
export function mergePodStatus(
  old: PodStatus,
  next: PodStatus,
  couldHaveRunningContainers: boolean,
  now: number,
  gates: Gates,
): MergedStatus {
  const isEnding = !isPodPhaseTerminal(old.phase) && isPodPhaseTerminal(next.phase);
  let source = next;
  let conditions: PodCondition[] = (old.conditions ?? []).filter(
    ({ type }) => !podConditionByKubelet(type, gates),
  );
  for (const condition of next.conditions ?? []) {
    const { type } = condition;
    if (podConditionByKubelet(type, gates)) {
      conditions.push(condition);
    } else if (podConditionSharedByKubelet(type, gates) && isEnding && !couldHaveRunningContainers) {
      source = updateLastTransitionTime(source, old, type, now);
      const stamped = getPodConditionFromList(source.conditions, type)?.condition ?? condition;
      conditions = replaceOrAppendPodCondition(conditions, stamped);
    }
  }

  let merged: PodStatus = { ...next, conditions, resourceClaimStatuses: old.resourceClaimStatuses };
  if (isEnding && couldHaveRunningContainers) {
    merged = { ...merged, phase: old.phase, reason: old.reason, message: old.message };
  }
  return {
    merged: isPodPhaseTerminal(merged.phase) ? notReady(merged, now) : merged,
    restamped: source === next || gates.ImmutableMerge ? null : source,
  };
}

function notReady(status: PodStatus, now: number): PodStatus {
  if (!isPodConditionTrue(status, podReady) && !isPodConditionTrue(status, containersReady)) return status;
  const containers = generateContainersReadyConditionForTerminalPhase(status.phase);
  const pod = generatePodReadyConditionForTerminalPhase(status.phase);
  return updatePodCondition(updatePodCondition(status, containers, now).status, pod, now).status;
}
