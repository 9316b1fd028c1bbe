/** metav1's structs. */
import { bool, int64, keep, list, map, omit, pointer, string, struct, time } from './go-type.js';

const ownerReference = struct(
  'v1.OwnerReference',
  keep('apiVersion', string),
  keep('kind', string),
  keep('name', string),
  keep('uid', string),
  pointer('controller', bool),
  pointer('blockOwnerDeletion', bool),
);

/** managedFields is left out: this server tracks no field owners, and drops what a client sends back. */
export const objectMeta = struct(
  'v1.ObjectMeta',
  omit('name', string),
  omit('generateName', string),
  omit('namespace', string),
  omit('uid', string),
  omit('resourceVersion', string),
  omit('generation', int64),
  keep('creationTimestamp', time),
  pointer('deletionTimestamp', time),
  pointer('deletionGracePeriodSeconds', int64),
  omit('labels', map(string)),
  omit('annotations', map(string)),
  omit('ownerReferences', list(ownerReference)),
  omit('finalizers', list(string)),
);

/** Fields of metadata that are known, but not kept. */
export const DROPPED_METADATA: ReadonlySet<string> = new Set(['managedFields', 'selfLink']);
