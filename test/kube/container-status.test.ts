import { describe, expect, test } from 'vitest';
import { canBeDeleted } from '../../src/kube/can-be-deleted.js';
import {
  findContainerStatus,
  hasPodInitialized,
  initializedContainers,
} from '../../src/kube/container-status.js';
import { configMirrorAnnotation } from '../../src/kube/pod.js';
import type { ContainerStatus, Pod, PodStatus } from '../../src/kube/types.js';

const waiting = (name: string): ContainerStatus => ({ name, state: { waiting: {} } });
const ended = (name: string, exitCode?: number): ContainerStatus => ({
  name,
  state: { terminated: { exitCode } },
});
const endedBefore = (name: string, exitCode: number): ContainerStatus => ({
  name,
  state: { waiting: {} },
  lastState: { terminated: { exitCode } },
});

test('findContainerStatus looks among regular containers first, never among ephemeral ones', () => {
  const status: PodStatus = {
    containerStatuses: [{ name: 'a', containerID: 'x://1' }],
    initContainerStatuses: [
      { name: 'i' },
      { name: 'j', containerID: 'x://1' },
      { name: 'k', containerID: 'x://2' },
    ],
    ephemeralContainerStatuses: [{ name: 'e', containerID: 'x://3' }],
  };
  expect(findContainerStatus(status, 'x://1')).toEqual({ found: true, index: 0, init: false });
  expect(findContainerStatus(status, 'x://2')).toEqual({ found: true, index: 2, init: true });
  expect(findContainerStatus(status, '')).toEqual({ found: true, index: 0, init: true });
  expect(findContainerStatus(status, 'x://3')).toEqual({ found: false, index: -1, init: false });
  expect(findContainerStatus({}, '')).toEqual({ found: false, index: -1, init: false });
});

describe('hasPodInitialized', () => {
  const pod = (status: PodStatus): Pod => ({
    metadata: {},
    spec: { initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }, { name: 'j' }] },
    status,
  });
  const init = (...initContainerStatuses: ContainerStatus[]): Pod => pod({ initContainerStatuses });
  const sidecar = (started: boolean | null, running: object | null = {}): ContainerStatus => ({
    name: 's',
    started,
    state: { running },
  });

  test.each<[string, Pod, boolean]>([
    ['no init containers', { metadata: {} }, true],
    ['no statuses', { metadata: {}, spec: { initContainers: [{ name: 'i' }] } }, false],
    [
      'a container that runs',
      pod({ containerStatuses: [waiting('a'), { name: 'b', state: { running: {} } }] }),
      true,
    ],
    ['a container without a state', pod({ containerStatuses: [{ name: 'a' }] }), true],
    ['a container that ran before', pod({ containerStatuses: [endedBefore('a', 1)] }), true],
    ['waiting containers only', pod({ containerStatuses: [waiting('a')] }), false],
    ['the last init container succeeded', init(waiting('i'), sidecar(null), ended('j')), true],
    ['it succeeded before', init(waiting('i'), sidecar(null), endedBefore('j', 0)), true],
    ['it failed', init(ended('i'), sidecar(true), ended('j', 1)), false],
    ['the last that has a status counts', init(ended('i')), true],
    ['a sidecar that started', init(ended('i'), sidecar(true)), true],
    ['one that did not', init(ended('i'), sidecar(false)), false],
    ['one that is not running', init(ended('i'), sidecar(true, null)), false],
    ['a status that is not at its place', init(ended('j', 0)), false],
  ])('%s', (_, thePod, want) => {
    expect(hasPodInitialized(thePod)).toBe(want);
  });
});

test('initializedContainers are those up to the last that left waiting, at least one', () => {
  const list = [waiting('a'), ended('b', 1), waiting('c')];
  expect(initializedContainers(list)).toEqual(list.slice(0, 2));
  expect(initializedContainers([ended('a'), waiting('b'), ended('c')])).toHaveLength(3);
  expect(initializedContainers([waiting('a'), endedBefore('b', 0)])).toHaveLength(2);
  expect(initializedContainers([waiting('a'), waiting('b')])).toEqual([waiting('a')]);
  expect(initializedContainers([waiting('a'), { name: 'b' }])).toHaveLength(2);
  expect(initializedContainers([])).toBeNull();
  expect(initializedContainers(undefined)).toBeNull();
});

test('canBeDeleted: deleted, ended for the API, finished here, and no mirror', () => {
  const deleted: Pod = {
    metadata: { deletionTimestamp: '2024-03-01T10:00:00Z' },
    status: { phase: 'Failed' },
  };
  expect(canBeDeleted(deleted, true)).toBe(true);
  expect(canBeDeleted(deleted, false)).toBe(false);
  expect(canBeDeleted({ ...deleted, status: { phase: 'Running' } }, true)).toBe(false);
  expect(canBeDeleted({ metadata: deleted.metadata }, true)).toBe(false);
  expect(canBeDeleted({ ...deleted, metadata: { deletionTimestamp: null } }, true)).toBe(false);
  const annotations = { [configMirrorAnnotation]: 'x' };
  expect(canBeDeleted({ ...deleted, metadata: { ...deleted.metadata, annotations } }, true)).toBe(false);
});
