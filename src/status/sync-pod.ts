/**
 * Brings one pod's status to the API server: status_manager.go syncPod.
 *
 * Upstream's way: GET, see that it is still the same pod, merge, PATCH what differs, note the version, DELETE what is
 * over. Patch-first leaves the GET out: it merges with the newest object it has seen, the watch's or the answer to
 * the last patch, and sends the PATCH under that object's resourceVersion. The server refuses it if there is a newer
 * one; then upstream's way is taken, once, without a resourceVersion, so that a writer who fights over the pod
 * cannot keep it going for ever.
 *
 * Never throws: what went wrong is in the outcome.
 */
import { isConflict, isNotFound, ApiError } from '../kube/api-error.js';
import { canBeDeleted } from '../kube/can-be-deleted.js';
import { getPodCondition, podReady } from '../kube/conditions.js';
import { mergePodStatus } from '../kube/merge.js';
import { isNewerResourceVersion } from '../kube/resource-version.js';
import { preparePatchBytesForPodStatus, withResourceVersion } from '../kube/status-patch.js';
import type { MirrorPodUID, Pod } from '../kube/types.js';
import type { Logger } from '../observe/logger.js';
import type { Histogram } from '../observe/metrics.js';
import type { Clock } from '../sync/index.js';
import type { StatusClient } from './client.js';
import type { PodStartupLatencyStateHelper } from './collaborators.js';
import type { PodRecord } from './status-cache.js';
import { type Surroundings, apiPodOf } from './sync-decisions.js';
import type { VersionedPodStatus } from './versioned-status.js';

export interface SyncEnvironment extends Surroundings {
  readonly podStartupLatency: PodStartupLatencyStateHelper;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly syncDuration: Histogram;
  /** Drops the pod's status and all that hangs on it. */
  deletePodStatus(record: PodRecord): void;
  /** Whether the pod manager follows the API closely enough to patch on top of what it has. */
  watchIsFresh(): boolean;
}

export type SyncOutcome =
  | { readonly is: 'synced' }
  /** The server has no such pod. */
  | { readonly is: 'not-found' }
  /** Its name belongs to another pod now, or it was deleted: the status is gone. */
  | { readonly is: 'dropped' }
  | { readonly is: 'failed'; readonly error: unknown };

const SYNCED: SyncOutcome = { is: 'synced' };
const NOT_FOUND: SyncOutcome = { is: 'not-found' };
const DROPPED: SyncOutcome = { is: 'dropped' };
const failed = (error: unknown): SyncOutcome => ({ is: 'failed', error });

export interface SyncOptions {
  readonly patchFirst: boolean;
  readonly signal?: AbortSignal;
}

export async function syncPod(
  env: SyncEnvironment,
  client: StatusClient,
  record: PodRecord,
  entry: VersionedPodStatus,
  options: SyncOptions,
): Promise<SyncOutcome> {
  // What is reported from here on is another change, with its own time.
  const isTimed = env.gates.SyncDurationFromChange && entry.at !== 0;
  if (isTimed && record.entry === entry) record.entry = { ...entry, at: 0 };
  const outcome = await attempt(env, client, record, entry, options);
  const isSent = outcome.is === 'synced' || outcome.is === 'dropped';
  if (isTimed && !isSent) record.entry = { ...record.entry, at: entry.at };
  return outcome;
}

async function attempt(
  env: SyncEnvironment,
  client: StatusClient,
  record: PodRecord,
  entry: VersionedPodStatus,
  { patchFirst, signal }: SyncOptions,
): Promise<SyncOutcome> {
  try {
    // As it is now: what comes while the server is asked may be there.
    const known = apiPodOf(env.podManager, record.uid);
    const base = patchFirst && env.watchIsFresh() ? newestSeen(env, record, known) : undefined;
    const first =
      base === undefined ? null : await patchAndDelete(env, client, record, entry, base, signal, true);
    const outcome = first ?? (await getAndPatch(env, client, record, entry, signal));
    if (outcome.is === 'not-found') record.notFound = { version: entry.version, pod: known };
    return outcome;
  } catch (error) {
    env.logger.error(error, 'Failed to sync status for pod', {
      podUID: record.uid,
      pod: { name: entry.podName, namespace: entry.podNamespace },
      statusVersion: entry.version,
    });
    return failed(error);
  }
}

