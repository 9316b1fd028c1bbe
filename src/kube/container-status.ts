/** Questions about container statuses, as status_manager.go asks them. */
import { isRestartableInitContainer } from './pod.js';
import type { Container, ContainerStatus, Pod, PodStatus } from './types.js';

type Statuses = readonly ContainerStatus[] | null | undefined;

export interface FoundContainerStatus {
  readonly found: boolean;
  /** In containerStatuses or, if `init`, in initContainerStatuses; -1 if not found. */
  readonly index: number;
  readonly init: boolean;
}

/** By the container's ID, `type://id`. Regular containers come first; ephemeral ones are not looked at. */
export function findContainerStatus(status: PodStatus, containerID: string): FoundContainerStatus {
  const has = (one: ContainerStatus): boolean => (one.containerID ?? '') === containerID;
  const regular = status.containerStatuses?.findIndex(has) ?? -1;
  if (regular >= 0) return { found: true, index: regular, init: false };
  const init = status.initContainerStatuses?.findIndex(has) ?? -1;
  return { found: init >= 0, index: init, init: init >= 0 };
}

/** The container at that place of the spec, if the status at the same place is its. */
export function getContainerByIndex(
  containers: readonly Container[] | null | undefined,
  statuses: Statuses,
  index: number,
): Container | undefined {
  const container = containers?.[index];
  return container !== undefined && container.name === statuses?.[index]?.name ? container : undefined;
}

/** Whether the init containers are through, as far as the pod's own status can prove it. */
export function hasPodInitialized(pod: Pod): boolean {
  const initContainers = pod.spec?.initContainers;
  if (!initContainers || initContainers.length === 0) return true;
  if (pod.status?.containerStatuses?.some(hasLeftWaiting)) return true;

  const statuses = pod.status?.initContainerStatuses;
  if (!statuses || statuses.length === 0) return false;
  const last = statuses[statuses.length - 1];
  const container = getContainerByIndex(initContainers, statuses, statuses.length - 1);
  if (container === undefined) return false;
  if (isRestartableInitContainer(container)) return Boolean(last.state?.running) && last.started === true;
  return hasSucceeded(last.lastState) || hasSucceeded(last.state);
}

/** A state with nothing in it counts as one that is no longer waiting. */
const hasLeftWaiting = (status: ContainerStatus): boolean =>
  Boolean(status.lastState?.terminated) || !status.state?.waiting;

function hasSucceeded(state: ContainerStatus['state']): boolean {
  return Boolean(state?.terminated) && (state?.terminated?.exitCode ?? 0) === 0;
}

/**
 * The init containers that ran, by their place: all up to the last one that left waiting, at least the first.
 * null for none, as Go's nil.
 */
export function initializedContainers(statuses: Statuses): readonly ContainerStatus[] | null {
  if (!statuses || statuses.length === 0) return null;
  const last = statuses.findLastIndex(hasLeftWaiting);
  return statuses.slice(0, Math.max(last, 0) + 1);
}
