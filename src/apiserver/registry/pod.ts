/** Pods: create, main updates, status updates, deletion with grace. */
import { computePodQOS } from '../../kube/qos.js';
import { podSchema } from '../../kube/schema.js';
import type { Pod, PodStatus } from '../../kube/types.js';
import type { ApiObject } from '../store.js';
import { decode } from '../types/decode.js';
import { type FullPodSpec, admitPodSpec, defaultPodSpec } from './pod-defaults.js';
import { podField } from './pod-fields.js';
import { validatePodStatusUpdate } from './pod-status-validation.js';
import { validatePod, validatePodUpdate } from './pod-validation.js';
import type { Resource } from './resource.js';

/** Every object of this resource came through `podSchema`. */
const asPod = (object: ApiObject): Pod => object;

/** The specs that have their defaults: those that are stored, and those just made. */
const complete = new WeakSet<object>();

export const podResource: Resource = {
  plural: 'pods',
  kind: 'Pod',
  apiVersion: 'v1',
  isNamespaced: true,
  schema: podSchema,
  fieldReader: podField,

  applyDefaults(object) {
    const pod = asPod(object);
    const status = agreeOnPodIPs(pod.status ?? {});
    if (complete.has(pod.spec as object)) return status === pod.status ? pod : ({ ...pod, status } as Pod);
    return withSpec({ ...pod, status }, defaultPodSpec(pod.spec as FullPodSpec));
  },

  admit(object, current) {
    const pod = asPod(object);
    if (current !== undefined && pod.spec === asPod(current).spec) return pod;
    return withSpec(pod, admitPodSpec(pod.spec as FullPodSpec, asPod(current ?? { metadata: {} }).spec));
  },

  prepareForCreate(object) {
    const pod = asPod(object);
    return { ...pod, status: { phase: 'Pending', qosClass: computePodQOS(pod) } } as Pod;
  },

  validate: (object) => validatePod(asPod(object)),

  warnings(object) {
    const name = object.metadata.name ?? '';
    const broken = [
      ...(name.includes('.') ? ['must not contain dots'] : []),
      ...(name.length > 63 ? ['must be no more than 63 characters'] : []),
    ];
    if (broken.length === 0) return [];
    return [
      `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${broken.join(' ')}]`,
    ];
  },

  updates: {
    '': {
      prepare: (next, current) => ({ ...next, status: asPod(current).status }) as Pod,
      validate: (next, current) => validatePodUpdate(asPod(next), asPod(current)),
    },
    status: {
      prepare(next, current) {
        const { ownerReferences } = current.metadata;
        // Put back from the current object, like what a client never can change.
        const metadata = { ...next.metadata, deletionTimestamp: undefined, ownerReferences };
        return { ...next, metadata, spec: asPod(current).spec } as Pod;
      },
      validate: (next, current) => validatePodStatusUpdate(asPod(next), asPod(current)),
    },
  },

  gracePeriod(object, requested) {
    const { spec, status } = asPod(object);
    const period = requested ?? spec?.terminationGracePeriodSeconds ?? 30;
    // Nobody has to stop anything: it never ran, or it ended.
    if ((spec?.nodeName ?? '') === '') return 0;
    if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
    return period < 0 ? 1 : period;
  },
};

/** The pod with that spec in its proper shape, known to be complete from here on. */
function withSpec(pod: Pod, spec: FullPodSpec): Pod {
  const shaped = decode(podSchema, { ...pod, spec }, 'json', pod).value as unknown as Pod;
  complete.add(shaped.spec as object);
  return shaped;
}

/** `podIP` is the first of `podIPs`. Where they disagree it wins, and the list is only it. */
function agreeOnPodIPs(status: PodStatus): PodStatus {
  const { podIP = '', podIPs } = status;
  const first = podIPs?.[0]?.ip ?? '';
  if (podIP === first) return status;
  if (podIP === '') return { ...status, podIP: first };
  return { ...status, podIPs: [{ ip: podIP }] };
}
