/** The structs of a namespace. */
import { keep, list, named, omit, opaque, string, struct } from './go-type.js';
import { objectMeta } from './meta.js';

export const namespaceType = struct(
  'v1.Namespace',
  omit('kind', string),
  omit('apiVersion', string),
  keep('metadata', objectMeta),
  keep('spec', struct('v1.NamespaceSpec', omit('finalizers', list(named('v1.FinalizerName'))))),
  keep(
    'status',
    struct(
      'v1.NamespaceStatus',
      omit('phase', named('v1.NamespacePhase')),
      omit('conditions', list(opaque('v1.NamespaceCondition'))),
    ),
  ),
);
