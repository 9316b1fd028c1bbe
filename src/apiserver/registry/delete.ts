/**
 * Deleting: at once, after a grace period, or when the last finalizer is gone.
 *
 * A graceful deletion only writes the time by which the object should be gone; who runs it (for a pod, the kubelet) then
 * deletes it with grace 0. That removal is two writes, and two events: the object with grace 0, and its end.
 */
import type { ObjectMeta } from '../../kube/types.js';
import { conflict } from '../status-error.js';
import type { ApiObject, Store } from '../store.js';
import { formatTime } from '../types/time.js';
import { type ObjectRef, type Registry, keyOf, withMeta } from './registry.js';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Orphan' | 'Background' | 'Foreground';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Gives back the object as it was last. */
export function deleteObject(
  registry: Registry,
  store: Store,
  now: number,
  ref: ObjectRef,
  options: DeleteOptions,
): ApiObject {
  const current = registry.get(ref);
  checkPreconditions(ref, current, options);
  const key = keyOf(ref);
  const metadata = deletionMeta(ref, current, options, now);
  if (metadata === undefined) return current;
  const marked = withMeta(current, metadata);
  if (options.dryRun) return marked;
  const { plural } = ref.resource;
  const written = store.put(plural, key, (version) => withMeta(marked, { resourceVersion: version }));
  const isDone = (metadata.deletionGracePeriodSeconds ?? 0) === 0 && (metadata.finalizers ?? []).length === 0;
  return isDone ? store.delete(plural, key) : written;
}

function checkPreconditions(
  { resource, name }: ObjectRef,
  { metadata }: ApiObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = options;
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resource.kind,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resource.kind,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** What the deletion changes; undefined if it changes nothing. */
function deletionMeta(
  { resource }: ObjectRef,
  current: ApiObject,
  options: DeleteOptions,
  now: number,
): ObjectMeta | undefined {
  const finalizers = propagated(current.metadata.finalizers ?? [], options.propagation);
  const { deletionTimestamp, deletionGracePeriodSeconds: pending } = current.metadata;
  if (deletionTimestamp) {
    // A deletion under way can only be hurried.
    const requested = options.gracePeriodSeconds;
    const left = pending ?? 0;
    if (requested === undefined || requested >= left) return undefined;
    const grace = Math.max(0, requested);
    const start = Date.parse(deletionTimestamp) - left * 1000;
    return {
      deletionTimestamp: formatTime(start + grace * 1000),
      deletionGracePeriodSeconds: grace,
      finalizers,
    };
  }
  const grace = resource.gracePeriod(current, options.gracePeriodSeconds) ?? 0;
  return {
    deletionTimestamp: formatTime(now + grace * 1000),
    deletionGracePeriodSeconds: grace,
    finalizers,
  };
}

/** The garbage collector's finalizers, as the deletion wants its dependents treated. */
function propagated(
  finalizers: readonly string[],
  propagation: DeleteOptions['propagation'],
): readonly string[] | undefined {
  if (propagation === undefined) return finalizers.length === 0 ? undefined : finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (propagation === 'Orphan') others.push(ORPHAN);
  if (propagation === 'Foreground') others.push(FOREGROUND);
  return others.length === 0 ? undefined : others;
}
