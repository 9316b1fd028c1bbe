/** A pod's entry in the status cache. Replaced as a whole, never changed in place. */
import type { PodStatus } from '../kube/types.js';

export interface VersionedPodStatus {
  /** Counts the accepted updates of this pod, from 1. What is on the server is told by the API version. */
  readonly version: number;
  readonly podName: string;
  readonly podNamespace: string;
  /**
   * When the first change that has not been sent yet was made, in clock milliseconds; 0 if all is sent or on its way.
   * Without the gate SyncDurationFromChange: when the pod's first status was accepted.
   */
  readonly at: number;
  /** The pod's work is over for good: it may be deleted from the API once its phase there is terminal. */
  readonly podIsFinished: boolean;
  /** The pod, when this was set, was being deleted. Only the order of sending looks at it. */
  readonly isDeleting: boolean;
  readonly status: PodStatus;
}
