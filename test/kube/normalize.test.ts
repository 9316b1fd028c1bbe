import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { podStatusesEqual } from '../../src/kube/equal.js';
import { defaultGates, upstream, withGates } from '../../src/kube/gates.js';
import { copyAndNormalizeStatus, normalizeStatus } from '../../src/kube/normalize.js';
import { sortInitContainerStatuses } from '../../src/kube/order.js';
import type { ContainerStatus, Pod, PodStatus } from '../../src/kube/types.js';
import { utf8Length } from '../../src/kube/utf8.js';
import { pod as anyPod, frozen, podStatus, runs } from './arbitrary.js';

const gates = upstream('1.29');
const FRACTION = '2024-03-01T10:00:00.9Z';
const SECONDS = '2024-03-01T10:00:00Z';

const pod = (regular: number, init = 0, ephemeral = 0): Pod => {
  const containers = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `c${i}` }));
  return {
    metadata: {},
    spec: {
      containers: containers(regular),
      initContainers: containers(init),
      ephemeralContainers: containers(ephemeral),
    },
  };
};
const ended = (message: string, name = 'a'): ContainerStatus => ({
  name,
  state: { terminated: { message } },
});
const messageIn = (statuses: PodStatus['containerStatuses']): string =>
  statuses?.[0].state?.terminated?.message ?? '';
const names = (statuses: readonly ContainerStatus[] | null | undefined): string[] =>
  (statuses ?? []).map(({ name }) => name);

describe('TestStatusNormalizationEnforcesMaxBytes', () => {
  test.each([
    [0, 0, 12288],
    [1, 0, 12288],
    [1, 1, 6144],
    [5, 2, 1755],
  ])('%d containers and %d init containers have %d bytes each', (regular, init, bytes) => {
    const long = ended('x'.repeat(20_000));
    const lastState = long.state;
    const status = { containerStatuses: [long], initContainerStatuses: [{ name: 'b', lastState }] };
    const result = normalizeStatus(pod(regular, init), frozen(status), gates);
    expect(messageIn(result.containerStatuses)).toHaveLength(bytes);
    expect(result.initContainerStatuses?.[0].lastState?.terminated?.message).toHaveLength(bytes);
  });

  test('48 containers stay within the limit of a pod', () => {
    const statuses = (length: number) => Array.from({ length }, (_, i) => ended('x'.repeat(256), `c${i}`));
    const status = { containerStatuses: statuses(24), initContainerStatuses: statuses(24) };
    const result = normalizeStatus(pod(24, 24), status, gates);
    const all = [...(result.containerStatuses ?? []), ...(result.initContainerStatuses ?? [])];
    const bytes = all.reduce((sum, one) => sum + (one.state?.terminated?.message?.length ?? 0), 0);
    expect(bytes).toBe(12_288);
  });

  test('more containers than bytes leave none', () => {
    const result = normalizeStatus(pod(12_289), { containerStatuses: [ended('x')] }, gates);
    expect(messageIn(result.containerStatuses)).toBe('');
  });
});

test('WholeCharacterTruncation: a message is cut between characters', () => {
  const status = { containerStatuses: [ended('€'.repeat(6000))] };
  const upstreams = messageIn(normalizeStatus(pod(7), status, gates).containerStatuses);
  expect(upstreams).toBe('€'.repeat(585));
  const cut = messageIn(normalizeStatus(pod(5), status, gates).containerStatuses);
  expect(utf8Length(cut)).toBe(2457);
  const odd = messageIn(normalizeStatus(pod(11), status, gates).containerStatuses);
  expect(odd).toBe(`${'€'.repeat(372)}\udce2`);
  const whole = withGates(gates, { WholeCharacterTruncation: true });
  expect(messageIn(normalizeStatus(pod(11), status, whole).containerStatuses)).toBe('€'.repeat(372));
});

test('NormalizeEphemeralContainers: they count, and are cut, sorted and timed like the others', () => {
  const startedAt = FRACTION;
  const status = frozen({
    containerStatuses: [ended('x'.repeat(20_000))],
    ephemeralContainerStatuses: [
      ended('x'.repeat(20_000), 'b'),
      { name: 'a', state: { running: { startedAt } } },
    ],
  });
  const upstreams = normalizeStatus(pod(1, 0, 2), status, gates);
  expect(messageIn(upstreams.containerStatuses)).toHaveLength(12_288);
  expect(upstreams.ephemeralContainerStatuses).toBe(status.ephemeralContainerStatuses);
  expect(copyAndNormalizeStatus(pod(1, 0, 2), status, gates).ephemeralContainerStatuses).toEqual(
    status.ephemeralContainerStatuses,
  );

  for (const normalize of [normalizeStatus, copyAndNormalizeStatus]) {
    const ours = normalize(pod(1, 0, 2), status, defaultGates);
    expect(messageIn(ours.containerStatuses)).toHaveLength(4096);
    expect(names(ours.ephemeralContainerStatuses)).toEqual(['a', 'b']);
    expect(ours.ephemeralContainerStatuses?.[0].state?.running?.startedAt).toBe(SECONDS);
    expect(ours.ephemeralContainerStatuses?.[1].state?.terminated?.message).toHaveLength(4096);
  }
});

