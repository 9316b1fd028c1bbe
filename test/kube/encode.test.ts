// Objects as Go's encoder sends them.

import { expect, test } from 'vitest';
import { encodeAs, encodePod, encodePodStatus } from '../../src/kube/encode.js';
import { eventSchema, nodeSchema, schemaOf } from '../../src/kube/schema.js';
import type { PodStatus } from '../../src/kube/types.js';

test('what is always there is filled in', () => {
  const status = {
    conditions: [{ type: 'Ready' }],
    containerStatuses: [{ name: 'a' }, { name: 'b', state: { running: {} }, lastState: { terminated: {} } }],
  };
  expect(encodePodStatus(status as unknown as PodStatus)).toEqual({
    conditions: [{ type: 'Ready', status: '', lastProbeTime: null, lastTransitionTime: null }],
    containerStatuses: [
      { name: 'a', state: {}, lastState: {}, ready: false, restartCount: 0, image: '', imageID: '' },
      {
        name: 'b',
        state: { running: { startedAt: null } },
        lastState: { terminated: { exitCode: 0, startedAt: null, finishedAt: null } },
        ready: false,
        restartCount: 0,
        image: '',
        imageID: '',
      },
    ],
  });
});

test('what is empty is left out, a pointer to it is not', () => {
  expect(
    encodePodStatus({
      phase: '',
      message: '',
      startTime: null,
      conditions: [],
      containerStatuses: null,
      podIPs: [{}, { ip: '' }],
      resourceClaimStatuses: [{ name: 'a', resourceClaimName: '' }],
      ephemeralContainerStatuses: [
        { name: 'c', started: false, containerID: '', allocatedResources: {}, resources: {} },
      ],
    }),
  ).toEqual({
    podIPs: [{}, {}],
    resourceClaimStatuses: [{ name: 'a', resourceClaimName: '' }],
    ephemeralContainerStatuses: [
      {
        ...{ name: 'c', state: {}, lastState: {}, ready: false, restartCount: 0, image: '', imageID: '' },
        started: false,
        resources: {},
      },
    ],
  });
});

test('times are cut to seconds and moved to UTC; a pointer to the zero time is null', () => {
  const at = (startTime: string): unknown => encodePodStatus({ startTime }).startTime;
  expect(at('2024-03-01T10:00:00Z')).toBe('2024-03-01T10:00:00Z');
  expect(at('2024-03-01T10:00:00.999999999Z')).toBe('2024-03-01T10:00:00Z');
  expect(at('2024-02-29T23:30:00.5-01:00')).toBe('2024-03-01T00:30:00Z');
  expect(encodePodStatus({ startTime: '0001-01-01T00:00:00Z' })).toEqual({ startTime: null });
});

test('broken UTF-8 becomes U+FFFD, also in labels', () => {
  expect(encodePodStatus({ message: 'a\udce2' })).toEqual({ message: 'a\ufffd' });
  expect(encodePod({ metadata: { labels: { a: 'x', b: '\udc80' } } }).metadata.labels).toEqual({
    a: 'x',
    b: '\ufffd',
  });
});

test('unknown fields are kept, whatever they are called', () => {
  const status = JSON.parse('{"later":{"x":null},"__proto__":{"polluted":1},"phase":"Running"}') as PodStatus;
  const encoded = encodePodStatus(status);
  expect(JSON.stringify(encoded)).toBe('{"phase":"Running","later":{"x":null},"__proto__":{"polluted":1}}');
  expect(Object.getPrototypeOf(encoded)).toBe(Object.prototype);
  expect(encodePodStatus({ later: 1 } as PodStatus)).toEqual({ later: 1 });
});

test('a null element is a zero value, a wrong type is left alone', () => {
  const strange = { conditions: [null, 'x'], podIPs: 'y', phase: 5 } as unknown as PodStatus;
  expect(encodePodStatus(strange)).toEqual({
    conditions: [{ type: '', status: '', lastProbeTime: null, lastTransitionTime: null }, 'x'],
    podIPs: 'y',
    phase: 5,
  });
});

test('a pod: its structs are there even when empty, in Go’s order', () => {
  const pod = { metadata: { uid: 'u', name: 'n' }, apiVersion: 'v1', kind: 'Pod' };
  expect(JSON.stringify(encodePod(pod))).toBe(
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"n","uid":"u","creationTimestamp":null},' +
      '"spec":{"containers":null},"status":{}}',
  );
});

test('other kinds', () => {
  expect(encodeAs(nodeSchema, { status: { conditions: [{ type: 'Ready' }] } })).toMatchObject({
    spec: {},
    status: {
      conditions: [{ type: 'Ready', status: '', lastHeartbeatTime: null, lastTransitionTime: null }],
    },
  });
  expect(encodeAs(eventSchema, {})).toMatchObject({
    involvedObject: {},
    firstTimestamp: null,
    eventTime: null,
  });
  expect(encodeAs(schemaOf('HTTPGetAction'), { path: '/' })).toEqual({ path: '/', port: 0 });
  expect(encodeAs(schemaOf('ResourceFieldSelector'), { resource: 'cpu' })).toEqual({
    resource: 'cpu',
    divisor: '0',
  });
});

test('the input is not changed and shares nothing that was', () => {
  const status = Object.freeze({ conditions: Object.freeze([Object.freeze({ type: 'a', status: 'True' })]) });
  expect(encodePodStatus(status)).not.toBe(status);
  expect(status).toEqual({ conditions: [{ type: 'a', status: 'True' }] });
});
