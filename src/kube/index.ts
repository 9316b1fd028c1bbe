/** The API types, and the pure functions of the kubelet over them. */
export { ApiError, isConflict, isNotFound } from './api-error.js';
export type { FailureStatus } from './api-error.js';
export { canBeDeleted } from './can-be-deleted.js';
export * from './conditions.js';
export {
  type FoundContainerStatus,
  findContainerStatus,
  hasPodInitialized,
  initializedContainers,
} from './container-status.js';
export { copyPodStatus } from './copy.js';
export { isPodStatusByKubeletEqual, podStatusesEqual } from './equal.js';
export { KubeError } from './errors.js';
export {
  type Gate,
  type Gates,
  type KubernetesGate,
  type PodloomGate,
  defaultGates,
  upstream,
  withGates,
} from './gates.js';
export * from './generate.js';
export { type MergedStatus, mergePodStatus } from './merge.js';
export { copyAndNormalizeStatus, maxPodTerminationMessageLogLength, normalizeStatus } from './normalize.js';
export * from './pod.js';
export { needToReconcilePodReadiness } from './readiness.js';
export {
  type PodSandboxStatus,
  type RuntimePodStatus,
  type SandboxDecision,
  podSandboxChanged,
} from './sandbox.js';
export { isZeroTime, secondsOf, timeOf, timesEqual } from './time.js';
export { checkContainerStateTransition } from './transition.js';
export type * from './types.js';
export { cutBytes, cutCharacters, utf8Length } from './utf8.js';
