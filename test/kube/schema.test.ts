// What the tables say, and what a table must not say.

import { expect, test } from 'vitest';
import { nodeSchema, podSchema, schemaOf, structsOf, type StructSchema } from '../../src/kube/schema.js';

/** The field at a path, through structs and the elements of lists. */
function fieldAt(schema: StructSchema, path: string) {
  const [first = '', ...rest] = path.split('.');
  const field = schema.fields.get(first);
  if (rest.length === 0 || field?.struct === undefined) return field;
  return fieldAt(field.struct, rest.join('.'));
}

const merged = (schema: StructSchema, path: string): unknown => {
  const field = fieldAt(schema, path);
  return field && [field.strategy, field.mergeKey, field.retainKeys];
};

test.each([
  ['metadata.ownerReferences', 'uid'],
  ['spec.containers', 'name'],
  ['spec.initContainers', 'name'],
  ['spec.ephemeralContainers', 'name'],
  ['spec.containers.ports', 'containerPort'],
  ['spec.containers.env', 'name'],
  ['spec.containers.volumeMounts', 'mountPath'],
  ['spec.containers.volumeDevices', 'devicePath'],
  ['spec.imagePullSecrets', 'name'],
  ['spec.hostAliases', 'ip'],
  ['spec.topologySpreadConstraints', 'topologyKey'],
  ['spec.schedulingGates', 'name'],
  ['status.conditions', 'type'],
  ['status.podIPs', 'ip'],
  ['status.hostIPs', 'ip'],
])('a pod’s %s are matched by %s', (path, key) => {
  expect(merged(podSchema, path)).toEqual(['merge', key, false]);
});

test.each(['spec.volumes', 'spec.resourceClaims', 'status.resourceClaimStatuses'])(
  'a pod’s %s are matched by name and name what they keep',
  (path) => {
    expect(merged(podSchema, path)).toEqual(['merge', 'name', true]);
  },
);

test.each([
  'spec.tolerations',
  'spec.readinessGates',
  'status.containerStatuses',
  'status.initContainerStatuses',
])('a pod’s %s are replaced whole', (path) => {
  expect(merged(podSchema, path)).toEqual(['atomic', '', false]);
});

test('sets of plain values, and nodes', () => {
  expect(merged(podSchema, 'metadata.finalizers')).toEqual(['merge', '', false]);
  expect(merged(nodeSchema, 'status.conditions')).toEqual(['merge', 'type', false]);
  expect(merged(nodeSchema, 'status.addresses')).toEqual(['merge', 'type', false]);
  expect(merged(nodeSchema, 'spec.taints')).toEqual(['atomic', '', false]);
  expect(merged(nodeSchema, 'status.images')).toEqual(['atomic', '', false]);
});

test('marks say when a field is written', () => {
  const written = (type: 'ContainerStatus' | 'GRPCAction', name: string): unknown => {
    const field = schemaOf(type).fields.get(name);
    return field && [field.kind, field.always, field.pointer];
  };
  expect(written('ContainerStatus', 'containerID')).toEqual(['string', false, false]);
  expect(written('ContainerStatus', 'ready')).toEqual(['bool', true, false]);
  expect(written('ContainerStatus', 'started')).toEqual(['bool', false, true]);
  expect(written('ContainerStatus', 'state')).toEqual(['struct', true, false]);
  expect(written('ContainerStatus', 'allocatedResources')).toEqual(['map', false, false]);
  expect(written('GRPCAction', 'service')).toEqual(['string', true, true]);
});

test('a table with a mistake is refused', () => {
  expect(() => structsOf({ A: 'b:Missing' })).toThrow(/A\.b: no type Missing/);
  expect(() => structsOf({ A: 'b!!' })).toThrow(/A: cannot read the field "b!!"/);
});
