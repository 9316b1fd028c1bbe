/**
 * What becomes of a pod's cached status when somebody reports a new one: status_manager.go updateStatusInternal as a
 * function of data. The order of its decisions is upstream's.
 */
import {
  containersReady,
  disruptionTarget,
  indexOfPodCondition,
  podInitialized,
  podReady,
  podReadyToStartContainers,
  podScheduled,
} from '../kube/conditions.js';
import { isPodStatusByKubeletEqual } from '../kube/equal.js';
import type { Gates } from '../kube/gates.js';
import { copyAndNormalizeStatus } from '../kube/normalize.js';
import { isStaticPod } from '../kube/pod.js';
import { isZeroTime, secondsOf, timeOf } from '../kube/time.js';
import { checkContainerStateTransition } from '../kube/transition.js';
import type { Pod, PodCondition, PodStatus } from '../kube/types.js';
import type { VersionedPodStatus } from './versioned-status.js';

export interface StatusUpdate {
  readonly pod: Pod;
  /** Foreign until copyAndNormalizeStatus has looked at it. */
  readonly status: unknown;
  /** Count it as a change even if nothing differs. */
  readonly force: boolean;
  readonly podIsFinished: boolean;
  /** Clock milliseconds. */
  readonly now: number;
}

export type UpdateOutcome =
  | { readonly is: 'accepted'; readonly entry: VersionedPodStatus; readonly staysFinished: boolean }
  | { readonly is: 'unchanged' }
  /** A container would have come back from the dead; the text says which. */
  | { readonly is: 'refused'; readonly reason: string };

const UNCHANGED: UpdateOutcome = { is: 'unchanged' };

/** `mirror` is the mirror pod of the same full name, where there is one; it counts only while nothing is cached. */
export function updateStatusInternal(
  cached: VersionedPodStatus | undefined,
  mirror: Pod | undefined,
  update: StatusUpdate,
  gates: Gates,
): UpdateOutcome {
  const { pod, now } = update;
  const old: PodStatus = cached?.status ?? mirror?.status ?? pod.status ?? {};
  const staysFinished =
    cached !== undefined && cached.podIsFinished && !update.podIsFinished && !isStaticPod(pod);

  const fresh = copyAndNormalizeStatus(pod, update.status, gates);
  const reason = checkContainerStateTransition(old, update.status as PodStatus, pod.spec ?? {});
  if (reason !== null) return { is: 'refused', reason };
  stamp(fresh, old, now, gates);

  if (cached !== undefined && !update.force && isPodStatusByKubeletEqual(cached.status, fresh, gates)) {
    return UNCHANGED;
  }
  return {
    is: 'accepted',
    staysFinished,
    entry: {
      version: (cached?.version ?? 0) + 1,
      podName: pod.metadata.name ?? '',
      podNamespace: pod.metadata.namespace ?? '',
      at: cached !== undefined && cached.at !== 0 ? cached.at : now,
      podIsFinished: update.podIsFinished || staysFinished,
      isDeleting: !isZeroTime(pod.metadata.deletionTimestamp),
      status: fresh,
    },
  };
}

/** The conditions whose transition times are kept here, in upstream's order. */
const STAMPED = [
  containersReady,
  podReady,
  podInitialized,
  podReadyToStartContainers,
  podScheduled,
  disruptionTarget,
] as const;

type Fresh<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Transition times and the start time. `fresh` is a copy nobody else has seen, so this writes into it: the six
 * times cost no allocation. Whatever comes from `old` is cut to seconds, as all of `fresh` already is.
 */
function stamp(fresh: Fresh<PodStatus>, old: PodStatus, now: number, gates: Gates): void {
  const conditions = fresh.conditions ?? [];
  const before = old.conditions ?? [];
  for (const type of STAMPED) {
    if (type === disruptionTarget && !gates.PodDisruptionConditions) continue;
    const index = indexOfPodCondition(conditions, type);
    if (index < 0) continue;
    const condition: Fresh<PodCondition> = conditions[index];
    const previous = before[indexOfPodCondition(before, type)];
    condition.lastTransitionTime =
      previous !== undefined && previous.status === condition.status
        ? secondsOf(previous.lastTransitionTime)
        : timeOf(now);
  }
  if (!isZeroTime(old.startTime)) fresh.startTime = secondsOf(old.startTime);
  else if (isZeroTime(fresh.startTime)) fresh.startTime = timeOf(now);
}
