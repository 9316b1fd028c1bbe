/**
 * The conditions the kubelet derives from container statuses: generate.go.
 *
 * A list that is nil (absent or null) is not an empty list: nil means that nothing is known about any container.
 */
import {
  containersReady,
  getPodConditionFromList,
  newCondition,
  podInitialized,
  podReady,
  podReadyToStartContainers,
  podScheduled,
} from './conditions.js';
import { isRestartableInitContainer } from './pod.js';
import { quote } from './quote.js';
import { podSandboxChanged, type RuntimePodStatus } from './sandbox.js';
import type { Container, ContainerStatus, Pod, PodCondition, PodPhase, PodSpec } from './types.js';

export const unknownContainerStatuses = 'UnknownContainerStatuses';
export const podCompleted = 'PodCompleted';
export const podFailed = 'PodFailed';
export const containersNotReady = 'ContainersNotReady';
export const containersNotInitialized = 'ContainersNotInitialized';
export const readinessGatesNotReady = 'ReadinessGatesNotReady';

type Statuses = readonly ContainerStatus[] | null | undefined;
type Spec = PodSpec | null | undefined;

/** Names of the containers that have no status, and of those whose status does not pass. */
interface Sorted {
  readonly unknown: readonly string[];
  readonly failing: readonly string[];
}

function sortOut(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  passes: (container: Container, status: ContainerStatus) => boolean,
): Sorted {
  const unknown: string[] = [];
  const failing: string[] = [];
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!passes(container, status)) failing.push(container.name);
  }
  return { unknown, failing };
}

/** As Go prints a list of strings: `[a b]`. */
const listed = (names: readonly string[]): string => `[${names.join(' ')}]`;

function messageOf({ unknown, failing }: Sorted, failure: string): string {
  const parts: string[] = [];
  if (unknown.length > 0) parts.push(`containers with unknown status: ${listed(unknown)}`);
  if (failing.length > 0) parts.push(`containers with ${failure} status: ${listed(failing)}`);
  return parts.join(', ');
}

export function generateContainersReadyCondition(
  spec: Spec,
  statuses: Statuses,
  phase?: PodPhase,
): PodCondition {
  if (!statuses) return newCondition(containersReady, 'False', unknownContainerStatuses);
  const sidecars = (spec?.initContainers ?? []).filter(isRestartableInitContainer);
  const containers = [...sidecars, ...(spec?.containers ?? [])];
  const sorted = sortOut(containers, statuses, (_, status) => status.ready === true);

  const succeeded = phase === 'Succeeded' && sorted.unknown.length === 0;
  if (succeeded || phase === 'Failed') return generateContainersReadyConditionForTerminalPhase(phase);
  const message = messageOf(sorted, 'unready');
  return message === ''
    ? newCondition(containersReady, 'True')
    : newCondition(containersReady, 'False', containersNotReady, message);
}

export function generatePodReadyCondition(
  spec: Spec,
  conditions: readonly PodCondition[] | null | undefined,
  statuses: Statuses,
  phase?: PodPhase,
): PodCondition {
  const containers = generateContainersReadyCondition(spec, statuses, phase);
  if (containers.status !== 'True') {
    return newCondition(podReady, containers.status, containers.reason, containers.message);
  }
  const messages: string[] = [];
  for (const { conditionType } of spec?.readinessGates ?? []) {
    const found = getPodConditionFromList(conditions, conditionType)?.condition;
    if (found === undefined) {
      messages.push(`corresponding condition of pod readiness gate ${quote(conditionType)} does not exist.`);
    } else if (found.status !== 'True') {
      const status = found.status ?? '';
      messages.push(`the status of pod readiness gate ${quote(conditionType)} is not "True", but ${status}`);
    }
  }
  return messages.length === 0
    ? newCondition(podReady, 'True')
    : newCondition(podReady, 'False', readinessGatesNotReady, messages.join(', '));
}

/** `statuses` has those of init containers and of regular ones. */
export function generatePodInitializedCondition(
  spec: Spec,
  statuses: Statuses,
  phase?: PodPhase,
): PodCondition {
  const initContainers = spec?.initContainers ?? [];
  if (!statuses && initContainers.length > 0) {
    return newCondition(podInitialized, 'False', unknownContainerStatuses);
  }
  const sorted = sortOut(initContainers, statuses ?? [], isInitContainerInitialized);
  if (phase === 'Succeeded' && sorted.unknown.length === 0) {
    return newCondition(podInitialized, 'True', podCompleted);
  }
  // A regular container that ever started proves it, even if an init container's status was lost since.
  if (hasAnyRegularContainerStarted(spec, statuses)) return newCondition(podInitialized, 'True');
  const message = messageOf(sorted, 'incomplete');
  return message === ''
    ? newCondition(podInitialized, 'True')
    : newCondition(podInitialized, 'False', containersNotInitialized, message);
}

function isInitContainerInitialized(container: Container, status: ContainerStatus): boolean {
  return (isRestartableInitContainer(container) ? status.started : status.ready) === true;
}

function hasAnyRegularContainerStarted(spec: Spec, statuses: Statuses): boolean {
  if (!statuses || statuses.length === 0) return false;
  const names = new Set((spec?.containers ?? []).map(({ name }) => name));
  return statuses.some(
    ({ name, state }) => names.has(name) && (isPresent(state?.running) || isPresent(state?.terminated)),
  );
}

const isPresent = (value: object | null | undefined): boolean => value !== null && value !== undefined;

export function generatePodReadyToStartContainersCondition(
  pod: Pod,
  podStatus: RuntimePodStatus | null | undefined,
): PodCondition {
  const { changed } = podSandboxChanged(pod, podStatus);
  return newCondition(podReadyToStartContainers, changed ? 'False' : 'True');
}

/** A pod that has ended is not ready, whatever its containers were last seen doing. */
export function generateContainersReadyConditionForTerminalPhase(phase?: PodPhase): PodCondition {
  return newCondition(containersReady, 'False', reasonOf(phase));
}

export function generatePodReadyConditionForTerminalPhase(phase?: PodPhase): PodCondition {
  return newCondition(podReady, 'False', reasonOf(phase));
}

function reasonOf(phase: PodPhase | undefined): string | undefined {
  if (phase === 'Failed') return podFailed;
  return phase === 'Succeeded' ? podCompleted : undefined;
}

/** A pod the kubelet has is scheduled. */
export function podScheduledCondition(): PodCondition {
  return newCondition(podScheduled, 'True');
}
