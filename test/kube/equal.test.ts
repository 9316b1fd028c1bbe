import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyPodStatus } from '../../src/kube/copy.js';
import { isPodStatusByKubeletEqual, podStatusesEqual } from '../../src/kube/equal.js';
import { defaultGates, upstream, withGates } from '../../src/kube/gates.js';
import { normalizeStatus } from '../../src/kube/normalize.js';
import type { ContainerStatus, PodCondition, PodStatus } from '../../src/kube/types.js';
import { frozen, podStatus, runs } from './arbitrary.js';

const gates = upstream('1.29');
const TIME = '2024-03-01T10:00:00Z';
const condition = (type: string, status = 'True', more: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  ...more,
});
const conditions = (...list: PodCondition[]): PodStatus => ({ conditions: list });
const container = (more: object): PodStatus => ({ containerStatuses: [{ name: 'a', ...more }] });
const state = (more: object): PodStatus => container({ state: more });
const unknown = (more: object): PodStatus => more;
const equal = (old: PodStatus, next: PodStatus, by = gates): boolean =>
  isPodStatusByKubeletEqual(frozen(old), frozen(next), by);

describe('TestStatusEquality', () => {
  test('the order of container statuses does not matter', () => {
    const statuses: ContainerStatus[] = Array.from({ length: 10 }, (_, i) => ({ name: `container${i}` }));
    const pod = { metadata: {} };
    const old = normalizeStatus(pod, { containerStatuses: statuses }, gates);
    const next = normalizeStatus(pod, { containerStatuses: statuses.toReversed() }, gates);
    expect(equal(old, next)).toBe(true);
  });

  test("others' conditions do not matter", () => {
    const old = conditions(condition('Ready'), condition('example.com/gate'));
    expect(equal(old, conditions(condition('Ready')))).toBe(true);
    expect(equal(conditions(condition('Ready')), old)).toBe(true);
    expect(equal(old, conditions(condition('example.com/gate', 'False'), condition('Ready')))).toBe(true);
  });
});

/** Equal to Go, whatever else they are; compared both ways and as copies. */
const same: [string, PodStatus, PodStatus][] = [
  ['nothing and zeroes', {}, { phase: '', message: '', podIP: '', startTime: null, resize: '' }],
  [
    'nil and empty lists',
    {},
    { podIPs: [], containerStatuses: [], hostIPs: null, resourceClaimStatuses: [] },
  ],
  ['zero fields', container({}), container({ ready: false, restartCount: 0, image: '', containerID: '' })],
  ['no state and an empty one', container({}), container({ state: {}, lastState: { running: null } })],
  ['nil pointers', container({}), container({ started: null, resources: null })],
  ['nil and empty maps', container({}), container({ allocatedResources: {} })],
  [
    'empty resources',
    container({ resources: {} }),
    container({ resources: { limits: {}, requests: null, claims: [] } }),
  ],
  ['zones', { startTime: TIME }, { startTime: '2024-03-01T12:00:00+02:00' }],
  ['a zero time', state({ running: {} }), state({ running: { startedAt: '0001-01-01T00:00:00Z' } })],
  ['exit code 0', state({ terminated: {} }), state({ terminated: { exitCode: 0, signal: 0, message: '' } })],
  ['unknown fields in another order', unknown({ x: { a: 1, b: [2] } }), unknown({ x: { b: [2], a: 1 } })],
];