async function getAndPatch(
  env: SyncEnvironment,
  client: StatusClient,
  record: PodRecord,
  entry: VersionedPodStatus,
  signal: AbortSignal | undefined,
): Promise<SyncOutcome> {
  const { logger } = env;
  const about = { pod: { name: entry.podName, namespace: entry.podNamespace }, podUID: record.uid };
  let pod: Pod;
  try {
    pod = await client.getPod(entry.podNamespace, entry.podName, signal);
  } catch (error) {
    if (isNotFound(error)) {
      logger.info(3, 'Pod does not exist on the server', about);
      return NOT_FOUND;
    }
    logger.info(0, 'Failed to get status for pod', { ...about, err: error });
    return failed(error);
  }
  const uid = env.podManager.translatePodUID(pod.metadata.uid ?? '');
  if (uid !== '' && uid !== record.uid) {
    logger.info(2, 'Pod was deleted and then recreated, skipping status update', {
      ...about,
      newPodUID: uid,
    });
    env.deletePodStatus(record);
    return DROPPED;
  }
  const outcome = await patchAndDelete(env, client, record, entry, pod, signal, false);
  return outcome ?? SYNCED;
}

/** Null: the conditional patch was refused, take the other way. */
async function patchAndDelete(
  env: SyncEnvironment,
  client: StatusClient,
  record: PodRecord,
  entry: VersionedPodStatus,
  base: Pod,
  signal: AbortSignal | undefined,
  conditional: boolean,
): Promise<SyncOutcome | null> {
  const { gates, clock, logger } = env;
  const { uid = '', name = '', namespace = '', resourceVersion = '' } = base.metadata;
  const about = { pod: { name, namespace }, podUID: record.uid, statusVersion: entry.version };
  const couldRun = env.podDeletionSafety.podCouldHaveRunningContainers(base);
  const old = base.status ?? {};
  const { merged, restamped } = mergePodStatus(old, entry.status, couldRun, clock.now(), gates);
  if (restamped !== null && !gates.ImmutableMerge) env.cache.restamp(record, entry, restamped);

  const prepared = preparePatchBytesForPodStatus(namespace, name, uid, old, merged);
  let pod = base;
  // The server refuses a patch on an old object, but nobody refuses one that is not sent.
  if (prepared.unchanged && conditional && record.isUncertain) return null;
  if (prepared.unchanged) {
    logger.info(3, 'Status for pod is up-to-date', about);
  } else {
    const bytes = conditional ? withResourceVersion(prepared.patch, resourceVersion) : prepared.bytes;
    try {
      pod = await client.patchPodStatus(namespace, name, bytes, signal);
    } catch (error) {
      if (conditional && isRefused(error)) return null;
      if (conditional && isNotFound(error)) return NOT_FOUND;
      logger.info(0, 'Failed to update status for pod', { ...about, err: error });
      record.isUncertain = true;
      return failed(error);
    }
    logger.info(3, 'Status for pod updated successfully', about);
    record.answer = pod.metadata.resourceVersion === undefined ? null : pod;
    env.podStartupLatency.recordStatusUpdated(pod);
  }
  noteSent(env, record, entry, pod);

  if (!canBeDeleted(pod, entry.podIsFinished)) return SYNCED;
  try {
    await client.deletePod(
      pod.metadata.namespace ?? '',
      pod.metadata.name ?? '',
      // The pod's work is over: nothing is left to wait for. The precondition keeps a namesake alive.
      { gracePeriodSeconds: 0, uid: pod.metadata.uid ?? '' },
      signal,
    );
  } catch (error) {
    logger.info(0, 'Failed to delete status for pod', { ...about, err: error });
    record.isUncertain = true;
    return isNotFound(error) ? NOT_FOUND : failed(error);
  }
  logger.info(3, 'Pod fully terminated and removed from etcd', about);
  env.deletePodStatus(record);
  return DROPPED;
}

/** A newer object is there (409), or another pod (422, as the UID is part of the patch). */
function isRefused(error: unknown): boolean {
  return isConflict(error) || (error instanceof ApiError && error.status === 422);
}

function noteSent(env: SyncEnvironment, record: PodRecord, entry: VersionedPodStatus, pod: Pod): void {
  if (entry.at !== 0) env.syncDuration.observe((env.clock.now() - entry.at) / 1000);
  const toldUID = (pod.metadata.uid ?? '') as MirrorPodUID;
  env.cache.setApiVersion(toldUID, entry.version);
  record.toldUID = toldUID;
  record.sentReady = getPodCondition(entry.status, podReady)?.condition.status;
  record.isUncertain = false;
  record.notFound = null;
}

/** What a patch can be put on top of: the newest object we know, if it has a resourceVersion and is this pod's. */
function newestSeen(env: SyncEnvironment, record: PodRecord, known: Pod | undefined): Pod | undefined {
  if (known === undefined) return undefined;
  let newest = known;
  const { answer } = record;
  if (answer !== null && answer.metadata.uid === newest.metadata.uid) {
    if (isNewerResourceVersion(answer.metadata.resourceVersion, newest.metadata.resourceVersion))
      newest = answer;
    else record.answer = null;
  }
  const { uid = '', resourceVersion = '' } = newest.metadata;
  return resourceVersion !== '' && env.podManager.translatePodUID(uid) === record.uid ? newest : undefined;
}
