/**
 * What the node has granted to each container, and what became of each wish to resize a pod.
 *
 * Memory changes before a writer returns; its promise settles when the change is on disk, or when writing it failed.
 * A failed write does not take the change back: readers see it, and the next write tries again. Nobody has to
 * await a writer: a rejection that nobody looks at ends nothing.
 *
 * Maps, not objects: `__proto__` is a container's name like any other.
 */
import type { PodResizeStatus, ResourceList } from '../kube/types.js';

/** Pod UID, then container name. A container without requests is there with null. */
export type PodResourceAllocation = ReadonlyMap<string, ReadonlyMap<string, ResourceList | null>>;
/** By pod UID. */
export type ResizeStatuses = ReadonlyMap<string, PodResizeStatus>;

export interface State {
  /** undefined: nothing is known of that container. null: it was granted no requests. */
  getContainerResourceAllocation(podUID: string, containerName: string): ResourceList | null | undefined;
  /** A copy. */
  getPodResourceAllocation(): PodResourceAllocation;
  getPodResizeStatus(podUID: string): PodResizeStatus | undefined;
  /** A copy. */
  getResizeStatus(): ResizeStatuses;

  setContainerResourceAllocation(
    podUID: string,
    containerName: string,
    alloc: ResourceList | null,
  ): Promise<void>;
  /** These containers of one pod, together or not at all; what is known of its others stays. */
  setContainerResourceAllocations(
    podUID: string,
    allocs: ReadonlyMap<string, ResourceList | null>,
  ): Promise<void>;
  /** Replaces all of them. */
  setPodResourceAllocation(allocations: PodResourceAllocation): Promise<void>;
  /** The empty status removes. */
  setPodResizeStatus(podUID: string, status: PodResizeStatus): Promise<void>;
  /** Replaces all of them. An empty status is kept here, as upstream does. */
  setResizeStatus(statuses: ResizeStatuses): Promise<void>;
  /** One container, or with an empty name the whole pod. With its last container a pod loses its resize status. */
  delete(podUID: string, containerName: string): Promise<void>;
  clearState(): Promise<void>;

  /** Everything that was changed before the call is on disk. Tries again what could not be written. */
  flush(): Promise<void>;
}
