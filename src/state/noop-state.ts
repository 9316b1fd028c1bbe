/** The state of a node that does not resize pods in place: it knows nothing and keeps nothing. */
import type { PodResourceAllocation, ResizeStatuses, State } from './state.js';

const nothing = (): Promise<void> => Promise.resolve();

export const noopState: State = Object.freeze({
  getContainerResourceAllocation: () => undefined,
  getPodResourceAllocation: (): PodResourceAllocation => new Map(),
  getPodResizeStatus: () => undefined,
  getResizeStatus: (): ResizeStatuses => new Map(),
  setContainerResourceAllocation: nothing,
  setContainerResourceAllocations: nothing,
  setPodResourceAllocation: nothing,
  setPodResizeStatus: nothing,
  setResizeStatus: nothing,
  delete: nothing,
  clearState: nothing,
  flush: nothing,
});
