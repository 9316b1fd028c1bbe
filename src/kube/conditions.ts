/**
 * Pod conditions: finding, replacing, and when they last changed.
 *
 * Of two conditions with one type the first counts, everywhere.
 */
import type { Gates } from './gates.js';
import { secondsOf, timeOf, timesEqual } from './time.js';
import type { ConditionStatus, PodCondition, PodStatus } from './types.js';

export const podScheduled = 'PodScheduled';
export const podReady = 'Ready';
export const podInitialized = 'Initialized';
export const containersReady = 'ContainersReady';
export const podReadyToStartContainers = 'PodReadyToStartContainers';
export const disruptionTarget = 'DisruptionTarget';

type Conditions = readonly PodCondition[] | null | undefined;

/** A condition whose times are not known yet. */
export function newCondition(
  type: string,
  status: ConditionStatus,
  reason?: string,
  message?: string,
): PodCondition {
  return { type, status, lastProbeTime: null, lastTransitionTime: null, reason, message };
}

/** Whether conditions of that type are the kubelet's alone. */
export function podConditionByKubelet(type: string, gates: Gates): boolean {
  switch (type) {
    case podScheduled:
    case podReady:
    case podInitialized:
    case containersReady:
      return true;
    case podReadyToStartContainers:
      return gates.PodReadyToStartContainersCondition;
    default:
      return false;
  }
}

/** Whether the kubelet may write conditions of that type, and others may, too. */
export function podConditionSharedByKubelet(type: string, gates: Gates): boolean {
  return type === disruptionTarget && gates.PodDisruptionConditions;
}

/** Where the first condition of that type is; -1 if there is none. */
export function indexOfPodCondition(conditions: Conditions, type: string): number {
  if (!conditions) return -1;
  for (let i = 0; i < conditions.length; i++) if (conditions[i].type === type) return i;
  return -1;
}

export interface FoundCondition {
  readonly index: number;
  readonly condition: PodCondition;
}

export function getPodCondition(
  status: PodStatus | null | undefined,
  type: string,
): FoundCondition | undefined {
  return getPodConditionFromList(status?.conditions, type);
}

export function getPodConditionFromList(conditions: Conditions, type: string): FoundCondition | undefined {
  const index = indexOfPodCondition(conditions, type);
  return conditions && index >= 0 ? { index, condition: conditions[index] } : undefined;
}

export function isPodConditionTrue(status: PodStatus, type: string): boolean {
  return getPodCondition(status, type)?.condition.status === 'True';
}

export function replaceOrAppendPodCondition(conditions: Conditions, condition: PodCondition): PodCondition[] {
  const result = conditions ? conditions.slice() : [];
  const index = indexOfPodCondition(conditions, condition.type);
  result[index < 0 ? result.length : index] = condition;
  return result;
}

const withTransitionTime = (
  condition: PodCondition,
  time: PodCondition['lastTransitionTime'],
): PodCondition => ({
  ...condition,
  lastTransitionTime: time,
});

export interface UpdatedCondition {
  /** Whether anything but the transition time is new. */
  readonly changed: boolean;
  readonly status: PodStatus;
  /** As it stands in the status now. */
  readonly condition: PodCondition;
}

/** Puts the condition into the status. Its transition time is the old one's if that says the same, otherwise now. */
export function updatePodCondition(
  status: PodStatus,
  condition: PodCondition,
  now: number,
): UpdatedCondition {
  const old = getPodCondition(status, condition.type)?.condition;
  const kept = old !== undefined && (old.status ?? '') === (condition.status ?? '');
  const stamped = withTransitionTime(condition, kept ? old.lastTransitionTime : timeOf(now));
  return {
    changed:
      !kept ||
      (old.reason ?? '') !== (condition.reason ?? '') ||
      (old.message ?? '') !== (condition.message ?? '') ||
      !timesEqual(old.lastProbeTime, condition.lastProbeTime),
    status: { ...status, conditions: replaceOrAppendPodCondition(status.conditions, stamped) },
    condition: stamped,
  };
}

/** Gives the condition of that type, if there is one, the old one's transition time if that says the same, else now. */
export function updateLastTransitionTime(
  status: PodStatus,
  old: PodStatus,
  type: string,
  now: number,
): PodStatus {
  return restamp(status, old, now, (one) => one === type);
}

/**
 * updateLastTransitionTime for each type whose time the kubelet looks after, in one go: as updateStatusInternal of
 * status_manager.go does it, condition by condition.
 */
export function updateLastTransitionTimes(
  status: PodStatus,
  old: PodStatus,
  now: number,
  gates: Gates,
): PodStatus {
  return restamp(status, old, now, gates.PodDisruptionConditions ? isTimed : isTimedButDisruption);
}

const isTimedButDisruption = (type: string): boolean =>
  type === podReady ||
  type === containersReady ||
  type === podInitialized ||
  type === podScheduled ||
  type === podReadyToStartContainers;

const isTimed = (type: string): boolean => isTimedButDisruption(type) || type === disruptionTarget;

function restamp(
  status: PodStatus,
  old: PodStatus,
  now: number,
  isMeant: (type: string) => boolean,
): PodStatus {
  const conditions = status.conditions;
  if (!conditions) return status;
  let result: PodCondition[] | undefined;
  for (let i = 0; i < conditions.length; i++) {
    const condition = conditions[i];
    if (!isMeant(condition.type) || indexOfPodCondition(conditions, condition.type) !== i) continue;
    const time = transitionTime(condition, old.conditions, now);
    if (time === condition.lastTransitionTime) continue;
    result ??= conditions.slice();
    result[i] = withTransitionTime(condition, time);
  }
  return result === undefined ? status : { ...status, conditions: result };
}

/** In whole seconds, so that a normalized status stays one. */
function transitionTime(condition: PodCondition, old: Conditions, now: number): string | null {
  const index = indexOfPodCondition(old, condition.type);
  if (!old || index < 0 || (old[index].status ?? '') !== (condition.status ?? '')) return timeOf(now);
  return secondsOf(old[index].lastTransitionTime);
}
