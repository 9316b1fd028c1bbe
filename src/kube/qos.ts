/** The QoS class of a pod, from the CPU and memory of its containers and init containers. qos.go ComputePodQOS. */
import { compareQuantities } from './quantity.js';
import type { Container, Pod, QuantityText, ResourceList } from './types.js';

export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const COUNTED = ['cpu', 'memory'] as const;

/**
 * Upstream adds the containers up before it compares requests with limits. A container's requests never exceed its
 * limits, so comparing container by container gives the same class without a sum.
 */
export function computePodQOS(pod: Pod): PodQOSClass {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  if (!containers.some(asksForAnything)) return 'BestEffort';
  return containers.every(getsWhatItAsks) ? 'Guaranteed' : 'Burstable';
}

function asksForAnything({ resources }: Container): boolean {
  return COUNTED.some(
    (name) =>
      positive(resources?.requests, name) !== undefined || positive(resources?.limits, name) !== undefined,
  );
}

function getsWhatItAsks({ resources }: Container): boolean {
  return COUNTED.every((name) => {
    const limit = positive(resources?.limits, name);
    const request = positive(resources?.requests, name);
    return limit !== undefined && request !== undefined && compareQuantities(request, limit) === 0;
  });
}

/** Zero counts as not given. */
function positive(list: ResourceList | null | undefined, name: string): QuantityText | undefined {
  const quantity = list?.[name];
  return quantity !== undefined && compareQuantities(quantity, 0) > 0 ? quantity : undefined;
}
