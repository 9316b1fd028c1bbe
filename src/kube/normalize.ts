/**
 * A status as the API server will give it back: whole seconds, bounded termination messages, a fixed order of
 * containers. Only normalized statuses are compared.
 *
 * All termination messages of a pod share 12 KiB, in equal parts.
 */
import { type CopyRule, asItIs, messageBy, timeBy } from './copy-container.js';
import { copyStatusBy } from './copy.js';
import type { Gates } from './gates.js';
import { isSortedByName, sortByName, sortInitContainerStatuses } from './order.js';
import type { Container, ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from './types.js';

/** Bytes of termination messages in a pod's status. */
export const maxPodTerminationMessageLogLength = 12 * 1024;

type Statuses = readonly ContainerStatus[] | null | undefined;

function ruleFor(pod: Pod, gates: Gates): CopyRule {
  const spec = pod.spec;
  let containers = (spec?.containers?.length ?? 0) + (spec?.initContainers?.length ?? 0);
  if (gates.NormalizeEphemeralContainers) containers += spec?.ephemeralContainers?.length ?? 0;
  return {
    seconds: true,
    limit: Math.floor(maxPodTerminationMessageLogLength / Math.max(containers, 1)),
    whole: gates.WholeCharacterTruncation,
  };
}

/** A normalized copy of a status from outside, checked like copyPodStatus does. */
export function copyAndNormalizeStatus(pod: Pod, status: unknown, gates: Gates): PodStatus {
  const rule = ruleFor(pod, gates);
  const ephemeral = gates.NormalizeEphemeralContainers;
  const copy = copyStatusBy(rule, ephemeral ? rule : asItIs, status);
  if (copy.containerStatuses) sortByName(copy.containerStatuses);
  if (copy.initContainerStatuses) {
    sortInitContainerStatuses(pod.spec?.initContainers, copy.initContainerStatuses);
  }
  if (ephemeral && copy.ephemeralContainerStatuses) sortByName(copy.ephemeralContainerStatuses);
  return copy;
}

/** The status normalized; what needs no change is shared with it, and is all of it if it was normalized before. */
export function normalizeStatus(pod: Pod, status: PodStatus, gates: Gates): PodStatus {
  const rule = ruleFor(pod, gates);
  const startTime = sameTime(rule, status.startTime);
  const conditions = normalizeEach(status.conditions, normalizeCondition, rule);
  const regular = inOrder(normalizeEach(status.containerStatuses, normalizeContainer, rule));
  const init = inSpecOrder(
    pod.spec?.initContainers,
    normalizeEach(status.initContainerStatuses, normalizeContainer, rule),
  );
  const ephemeral = gates.NormalizeEphemeralContainers
    ? inOrder(normalizeEach(status.ephemeralContainerStatuses, normalizeContainer, rule))
    : status.ephemeralContainerStatuses;
  if (
    startTime === status.startTime &&
    conditions === status.conditions &&
    regular === status.containerStatuses &&
    init === status.initContainerStatuses &&
    ephemeral === status.ephemeralContainerStatuses
  ) {
    return status;
  }
  return {
    ...status,
    startTime,
    conditions,
    containerStatuses: regular,
    initContainerStatuses: init,
    ephemeralContainerStatuses: ephemeral,
  };
}

/** An absent time is a zero time already. */
function sameTime(rule: CopyRule, time: PodStatus['startTime']): PodStatus['startTime'] {
  return time === undefined ? undefined : timeBy(rule, time);
}

/** The list itself, if no element changed. */
function normalizeEach<T>(
  list: readonly T[] | null | undefined,
  normalize: (element: T, rule: CopyRule) => T,
  rule: CopyRule,
): readonly T[] | null | undefined {
  if (!list) return list;
  let changed: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const element = normalize(list[i], rule);
    if (element === list[i]) continue;
    changed ??= list.slice();
    changed[i] = element;
  }
  return changed ?? list;
}

function normalizeCondition(condition: PodCondition, rule: CopyRule): PodCondition {
  const lastProbeTime = sameTime(rule, condition.lastProbeTime);
  const lastTransitionTime = sameTime(rule, condition.lastTransitionTime);
  return lastProbeTime === condition.lastProbeTime && lastTransitionTime === condition.lastTransitionTime
    ? condition
    : { ...condition, lastProbeTime, lastTransitionTime };
}

function normalizeContainer(status: ContainerStatus, rule: CopyRule): ContainerStatus {
  const state = normalizeState(status.state, rule);
  const lastState = normalizeState(status.lastState, rule);
  return state === status.state && lastState === status.lastState ? status : { ...status, state, lastState };
}

function normalizeState(state: ContainerState | undefined, rule: CopyRule): ContainerState | undefined {
  const running = state?.running;
  const terminated = state?.terminated;
  let result = state;
  if (running) {
    const startedAt = sameTime(rule, running.startedAt);
    if (startedAt !== running.startedAt) result = { ...result, running: { ...running, startedAt } };
  }
  if (terminated) {
    const startedAt = sameTime(rule, terminated.startedAt);
    const finishedAt = sameTime(rule, terminated.finishedAt);
    const message = terminated.message && messageBy(rule, terminated.message);
    if (
      startedAt !== terminated.startedAt ||
      finishedAt !== terminated.finishedAt ||
      message !== terminated.message
    ) {
      result = { ...result, terminated: { ...terminated, startedAt, finishedAt, message } };
    }
  }
  return result;
}

function inOrder(statuses: Statuses): Statuses {
  if (!statuses || isSortedByName(statuses)) return statuses;
  const sorted = statuses.slice();
  sortByName(sorted);
  return sorted;
}

function inSpecOrder(containers: readonly Container[] | null | undefined, statuses: Statuses): Statuses {
  if (!statuses) return statuses;
  const sorted = statuses.slice();
  sortInitContainerStatuses(containers, sorted);
  return sorted.every((status, i) => status === statuses[i]) ? statuses : sorted;
}
