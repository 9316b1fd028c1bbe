/**
 * The pass over all pods that upstream makes every ten seconds: versions nobody needs are dropped, and pods whose
 * status on the server is not what it should be are sent again.
 *
 * It goes in slices, so that it never holds the main thread for long, whatever the number of pods. What changes
 * between two slices is seen or not; the next pass sees it, and a changed status does not need the pass at all.
 */
import { setImmediate } from 'node:timers/promises';
import type { PodRecord } from './status-cache.js';
import { apiUIDOf, needsReconcile, needsUpdate } from './sync-decisions.js';
import type { SyncEnvironment } from './sync-pod.js';

/** How long a slice may take, and after how many pods the clock is asked. */
const SLICE_MS = 1;
const STRIDE = 16;

export async function fullPass(
  env: SyncEnvironment,
  signal: AbortSignal,
  offer: (record: PodRecord) => void,
): Promise<void> {
  const { cache, podManager, logger } = env;
  const slice = new Slice();
  for (const uid of cache.apiUIDs()) {
    try {
      if (!cache.has(uid) && !podManager.hasTranslation(uid)) cache.deleteApiVersion(uid);
    } catch (error) {
      logger.error(error, 'Failed to look for the pod of an API version', { podUID: uid });
    }
    if (slice.isOver()) await slice.next();
    if (signal.aborted) return;
  }
  for (const record of cache.records()) {
    try {
      if (isDue(env, record)) offer(record);
    } catch (error) {
      // One pod's bad data is no reason to leave the others out.
      logger.error(error, 'Failed to compare the status of a pod', { podUID: record.uid });
    }
    if (slice.isOver()) await slice.next();
    if (signal.aborted) return;
  }
}

/** Whether a full pass has to send the pod. Its API version is forgotten if that is not what the server has. */
export function isDue(env: SyncEnvironment, record: PodRecord): boolean {
  const { cache, podManager, clock, logger } = env;
  const apiUID = apiUIDOf(podManager, record.uid);
  if (apiUID === null) return false;
  if (needsUpdate(env, record, apiUID)) return true;
  if (!needsReconcile(env, record, clock.now())) return false;
  logger.info(
    3,
    'Pod status is inconsistent with cached status for pod, a reconciliation should be triggered',
    {
      podUID: record.uid,
    },
  );
  // Forgotten first, so that it stays due until it is really sent.
  cache.deleteApiVersion(apiUID);
  return true;
}

/** Real time: this is about the thread, not about the clock things are due by. */
class Slice {
  #started = performance.now();
  #count = 0;

  isOver(): boolean {
    return ++this.#count % STRIDE === 0 && performance.now() - this.#started >= SLICE_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#started = performance.now();
  }
}
