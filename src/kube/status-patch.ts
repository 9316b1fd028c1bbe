/**
 * The patch the kubelet sends for a status (pkg/util/pod PatchPodStatus): the difference between two pods that have
 * nothing but their statuses, the new one with the UID, so that the server refuses it for another pod of that name.
 */
import { encodePodStatus } from './encode.js';
import { goJson } from './go-json.js';
import { type JsonObject, isObject } from './json.js';
import { quote } from './quote.js';
import { podSchema } from './schema.js';
import { createTwoWayMergePatch } from './strategic-merge-patch.js';
import type { PodStatus } from './types.js';

export interface StatusPatch {
  readonly patch: JsonObject;
  /** Its JSON text, byte for byte what the kubelet sends. */
  readonly bytes: string;
  /**
   * The patch is nothing but the UID: there is nothing to send. Never so without a UID, nor with one that JSON writes
   * in another way than `%q`, such as `<`: the kubelet compares the texts.
   */
  readonly unchanged: boolean;
}

/** Namespace and name are part of the request, not of the patch. */
export function preparePatchBytesForPodStatus(
  _namespace: string,
  _name: string,
  uid: string,
  oldStatus: PodStatus,
  newStatus: PodStatus,
): StatusPatch {
  const original = { metadata: {}, status: encodePodStatus(oldStatus) };
  const modified = { metadata: uid === '' ? {} : { uid }, status: encodePodStatus(newStatus) };
  const patch = createTwoWayMergePatch(original, modified, podSchema);
  const bytes = goJson(patch);
  return { patch, bytes, unchanged: bytes === `{"metadata":{"uid":${quote(uid)}}}` };
}

/** The patch's text made conditional: the server refuses it (409) unless the pod still has this resourceVersion. */
export function withResourceVersion(patch: JsonObject, resourceVersion: string): string {
  const metadata = isObject(patch.metadata) ? patch.metadata : {};
  return goJson({ ...patch, metadata: { ...metadata, resourceVersion } });
}
