/** The order of container statuses, as Go's kubelet leaves them. Both functions sort the list they are given. */
import type { Container, ContainerStatus } from './types.js';
import { compareUtf8 } from './utf8.js';

/**
 * By name. Go's sort.Sort is an insertion sort up to twelve elements, so names that occur twice keep their order, as
 * they do here; with more elements Go leaves open which comes first.
 */
export function sortByName(statuses: ContainerStatus[]): void {
  if (!isSortedByName(statuses)) statuses.sort((a, b) => compareUtf8(a.name, b.name));
}

export function isSortedByName(statuses: readonly ContainerStatus[]): boolean {
  for (let i = 1; i < statuses.length; i++) {
    if (compareUtf8(statuses[i].name, statuses[i - 1].name) < 0) return false;
  }
  return true;
}

/** Into the order of the spec, by swapping each into its place: what the spec does not name ends up anywhere after. */
export function sortInitContainerStatuses(
  containers: readonly Container[] | null | undefined,
  statuses: ContainerStatus[],
): void {
  let place = 0;
  for (const { name } of containers ?? []) {
    for (let i = place; i < statuses.length; i++) {
      if (statuses[i].name !== name) continue;
      const status = statuses[i];
      statuses[i] = statuses[place];
      statuses[place] = status;
      place++;
      break;
    }
  }
}
