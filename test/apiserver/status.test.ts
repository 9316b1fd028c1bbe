import { expect, test } from 'vitest';
import type { FailureStatus } from '../../src/kube/api-error.js';
import type { ContainerState } from '../../src/kube/types.js';
import { PODS, TestServer, messageOf } from './client.js';

const at = '2024-01-02T03:04:05Z';

test('a status patch: conditions merge by type, what Go always writes is filled in', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  await api.patchStatus('a', { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at }] });
  const { body } = await api.patchStatus('a', {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'c', ready: true }],
  });
  expect(body.status).toEqual({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: at }],
    containerStatuses: [
      { name: 'c', state: {}, lastState: {}, ready: true, restartCount: 0, image: '', imageID: '' },
    ],
    qosClass: 'BestEffort',
  });
});

test('times are cut to whole seconds in UTC', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const start = async (startTime: string) =>
    (await api.patchStatus('a', { startTime })).body.status?.startTime;
  expect(await start('2024-01-02T03:04:05.678Z')).toBe(at);
  expect(await start('2024-01-02T05:04:05+02:00')).toBe(at);
  expect(await start('2024-02-29T00:00:00Z')).toBe('2024-02-29T00:00:00Z');
});

test.each([
  ['yesterday', 'cannot parse "yesterday" as "2006"'],
  ['2024-13-02T03:04:05Z', 'month out of range'],
  ['2023-02-29T03:04:05Z', 'day out of range'],
  ['2024-01-02T24:04:05Z', 'hour out of range'],
  ['2024-01-02T03:04:05Zz', 'extra text: "z"'],
])('%s is no time', async (startTime, problem) => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const answer = await api.patchStatus('a', { startTime });
  expect(answer.status).toBe(422);
  expect(messageOf(answer)).toContain(problem);
});

test('the UID guards a patch: 422 with the cause twice', async () => {
  await using api = await TestServer.start();
  const pod = await api.createPod('a');
  const wrong = await api.patchStatus<FailureStatus>('a', { phase: 'Running' }, { uid: 'other' });
  expect(wrong.status).toBe(422);
  expect(wrong.body.details?.causes).toHaveLength(2);
  expect(messageOf(wrong)).toBe(
    'Pod "a" is invalid: metadata.uid: Invalid value: "other": field is immutable',
  );
  expect((await api.patchStatus('a', { phase: 'Running' }, { uid: pod.metadata.uid })).status).toBe(200);
});

test('the version guards a patch, and is looked at before the UID', async () => {
  await using api = await TestServer.start();
  const { metadata } = await api.createPod('a');
  const { resourceVersion } = metadata;
  const ok = await api.patchStatus('a', { phase: 'Running' }, { resourceVersion });
  expect(ok.status).toBe(200);
  const stale = await api.patchStatus('a', { phase: 'Failed' }, { resourceVersion, uid: 'other' });
  expect(stale.status).toBe(409);
  expect(messageOf(stale)).toMatch(
    /^Operation cannot be fulfilled on pods "a": the object has been modified/,
  );
});

test('PUT of a status made from another pod is a 409', async () => {
  await using api = await TestServer.start();
  const pod = await api.createPod('a');
  const answer = await api.send('PUT', `${PODS}/a/status`, {
    ...pod,
    metadata: { ...pod.metadata, uid: 'other' },
  });
  expect(answer.status).toBe(409);
  expect(messageOf(answer)).toContain(
    'Precondition failed: UID in precondition: other, UID in object meta: ',
  );
});

const terminated = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

test.each([
  ['Never', 0, 422],
  ['Never', 1, 422],
  ['OnFailure', 0, 422],
  ['OnFailure', 1, 200],
  ['Always', 0, 200],
])(
  'restartPolicy %s: a container that ended with %i may run again: %i',
  async (restartPolicy, exitCode, code) => {
    await using api = await TestServer.start();
    await api.createPod('a', { restartPolicy });
    await api.patchStatus('a', { containerStatuses: [{ name: 'c', state: terminated(exitCode) }] });
    const answer = await api.patchStatus('a', { containerStatuses: [{ name: 'c', state: { running: {} } }] });
    expect(answer.status).toBe(code);
    if (code === 422) expect(messageOf(answer)).toContain('may not be transitioned to non-terminated state');
  },
);

test('podIP and podIPs agree: the one wins over the list', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const ips = async (status: unknown) => {
    const { body } = await api.patchStatus('a', status);
    return [body.status?.podIP, body.status?.podIPs];
  };
  expect(await ips({ podIPs: [{ ip: '10.1.0.5' }] })).toEqual(['10.1.0.5', [{ ip: '10.1.0.5' }]]);
  expect(await ips({ podIPs: [{ ip: 'fd00::5' }] })).toEqual(['10.1.0.5', [{ ip: '10.1.0.5' }]]);
  expect(await ips({ podIP: null, podIPs: null })).toEqual([undefined, undefined]);
});

test('unknown fields: a warning, an error if the client is strict, silence if it does not care', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const send = (validation: string) =>
    api.send(
      'PATCH',
      `${PODS}/a/status?fieldValidation=${validation}`,
      { status: { bögus: 1 } },
      {
        contentType: 'application/strategic-merge-patch+json',
      },
    );
  expect((await send('Warn')).headers.get('warning')).toBe('299 - "unknown field \\"status.b\\u00f6gus\\""');
  expect((await send('Strict')).status).toBe(422);
  const ignored = await send('Ignore');
  expect([ignored.status, ignored.headers.get('warning')]).toEqual([200, null]);
});
