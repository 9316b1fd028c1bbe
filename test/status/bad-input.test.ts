// What is no pod or no status is refused with a typed error, and nothing else notices.
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultGates, upstream } from '../../src/kube/gates.js';
import type { Pod, PodStatus, PodUID } from '../../src/kube/types.js';
import { BasicPodManager } from '../../src/pod/pod-manager.js';
import { StatusManager, type StatusManagerOptions } from '../../src/status/index.js';

const NEIGHBOUR: Pod = {
  metadata: { uid: 'n', name: 'neighbour', namespace: 'ns' },
  spec: { containers: [{ name: 'a' }] },
};
const POD: Pod = {
  metadata: { uid: 'u', name: 'pod', namespace: 'ns' },
  spec: { containers: [{ name: 'a' }] },
};
const RUNNING: PodStatus = { phase: 'Running', startTime: '2024-01-01T00:00:00Z' };

function open(options: Partial<StatusManagerOptions> = {}): StatusManager {
  return new StatusManager({
    client: null,
    podManager: new BasicPodManager(),
    podDeletionSafety: { podCouldHaveRunningContainers: () => false },
    ...options,
  });
}

/** All that can be seen of a manager. */
const seen = (manager: StatusManager) => {
  const { podStatuses, apiStatusVersions } = manager.inspect();
  return JSON.stringify([[...podStatuses], [...apiStatusVersions], manager.versions.size]);
};

let manager: StatusManager;
let before: string;

beforeEach(() => {
  manager = open();
  manager.setPodStatus(NEIGHBOUR, RUNNING);
  manager.setPodStatus(POD, RUNNING);
  before = seen(manager);
});

const cyclic: Record<string, unknown> = { phase: 'Running' };
cyclic['itself'] = cyclic;
const deep: Record<string, unknown> = {};
let inmost = deep;
for (let i = 0; i < 100_000; i++) inmost = inmost['down'] = {} as Record<string, unknown>;

const BAD_STATUSES: readonly [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'Running'],
  ['a number', 7],
  ['a list', []],
  ['a function', () => ({})],
  ['a cycle', cyclic],
  ['a cycle below', { containerStatuses: [{ name: 'a', state: { running: cyclic } }] }],
  ['a hundred thousand levels', deep],
  ['conditions that are an object', { conditions: {} }],
  ['conditions that are text', { conditions: 'Ready' }],
  ['a condition that is text', { conditions: ['Ready'] }],
  ['container statuses that are a number', { containerStatuses: 3 }],
  ['a container status that is a list', { containerStatuses: [[]] }],
  ['a state that is text', { containerStatuses: [{ name: 'a', state: 'running' }] }],
  ['a bigint in a field nobody knows', { later: 1n }],
  ['a function in a field nobody knows', { later: () => 1 }],
  ['a symbol in a field nobody knows', { later: Symbol('x') }],
  ['a time that is none', { startTime: 'yesterday' }],
];

test.each(BAD_STATUSES)('a status that is %s is refused', (_what, status) => {
  expect(() => manager.setPodStatus(POD, status as PodStatus)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^ERR_BAD_/) as string }) as Error,
  );
  expect(seen(manager)).toBe(before);
});

const BAD_PODS: readonly [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['text', 'pod'],
  ['an object without metadata', {}],
  ['a pod with metadata that is text', { metadata: 'x' }],
  ['a pod whose uid is a number', { metadata: { uid: 1, name: 'x', namespace: 'y' } }],
  ['a pod whose name is an object', { metadata: { uid: '1', name: {}, namespace: 'y' } }],
  ['a pod without a uid', { metadata: { name: 'x', namespace: 'y' } }],
  ['a pod with an empty uid', { metadata: { uid: '', name: 'x', namespace: 'y' } }],
  ['a pod without a name', { metadata: { uid: '1', namespace: 'y' } }],
  ['a pod without a namespace', { metadata: { uid: '1', name: 'x' } }],
];

describe.each(BAD_PODS)('%s', (_what, pod) => {
  test.each(['setPodStatus', 'terminatePod'] as const)('is refused by %s', (method) => {
    expect(() => manager[method](pod as Pod, RUNNING)).toThrow(
      expect.objectContaining({ code: 'ERR_BAD_POD' }) as Error,
    );
    expect(seen(manager)).toBe(before);
  });
});

test('setPodAllocation refuses what is no pod', async () => {
  await expect(manager.setPodAllocation(null as unknown as Pod)).rejects.toMatchObject({
    code: 'ERR_BAD_POD',
  });
});

test('without RequirePodIdentity the empty uid is a key like any other, as it is to upstream', () => {
  const faithful = open({ gates: upstream('1.29') });
  faithful.setPodStatus({ metadata: { name: 'x', namespace: 'y' } }, RUNNING);
  expect(faithful.getPodStatus('' as PodUID)).toMatchObject({ phase: 'Running' });
});

