/** Who a pod is: its full name, and whether it is static or a mirror. */
import type { Pod } from './types.js';

const CONFIG_SOURCE = 'kubernetes.io/config.source';
const CONFIG_MIRROR = 'kubernetes.io/config.mirror';

/** From a manifest, not from the API. A pod without the annotation is not static. */
export function isStaticPod(pod: Pod): boolean {
  const source = pod.metadata.annotations?.[CONFIG_SOURCE];
  return source !== undefined && source !== 'api';
}

/** Whether the pod stands for a static one in the API: the annotation's value does not matter. */
export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[CONFIG_MIRROR] !== undefined;
}

/** `name_namespace`: a static pod and its mirror have the same. */
export function getPodFullName(pod: Pod): string {
  return `${pod.metadata.name ?? ''}_${pod.metadata.namespace ?? ''}`;
}
