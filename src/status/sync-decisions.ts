/**
 * Whether a pod has to be sent: status_manager.go needsUpdate and needsReconcile. They read the cache and the pod
 * manager and change nothing but a memory of what was compared.
 */
import { canBeDeleted } from '../kube/can-be-deleted.js';
import { isPodStatusByKubeletEqual } from '../kube/equal.js';
import type { Gates } from '../kube/gates.js';
import { mergePodStatus } from '../kube/merge.js';
import { normalizeStatus } from '../kube/normalize.js';
import { isStaticPod } from '../kube/pod.js';
import type { MirrorPodUID, Pod, PodUID } from '../kube/types.js';
import type { PodDeletionSafetyProvider, PodManager } from './collaborators.js';
import type { PodRecord, StatusCache } from './status-cache.js';

export interface Surroundings {
  readonly cache: StatusCache;
  readonly podManager: PodManager;
  readonly podDeletionSafety: PodDeletionSafetyProvider;
  readonly gates: Gates;
}

/** The UID the API server knows the pod by; null for a static pod that has no mirror, as nobody can be told. */
export function apiUIDOf(podManager: PodManager, uid: PodUID): MirrorPodUID | null {
  const mirror = podManager.getMirrorUID(uid);
  if (mirror === undefined) return uid as string as MirrorPodUID;
  return mirror === '' ? null : mirror;
}

/** The API server lacks the newest version. */
export function isBehind(cache: StatusCache, record: PodRecord, apiUID: MirrorPodUID): boolean {
  return cache.apiVersion(apiUID) < record.entry.version;
}

/** How many pods the API server lacks the newest version of, of those it can be told about. */
export function countBehind({ cache, podManager }: Surroundings): number {
  let count = 0;
  for (const record of cache.records()) {
    const apiUID = apiUIDOf(podManager, record.uid);
    if (apiUID !== null && isBehind(cache, record, apiUID)) count++;
  }
  return count;
}

/** It lacks the newest version, or the pod is to be deleted. */
export function needsUpdate(
  { cache, podManager }: Surroundings,
  record: PodRecord,
  apiUID: MirrorPodUID,
): boolean {
  if (isBehind(cache, record, apiUID)) return true;
  const pod = podManager.getPodByUID(apiUID as string as PodUID);
  return pod !== undefined && canBeDeleted(pod, record.entry.podIsFinished);
}

/**
 * What the API has is not what it was told. Both sides are immutable, so an answer holds until one of them is
 * replaced: a pass over pods that did not change compares nothing. An answer that is so only because something may
 * still be running holds for no longer than that.
 */
export function needsReconcile(around: Surroundings, record: PodRecord, now: number): boolean {
  const { status } = record.entry;
  const pod = apiPodOf(around.podManager, record.uid);
  if (pod === undefined) return false;
  const seen = record.reconciled;
  if (seen !== null && seen.status === status && seen.pod === pod) return false;
  const found = compare(around, pod, record, now);
  if (found === 'equal') record.reconciled = { status, pod };
  return found === 'different';
}

function compare(
  { gates, podDeletionSafety }: Surroundings,
  pod: Pod,
  { entry }: PodRecord,
  now: number,
): 'equal' | 'held-back' | 'different' {
  const there = normalizeStatus(pod, pod.status ?? {}, gates);
  if (isPodStatusByKubeletEqual(there, entry.status, gates)) return 'equal';
  if (!gates.ReconcileMerged) return 'different';
  const couldRun = podDeletionSafety.podCouldHaveRunningContainers(pod);
  const { merged } = mergePodStatus(there, entry.status, couldRun, now, gates);
  if (!isPodStatusByKubeletEqual(there, merged, gates)) return 'different';
  return couldRun ? 'held-back' : 'equal';
}

/** The object the API server has for a pod of ours, as far as the pod manager knows. */
export function apiPodOf(podManager: PodManager, uid: PodUID): Pod | undefined {
  const pod = podManager.getPodByUID(uid);
  return pod !== undefined && isStaticPod(pod) ? podManager.getMirrorPodByPod(pod) : pod;
}