test('a uid that does not fit the table is refused', () => {
  const pod: Pod = { metadata: { ...POD.metadata, uid: 'u'.repeat(65) } };
  expect(() => manager.setPodStatus(pod, RUNNING)).toThrow(
    expect.objectContaining({ code: 'ERR_UID_TOO_LONG' }) as Error,
  );
  expect(seen(manager)).toBe(before);
});

test('more pods than there is room for: the next is refused, the others go on', () => {
  const small = open({ maxPods: 1 });
  const room = small.versions.capacity;
  const pod = (i: number): Pod => ({ metadata: { uid: `u${i}`, name: `p${i}`, namespace: 'ns' } });
  for (let i = 0; i < room; i++) small.setPodStatus(pod(i), RUNNING);
  const full = seen(small);
  expect(() => small.setPodStatus(pod(room), RUNNING)).toThrow(
    expect.objectContaining({ code: 'ERR_TABLE_FULL' }) as Error,
  );
  expect(seen(small)).toBe(full);
  small.setPodStatus(pod(0), { ...RUNNING, phase: 'Failed' });
  small.removeOrphanedStatuses(new Set(['u0']));
  small.setPodStatus(pod(room), RUNNING);
  expect(small.getPodStatus(`u${room}` as PodUID)).toBeDefined();
});

test('keys of Object.prototype are data', () => {
  const status = JSON.parse(
    '{"phase":"Running","__proto__":{"polluted":true},"constructor":{"x":1},"containerStatuses":[{"name":"__proto__","__proto__":{"ready":true}}]}',
  ) as PodStatus;
  const pod: Pod = { metadata: { uid: '__proto__', name: 'constructor', namespace: 'toString' } };
  manager.setPodStatus(pod, status);
  const kept = manager.getPodStatus('__proto__' as PodUID)!;
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect((kept as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  expect(kept.containerStatuses![0].name).toBe('__proto__');
  expect(kept.containerStatuses![0].ready).not.toBe(true);
  expect(manager.getPodStatus('n' as PodUID)).toMatchObject({ phase: 'Running' });
});

test('a termination message of 10 MB is cut, another message is kept as it is', () => {
  const message = 'é'.repeat(5 << 20);
  manager.setPodStatus(POD, {
    phase: 'Failed',
    message,
    containerStatuses: [{ name: 'a', state: { terminated: { exitCode: 1, message } } }],
  });
  const kept = manager.getPodStatus('u' as PodUID)!;
  expect(kept.message).toHaveLength(message.length);
  const cut = kept.containerStatuses![0].state!.terminated!.message!;
  expect(new TextEncoder().encode(cut).length).toBe(12_288);
  expect(cut).not.toMatch(/\p{Surrogate}/u);
});

test('invalid text goes through, and what was told is what is kept', () => {
  manager.setPodStatus(POD, { phase: 'Running', message: 'a\ud800b\udfffc\u0000' });
  expect(manager.getPodStatus('u' as PodUID)!.message).toHaveLength(6);
});

test('the caller may change its status afterwards: what was told stays', () => {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], later: { list: [1] } };
  manager.setPodStatus(POD, status);
  status.phase = 'Failed';
  status.conditions[0].status = 'False';
  status.later.list.push(2);
  expect(manager.getPodStatus('u' as PodUID)).toMatchObject({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    later: { list: [1] },
  });
});

test('unknown options and gates are refused at the door', () => {
  const bad = { code: 'ERR_BAD_OPTION' };
  for (const options of [{ concurrency: 0 }, { concurrency: 1.5 }, { syncPeriodMs: 0 }, { qps: NaN }]) {
    const client = { getPod: never, patchPodStatus: never, deletePod: never };
    expect(() => open({ client, ...options })).toThrow(expect.objectContaining(bad) as Error);
  }
  expect(() => open({ client: undefined as unknown as null })).toThrow(expect.objectContaining(bad) as Error);
  expect(defaultGates.PatchFirst).toBe(true);
});

const never = (): Promise<never> => Promise.reject(new Error('nobody calls this'));

const BAD_OWN_STATUSES: readonly [string, unknown][] = [
  ['text', 'Running'],
  ['one whose containers are text', { containerStatuses: 'a' }],
  ['one whose init containers are a number', { initContainerStatuses: 3 }],
  ['one whose conditions are an object', { conditions: {} }],
  ['one with a condition that is text', { conditions: ['Ready'] }],
];

describe.each(BAD_OWN_STATUSES)('a pod whose own status is %s', (_what, status) => {
  const pod = { metadata: { uid: 'f', name: 'fresh', namespace: 'ns' }, status } as unknown as Pod;

  test.each(['setPodStatus', 'terminatePod'] as const)('is refused by %s', (method) => {
    expect(() =>
      manager[method](pod, { ...RUNNING, conditions: [{ type: 'Ready', status: 'True' }] }),
    ).toThrow(expect.objectContaining({ code: 'ERR_BAD_STATUS' }) as Error);
    expect(seen(manager)).toBe(before);
  });
});
