/** Whether the kubelet may delete the pod from the API server. */
import { isMirrorPod, isPodPhaseTerminal } from './pod.js';
import type { Pod } from './types.js';

/** Asks the pod as the API has it: a terminal phase that was not told yet does not count. */
export function canBeDeleted(pod: Pod, podIsFinished: boolean): boolean {
  return (
    (pod.metadata.deletionTimestamp ?? null) !== null &&
    !isMirrorPod(pod) &&
    isPodPhaseTerminal(pod.status?.phase) &&
    podIsFinished
  );
}
