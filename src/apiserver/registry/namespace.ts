/** Namespaces, as far as pods need them: they can be created and looked at. */
import { namespaceSchema } from '../../kube/schema.js';
import type { FieldReader } from '../selectors.js';
import type { ApiObject } from '../store.js';
import { validateObjectMeta } from './metadata.js';
import type { Resource } from './resource.js';

export const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const;

const NAME_LABEL = 'kubernetes.io/metadata.name';

interface Namespace extends ApiObject {
  readonly status?: { readonly phase?: string };
}

const namespaceField: FieldReader = (label) => {
  switch (label) {
    case 'metadata.name':
      return ({ metadata }) => metadata.name ?? '';
    case 'status.phase':
      return (object) => (object as Namespace).status?.phase ?? '';
    default:
      return undefined;
  }
};

export const namespaceResource: Resource = {
  plural: 'namespaces',
  kind: 'Namespace',
  apiVersion: 'v1',
  isNamespaced: false,
  schema: namespaceSchema,
  fieldReader: namespaceField,
  applyDefaults: (object) => object,
  admit: (object) => object,

  prepareForCreate({ metadata }) {
    const labels = Object.entries({ ...metadata.labels, [NAME_LABEL]: metadata.name ?? '' });
    return {
      metadata: { ...metadata, labels: Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1))) },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    } as Namespace;
  },

  validate: ({ metadata }) => validateObjectMeta(metadata, false),
  warnings: () => [],
  updates: {},
  gracePeriod: () => undefined,
};