test('every time is cut to seconds', () => {
  const terminated = { startedAt: FRACTION, finishedAt: FRACTION };
  const status = frozen({
    startTime: FRACTION,
    conditions: [{ type: 'a', status: 'b', lastProbeTime: FRACTION, lastTransitionTime: FRACTION }],
    containerStatuses: [
      { name: 'a', state: { running: { startedAt: FRACTION } }, lastState: { terminated } },
    ],
    initContainerStatuses: [{ name: 'a', state: { terminated } }],
  });
  for (const normalize of [normalizeStatus, copyAndNormalizeStatus]) {
    const text = JSON.stringify(normalize(pod(1), status, gates));
    expect(text).not.toContain(FRACTION);
    expect(text.split(SECONDS)).toHaveLength(9);
  }
});

describe('order', () => {
  const named = (...list: string[]): ContainerStatus[] => list.map((name, i) => ({ name, restartCount: i }));

  test('regular statuses by name, by bytes; equal names keep their order', () => {
    const { containerStatuses } = normalizeStatus(
      pod(0),
      frozen({ containerStatuses: named('b', 'a', 'c', 'a', '😀', '\uffff', 'B') }),
      gates,
    );
    expect(names(containerStatuses)).toEqual(['B', 'a', 'a', 'b', 'c', '\uffff', '😀']);
    expect(containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([6, 1, 3, 0, 2, 5, 4]);
  });

  test.each([
    [
      ['c0', 'c1', 'c2'],
      ['c2', 'c1', 'c0'],
      ['c0', 'c1', 'c2'],
    ],
    [
      ['c0', 'c1'],
      ['x', 'c1', 'c0', 'y'],
      ['c0', 'c1', 'x', 'y'],
    ],
    [
      ['c0', 'c1'],
      ['x', 'y', 'c1'],
      ['c1', 'y', 'x'],
    ],
    [['c0'], ['b', 'a'], ['b', 'a']],
    [[], ['b', 'a'], ['b', 'a']],
    [
      ['c0', 'c0'],
      ['x', 'c0', 'c0'],
      ['c0', 'c0', 'x'],
    ],
  ])('TestSortInitContainerStatuses: spec %j, %j become %j', (spec, before, after) => {
    const statuses = named(...before);
    const containers = spec.map((name) => ({ name }));
    sortInitContainerStatuses(containers, statuses);
    expect(names(statuses)).toEqual(after);
    const status = frozen({ initContainerStatuses: named(...before) });
    const thePod = { metadata: {}, spec: { initContainers: containers } };
    expect(normalizeStatus(thePod, status, gates).initContainerStatuses).toEqual(statuses);
    expect(copyAndNormalizeStatus(thePod, status, gates).initContainerStatuses).toEqual(statuses);
  });

  test('a pod without a spec is no problem', () => {
    sortInitContainerStatuses(undefined, []);
    expect(normalizeStatus({ metadata: {} }, { initContainerStatuses: [] }, gates)).toEqual({
      initContainerStatuses: [],
    });
  });
});

describe('properties', () => {
  const anyGates = fc.constantFrom(gates, defaultGates);

  test('copyAndNormalizeStatus is copying, then normalizing', () => {
    fc.assert(
      fc.property(anyPod, podStatus, anyGates, (thePod, status, by) => {
        const inOne = copyAndNormalizeStatus(thePod, frozen(status), by);
        expect(podStatusesEqual(inOne, normalizeStatus(thePod, status, by))).toBe(true);
        expect(names(inOne.initContainerStatuses)).toEqual(
          names(normalizeStatus(thePod, status, by).initContainerStatuses),
        );
      }),
      runs(),
    );
  });

  test('a normalized status is shared whole when it is normalized again', () => {
    fc.assert(
      fc.property(anyPod, podStatus, anyGates, (thePod, status, by) => {
        const once = copyAndNormalizeStatus(thePod, frozen(status), by);
        expect(normalizeStatus(thePod, frozen(once), by)).toBe(once);
        expect(podStatusesEqual(copyAndNormalizeStatus(thePod, once, by), once)).toBe(true);
      }),
      runs(),
    );
  });

  test('what needs no change is shared', () => {
    const status = frozen<PodStatus>({
      conditions: [{ type: 'a', status: 'b', lastProbeTime: SECONDS }],
      containerStatuses: [ended('x', 'b'), { name: 'a', state: { running: { startedAt: FRACTION } } }],
    });
    const result = normalizeStatus(pod(1), status, gates);
    expect(result.conditions).toBe(status.conditions);
    expect(result.containerStatuses?.[1]).toBe(status.containerStatuses?.[0]);
    expect(result).not.toBe(status);
  });
});

test('a bad status from outside is refused', () => {
  expect(() => copyAndNormalizeStatus(pod(1), { conditions: {} }, gates)).toThrow(
    expect.objectContaining({ code: 'ERR_BAD_STATUS' }) as Error,
  );
});
