// The patch the kubelet sends.

import { expect, test } from 'vitest';
import { preparePatchBytesForPodStatus, withResourceVersion } from '../../src/kube/status-patch.js';
import type { PodStatus } from '../../src/kube/types.js';

const status: PodStatus = {
  message: 'Message',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'PodScheduled', status: 'True' },
  ],
};
const [ready, scheduled] = status.conditions ?? [];
const prepare = (next: PodStatus, uid = 'myuid', from = status) =>
  preparePatchBytesForPodStatus('ns', 'name', uid, from, next);

test.each<[string, PodStatus, boolean, string]>([
  ['no change', status, true, '{"metadata":{"uid":"myuid"}}'],
  [
    'message change',
    { ...status, message: 'random message' },
    false,
    '{"metadata":{"uid":"myuid"},"status":{"message":"random message"}}',
  ],
  [
    'pod condition change',
    { ...status, conditions: [{ ...ready, status: 'False' }, scheduled] },
    false,
    '{"metadata":{"uid":"myuid"},"status":{"$setElementOrder/conditions":[{"type":"Ready"},{"type":"PodScheduled"}],' +
      '"conditions":[{"status":"False","type":"Ready"}]}}',
  ],
  [
    'additional init container condition',
    { ...status, initContainerStatuses: [{ name: 'init-container', ready: true }] },
    false,
    '{"metadata":{"uid":"myuid"},"status":{"initContainerStatuses":[{"image":"","imageID":"","lastState":{},' +
      '"name":"init-container","ready":true,"restartCount":0,"state":{}}]}}',
  ],
])('TestPatchPodStatus: %s', (_, next, unchanged, bytes) => {
  expect(prepare(next)).toEqual({ bytes, unchanged, patch: JSON.parse(bytes) as unknown });
});

test('without a UID nothing says which pod, and nothing is unchanged', () => {
  expect(prepare(status, '')).toEqual({ bytes: '{}', unchanged: false, patch: {} });
});

test('what differs only before encoding does not differ', () => {
  const [from, to] = [
    { startTime: '2024-01-01T00:00:00.25Z', conditions: [], reason: '' },
    { startTime: '2024-01-01T01:00:00+01:00', podIPs: null },
  ];
  expect(prepare(to, 'u', from).unchanged).toBe(true);
});

test('a condition that goes, one that comes, one that changes', () => {
  const next = [
    { type: 'New', status: 'True' },
    { type: 'PodScheduled', status: 'False' },
  ];
  expect(prepare({ message: 'Message', conditions: next }).bytes).toBe(
    '{"metadata":{"uid":"myuid"},"status":{"$setElementOrder/conditions":[{"type":"New"},{"type":"PodScheduled"}],' +
      '"conditions":[{"lastProbeTime":null,"lastTransitionTime":null,"status":"True","type":"New"},' +
      '{"status":"False","type":"PodScheduled"},{"$patch":"delete","type":"Ready"}]}}',
  );
});

test('a conditional patch', () => {
  expect(withResourceVersion(prepare({ ...status, message: '<' }).patch, '42')).toBe(
    '{"metadata":{"resourceVersion":"42","uid":"myuid"},"status":{"message":"\\u003c"}}',
  );
  expect(withResourceVersion({}, '42')).toBe('{"metadata":{"resourceVersion":"42"}}');
});

test('an address without its key cannot be patched', () => {
  expect(() => prepare({ podIPs: [{ ip: '10.0.0.1' }] }, 'u', { podIPs: [{ ip: '' }] })).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_MERGE_KEY', status: 500 }) as Error,
  );
});

test.each(['', '<u>', 'a&b', '\0'])('with the UID %j a patch always counts as a change', (uid) => {
  expect(prepare(status, uid).unchanged).toBe(false);
});
