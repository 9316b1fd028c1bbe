/**
 * The API client the status manager needs: three calls on one pod. src/api has one over HTTP.
 *
 * A refusal by the server is an ApiError; anything else that is thrown did not reach it, or nobody knows whether it
 * did. Objects that come back are the caller's to keep and nobody's to change.
 */
import type { Pod } from '../kube/types.js';

export interface DeleteOptions {
  readonly gracePeriodSeconds: number;
  /** Precondition: the server deletes only the pod with this UID. */
  readonly uid: string;
}

export interface StatusClient {
  getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Pod>;
  /** A strategic merge patch of the status subresource; `patch` is its JSON text. Gives the patched pod. */
  patchPodStatus(namespace: string, name: string, patch: string, signal?: AbortSignal): Promise<Pod>;
  deletePod(namespace: string, name: string, options: DeleteOptions, signal?: AbortSignal): Promise<void>;
}
