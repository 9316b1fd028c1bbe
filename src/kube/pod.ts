/** What a pod is: where it came from, what it is called, how far it is. */
import { KubeError, describe } from './errors.js';
import type { Container, Pod, PodPhase } from './types.js';

/** Where the kubelet got the pod from: `api`, `file`, `http`. */
export const configSourceAnnotation = 'kubernetes.io/config.source';
/** On a mirror pod, the hash of the static pod it stands for. */
export const configMirrorAnnotation = 'kubernetes.io/config.mirror';
/** The hash of the manifest a static pod was made of. */
export const configHashAnnotation = 'kubernetes.io/config.hash';
/** When the kubelet first saw the pod. */
export const configFirstSeenAnnotation = 'kubernetes.io/config.seen';

const API_SOURCE = 'api';
const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

function annotation(pod: Pod, name: string): string | undefined {
  const annotations = pod.metadata.annotations;
  return annotations && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** A pod without a source is not static. */
export function isStaticPod(pod: Pod): boolean {
  const source = annotation(pod, configSourceAnnotation);
  return source !== undefined && source !== API_SOURCE;
}

/** By the annotation being there, whatever it says. */
export function isMirrorPod(pod: Pod): boolean {
  return annotation(pod, configMirrorAnnotation) !== undefined;
}

export function isCriticalPod(pod: Pod): boolean {
  return isStaticPod(pod) || isMirrorPod(pod) || (pod.spec?.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY;
}

/** `name_namespace`: what a static pod and its mirror have in common. */
export function getPodFullName(pod: Pod): string {
  return buildPodFullName(pod.metadata.name ?? '', pod.metadata.namespace ?? '');
}

export function buildPodFullName(name: string, namespace: string): string {
  return `${name}_${namespace}`;
}

export interface PodName {
  readonly name: string;
  readonly namespace: string;
}

export function parsePodFullName(fullName: string): PodName {
  const parts = fullName.split('_');
  if (parts.length !== 2 || parts[0] === '' || parts[1] === '') {
    throw new KubeError(
      'ERR_BAD_POD_FULL_NAME',
      `not a pod's full name, name_namespace: ${describe(fullName)}`,
    );
  }
  return { name: parts[0], namespace: parts[1] };
}

/** A sidecar, if it stands among the init containers. */
export function isRestartableInitContainer(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}

export function isPodPhaseTerminal(phase: PodPhase | undefined): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}
