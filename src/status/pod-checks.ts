/** What the status manager asks of a pod before it reads anything from it. All of them throw with nothing changed. */
import { copyPodStatus } from '../kube/copy.js';
import type { Pod, PodUID } from '../kube/types.js';
import { StatusError } from './errors.js';

export const uidOf = (pod: Pod): PodUID => (pod.metadata.uid ?? '') as PodUID;

export const about = ({ metadata: { name, namespace, uid } }: Pod) => ({
  pod: { name, namespace },
  podUID: uid,
});

/** What is no pod at all is refused before anything is read from it. */
export function checked(pod: Pod): Pod {
  const given: unknown = pod;
  const metadata = typeof given === 'object' && given !== null ? (given as Partial<Pod>).metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null) {
    throw new StatusError(
      'ERR_BAD_POD',
      `not a pod: ${given === null ? 'null' : typeof given} without metadata`,
    );
  }
  for (const field of ['uid', 'name', 'namespace'] as const) {
    const value: unknown = metadata[field];
    if (value !== undefined && typeof value !== 'string') {
      throw new StatusError(
        'ERR_BAD_POD',
        `metadata.${field} of a pod must be a string, got ${typeof value}`,
      );
    }
  }
  return pod;
}

/** The status a pod brings along is as foreign as one that is reported. */
export function withCheckedStatus(pod: Pod): Pod {
  const status: unknown = pod.status;
  return status === undefined || status === null ? pod : { ...pod, status: copyPodStatus(status) };
}

export function requireIdentity(pod: Pod): void {
  for (const field of ['uid', 'name', 'namespace'] as const) {
    if (!pod.metadata[field]) {
      throw new StatusError('ERR_BAD_POD', `a pod without metadata.${field} has no status; set it first`);
    }
  }
}