const different: [string, PodStatus, PodStatus][] = [
  ['phase', {}, { phase: 'Running' }],
  ['message', {}, { message: 'm' }],
  ['reason', {}, { reason: 'r' }],
  ['nominatedNodeName', {}, { nominatedNodeName: 'n' }],
  ['hostIP', {}, { hostIP: '1' }],
  ['hostIPs', { hostIPs: [{ ip: '1' }] }, { hostIPs: [{ ip: '2' }] }],
  ['podIP', {}, { podIP: '1' }],
  ['podIPs', { podIPs: [] }, { podIPs: [{ ip: '' }] }],
  ['startTime', { startTime: TIME }, { startTime: '2024-03-01T10:00:00.5Z' }],
  ['qosClass', {}, { qosClass: 'Burstable' }],
  ['resize', {}, { resize: 'Proposed' }],
  ['init statuses', {}, { initContainerStatuses: [{ name: '' }] }],
  ['ephemeral statuses', {}, { ephemeralContainerStatuses: [{ name: 'a' }] }],
  [
    'the order of statuses',
    { containerStatuses: [{ name: 'a' }, { name: 'b' }] },
    { containerStatuses: [{ name: 'b' }, { name: 'a' }] },
  ],
  ['name', container({}), container({ name: 'b' })],
  ['ready', container({}), container({ ready: true })],
  ['restartCount', container({}), container({ restartCount: 1 })],
  ['image', container({}), container({ image: 'i' })],
  ['imageID', container({}), container({ imageID: 'i' })],
  ['containerID', container({}), container({ containerID: 'i' })],
  ['started nil and false', container({}), container({ started: false })],
  ['started', container({ started: true }), container({ started: false })],
  ['resources nil and empty', container({}), container({ resources: {} })],
  ['allocatedResources', container({}), container({ allocatedResources: { cpu: '0' } })],
  [
    'a resource of another name',
    container({ allocatedResources: { cpu: '1' } }),
    container({ allocatedResources: { memory: '1' } }),
  ],
  [
    'another amount',
    container({ allocatedResources: { cpu: '1' } }),
    container({ allocatedResources: { cpu: '2' } }),
  ],
  ['limits', container({ resources: {} }), container({ resources: { limits: { cpu: '1' } } })],
  ['requests', container({ resources: {} }), container({ resources: { requests: { cpu: '1' } } })],
  ['claims', container({ resources: {} }), container({ resources: { claims: [{ name: 'c' }] } })],
  ['a state that is nil and an empty one', state({}), state({ waiting: {} })],
  ['waiting and running', state({ waiting: {} }), state({ running: {} })],
  ['lastState', container({}), container({ lastState: { terminated: {} } })],
  ['waiting.reason', state({ waiting: {} }), state({ waiting: { reason: 'r' } })],
  ['waiting.message', state({ waiting: {} }), state({ waiting: { message: 'm' } })],
  ['running.startedAt', state({ running: {} }), state({ running: { startedAt: TIME } })],
  ['exitCode', state({ terminated: {} }), state({ terminated: { exitCode: 1 } })],
  ['signal', state({ terminated: {} }), state({ terminated: { signal: 9 } })],
  ['terminated.reason', state({ terminated: {} }), state({ terminated: { reason: 'r' } })],
  ['terminated.message', state({ terminated: {} }), state({ terminated: { message: 'm' } })],
  [
    'raw bytes and U+FFFD',
    state({ terminated: { message: '\udcc3' } }),
    state({ terminated: { message: '\ufffd' } }),
  ],
  ['terminated.startedAt', state({ terminated: {} }), state({ terminated: { startedAt: TIME } })],
  ['terminated.finishedAt', state({ terminated: {} }), state({ terminated: { finishedAt: TIME } })],
  ['terminated.containerID', state({ terminated: {} }), state({ terminated: { containerID: 'i' } })],
  ['an unknown field', {}, unknown({ x: 0 })],
  ['an unknown null', {}, unknown({ x: null })],
  ['an unknown list', unknown({ x: [1, 2] }), unknown({ x: [1] })],
  ['an unknown list and object', unknown({ x: [] }), unknown({ x: {} })],
  ['an unknown __proto__', {}, JSON.parse('{"__proto__": {}}') as PodStatus],
  ['an unknown field of a container', container({}), container({ x: 1 })],
  ['an unknown field of a state', state({ x: 1 }), state({})],
  ['an unknown field of waiting', state({ waiting: {} }), state({ waiting: { x: 1 } })],
  ['an unknown field of running', state({ running: {} }), state({ running: { x: 1 } })],
  ['an unknown field of terminated', state({ terminated: {} }), state({ terminated: { x: 1 } })],
  ['an unknown field of resources', container({ resources: {} }), container({ resources: { x: 1 } })],
  ['an unknown field of an address', { podIPs: [{}] }, { podIPs: [unknown({ x: 1 }) as object] }],
];

describe('what is equal', () => {
  test.each(same)('%s', (_, a, b) => {
    for (const [old, next] of [
      [a, b],
      [b, a],
      [copyPodStatus(a), b],
      [copyPodStatus(b), copyPodStatus(a)],
    ]) {
      expect(equal(old, next)).toBe(true);
      expect(equal(old, next, defaultGates)).toBe(true);
      expect(podStatusesEqual(old, next)).toBe(true);
    }
  });
});

describe('what is different', () => {
  test.each(different)('%s', (_, a, b) => {
    for (const [old, next] of [
      [a, b],
      [b, a],
      [copyPodStatus(a), b],
      [copyPodStatus(b), copyPodStatus(a)],
    ]) {
      expect(equal(old, next)).toBe(false);
      expect(equal(old, next, defaultGates)).toBe(false);
      expect(podStatusesEqual(old, next)).toBe(false);
    }
  });
});

