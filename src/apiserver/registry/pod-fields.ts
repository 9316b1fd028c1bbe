/** The field labels pods can be selected by. */
import type { Pod } from '../../kube/types.js';
import type { FieldReader } from '../selectors.js';
import type { FullPodSpec } from './pod-defaults.js';

const READERS: ReadonlyMap<string, (pod: Pod, spec: FullPodSpec) => string | undefined> = new Map([
  ['metadata.name', (pod) => pod.metadata.name],
  ['metadata.namespace', (pod) => pod.metadata.namespace],
  ['spec.nodeName', (_, spec) => spec.nodeName],
  // An old name of the same.
  ['spec.host', (_, spec) => spec.nodeName],
  ['spec.restartPolicy', (_, spec) => spec.restartPolicy],
  ['spec.schedulerName', (_, spec) => spec.schedulerName],
  ['spec.serviceAccountName', (_, spec) => spec.serviceAccountName],
  ['spec.hostNetwork', (_, spec) => String(spec.hostNetwork ?? false)],
  ['status.phase', ({ status }) => status?.phase],
  ['status.podIP', ({ status }) => status?.podIP],
  ['status.podIPs', ({ status }) => status?.podIP],
  ['status.nominatedNodeName', ({ status }) => status?.nominatedNodeName],
]);

export const podField: FieldReader = (label) => {
  const read = READERS.get(label);
  if (read === undefined) return undefined;
  return (object) => {
    const pod = object as Pod;
    return read(pod, pod.spec ?? {}) ?? '';
  };
};
