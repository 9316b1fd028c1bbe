/**
 * The state in memory: `stateMemory`. On its own it is durable at once, as there is nothing more to it; under a
 * checkpoint (checkpoint-state.ts) it is what readers see and what is written.
 *
 * `revision` grows with every call that changed something, and only then.
 */
import type { PodResizeStatus, ResourceList } from '../kube/types.js';
import type { PodResourceAllocation, ResizeStatuses, State } from './state.js';

type Containers = Map<string, ResourceList | null>;

const DONE = Promise.resolve();

function clone(allocations: PodResourceAllocation): Map<string, Containers> {
  return new Map([...allocations].map(([podUID, containers]) => [podUID, new Map(containers)]));
}

export class MemoryState implements State {
  #allocations = new Map<string, Containers>();
  #resizeStatuses = new Map<string, PodResizeStatus>();
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  getContainerResourceAllocation(podUID: string, containerName: string): ResourceList | null | undefined {
    return this.#allocations.get(podUID)?.get(containerName);
  }

  getPodResourceAllocation(): PodResourceAllocation {
    return clone(this.#allocations);
  }

  getPodResizeStatus(podUID: string): PodResizeStatus | undefined {
    return this.#resizeStatuses.get(podUID);
  }

  getResizeStatus(): ResizeStatuses {
    return new Map(this.#resizeStatuses);
  }

  setContainerResourceAllocation(
    podUID: string,
    containerName: string,
    alloc: ResourceList | null,
  ): Promise<void> {
    return this.setContainerResourceAllocations(podUID, new Map([[containerName, alloc]]));
  }

  setContainerResourceAllocations(
    podUID: string,
    allocs: ReadonlyMap<string, ResourceList | null>,
  ): Promise<void> {
    const containers: Containers = this.#allocations.get(podUID) ?? new Map<string, ResourceList | null>();
    this.#allocations.set(podUID, containers);
    for (const [name, alloc] of allocs) containers.set(name, alloc);
    return this.#changed();
  }

  setPodResourceAllocation(allocations: PodResourceAllocation): Promise<void> {
    this.#allocations = clone(allocations);
    return this.#changed();
  }

  setPodResizeStatus(podUID: string, status: PodResizeStatus): Promise<void> {
    if (status === '') return this.#resizeStatuses.delete(podUID) ? this.#changed() : DONE;
    if (this.#resizeStatuses.get(podUID) === status) return DONE;
    this.#resizeStatuses.set(podUID, status);
    return this.#changed();
  }

  setResizeStatus(statuses: ResizeStatuses): Promise<void> {
    this.#resizeStatuses = new Map(statuses);
    return this.#changed();
  }

  delete(podUID: string, containerName: string): Promise<void> {
    const containers = this.#allocations.get(podUID);
    const removed = containers?.delete(containerName) ?? false;
    if (containerName !== '' && containers !== undefined && containers.size > 0) {
      return removed ? this.#changed() : DONE;
    }
    const allocations = this.#allocations.delete(podUID);
    const status = this.#resizeStatuses.delete(podUID);
    return allocations || status ? this.#changed() : DONE;
  }

  clearState(): Promise<void> {
    this.#allocations = new Map();
    this.#resizeStatuses = new Map();
    return this.#changed();
  }

  flush(): Promise<void> {
    return DONE;
  }

  #changed(): Promise<void> {
    this.#revision += 1;
    return DONE;
  }
}