describe('conditions of the kubelet', () => {
  test.each<[string, PodStatus, PodStatus, boolean]>([
    [
      'order',
      conditions(condition('Ready'), condition('Initialized')),
      conditions(condition('Initialized'), condition('Ready')),
      true,
    ],
    [
      'times',
      conditions(condition('Ready')),
      conditions(condition('Ready', 'True', { lastTransitionTime: TIME })),
      true,
    ],
    ['status', conditions(condition('Ready')), conditions(condition('Ready', 'False')), false],
    [
      'reason',
      conditions(condition('Ready')),
      conditions(condition('Ready', 'True', { reason: 'r' })),
      false,
    ],
    [
      'message',
      conditions(condition('Ready')),
      conditions(condition('Ready', 'True', { message: 'm' })),
      false,
    ],
    ['a new one', {}, conditions(condition('Ready')), false],
    ['a shared one', {}, conditions(condition('DisruptionTarget')), false],
  ])('%s', (_, old, next, want) => {
    expect(equal(old, next)).toBe(want);
    expect(equal(old, next, defaultGates)).toBe(want);
  });

  test('without its gate, DisruptionTarget is not the kubelet’s', () => {
    const off = upstream('1.29', { PodDisruptionConditions: false });
    expect(equal({}, conditions(condition('DisruptionTarget')), off)).toBe(true);
  });

  test('SymmetricConditionEquality: one that disappears is a change', () => {
    const ours = withGates(gates, { SymmetricConditionEquality: true });
    for (const type of ['Ready', 'DisruptionTarget']) {
      expect(equal(conditions(condition(type)), {})).toBe(true);
      expect(equal(conditions(condition(type)), {}, ours)).toBe(false);
      expect(equal(conditions(condition(type), condition('x')), conditions(condition('x')), ours)).toBe(
        false,
      );
    }
    expect(equal(conditions(condition('x'), condition('y')), {}, ours)).toBe(true);
  });

  test('SymmetricConditionEquality: a type that occurs twice is a change only if it changed', () => {
    const ours = withGates(gates, { SymmetricConditionEquality: true });
    const twice = conditions(condition('Ready'), condition('Ready', 'False'));
    const copy = copyPodStatus(twice);
    expect(equal(twice, copy)).toBe(false);
    expect(equal(twice, copy, ours)).toBe(true);
    const swapped = conditions(condition('Ready', 'False'), condition('Ready'));
    expect(equal(twice, swapped, ours)).toBe(false);
    expect(equal(twice, conditions(condition('Ready')), ours)).toBe(false);
    const apart = conditions(condition('Ready'), condition('x'), condition('Ready', 'False'));
    expect(equal(twice, apart, ours)).toBe(true);
    const first = conditions(condition('Initialized'), ...(twice.conditions ?? []));
    const last = conditions(...(twice.conditions ?? []), condition('Initialized'));
    expect(equal(first, last, ours)).toBe(true);
  });
});

test('IgnoreResourceClaimStatuses: what the kubelet never writes is not compared', () => {
  const old = { resourceClaimStatuses: [{ name: 'c' }] };
  for (const next of [{}, { resourceClaimStatuses: [{ name: 'c', resourceClaimName: '' }] }]) {
    expect(equal(old, next)).toBe(false);
    expect(equal(old, next, withGates(gates, { IgnoreResourceClaimStatuses: true }))).toBe(true);
    expect(podStatusesEqual(old, next)).toBe(false);
  }
  expect(equal(old, { resourceClaimStatuses: [{ name: 'c', resourceClaimName: null }] })).toBe(true);
});

test('podStatusesEqual compares all of every condition, in order', () => {
  const ready = condition('Ready');
  expect(podStatusesEqual(conditions(ready), conditions(condition('Ready', 'True', { reason: '' })))).toBe(
    true,
  );
  for (const other of [
    conditions(),
    conditions(condition('Ready', 'False')),
    conditions(condition('Ready', 'True', { lastProbeTime: TIME })),
    conditions(condition('Ready', 'True', { lastTransitionTime: TIME })),
    conditions({ ...ready, ...unknown({ x: 1 }) }),
    conditions(condition('x')),
  ]) {
    expect(podStatusesEqual(conditions(ready), other)).toBe(false);
  }
  const x = condition('x');
  expect(podStatusesEqual(conditions(ready, x), conditions(x, ready))).toBe(false);
});

describe('properties', () => {
  const changes = fc.tuple(
    podStatus,
    podStatus,
    fc.subarray(['conditions', 'containerStatuses', 'podIPs'] as const),
  );

  test('every status equals its copy', () => {
    fc.assert(
      fc.property(podStatus, (status) => {
        expect(equal(status, copyPodStatus(status), defaultGates)).toBe(true);
        expect(podStatusesEqual(copyPodStatus(status), status)).toBe(true);
      }),
      runs(),
    );
  });

  test('with our gates, equality is the same both ways', () => {
    let equals = 0;
    fc.assert(
      fc.property(changes, ([one, other, fields]) => {
        const mixed = { ...one, ...Object.fromEntries(fields.map((field) => [field, other[field]])) };
        const forth = equal(one, mixed, defaultGates);
        expect(equal(mixed, one, defaultGates)).toBe(forth);
        if (podStatusesEqual(one, mixed)) expect(forth).toBe(true);
        equals += Number(forth);
      }),
      runs(),
    );
    expect(equals).toBeGreaterThan(0);
  });
});
