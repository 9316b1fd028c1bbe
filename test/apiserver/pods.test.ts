import { expect, test } from 'vitest';
import type { FailureStatus } from '../../src/kube/api-error.js';
import { JSON_PATCH, MERGE, PODS, STRATEGIC, TestServer, messageOf } from './client.js';

test('a new pod gets uid, version, time, defaults, and only the status a new pod has', async () => {
  await using api = await TestServer.start();
  const { status, body } = await api.send('POST', PODS, {
    metadata: { name: 'a', uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'c', image: 'busybox' }] },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  });
  expect(status).toBe(201);
  expect(body.kind).toBe('Pod');
  expect(body.metadata).toEqual({
    name: 'a',
    namespace: 'default',
    uid: '00000000-0000-4000-8000-000000000005',
    resourceVersion: '105',
    creationTimestamp: '2024-01-02T03:04:05Z',
  });
  expect(body.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  expect(body.spec).toMatchObject({
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    priority: 0,
  });
  expect(body.spec?.containers?.[0]).toMatchObject({ imagePullPolicy: 'Always', resources: {} });
  expect((await api.get('a')).body).toEqual(body);
});

test('every write takes the next version, whatever it is about', async () => {
  await using api = await TestServer.start();
  const first = await api.createPod('a');
  const namespace = await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  const second = await api.createPod('b');
  const versions = [first, namespace.body, second].map(({ metadata }) => Number(metadata.resourceVersion));
  expect(versions).toEqual([105, 106, 107]);
});

test('generated names: the base cut, five characters after it', async () => {
  await using api = await TestServer.start({ nameSuffix: () => 'abcde' });
  const pod = (generateName: string) => ({
    metadata: { generateName },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  expect((await api.send('POST', PODS, pod('job-'))).body.metadata.name).toBe('job-abcde');
  const long = await api.send('POST', PODS, pod('x'.repeat(80)));
  expect(long.body.metadata.name).toBe(`${'x'.repeat(58)}abcde`);
});

test.each([
  ['a name that is taken', { metadata: { name: 'taken' } }, 409, 'pods "taken" already exists'],
  [
    'another namespace',
    { metadata: { name: 'x', namespace: 'kube-system' } },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'a version',
    { metadata: { name: 'x', resourceVersion: '7' } },
    500,
    'resourceVersion should not be set on objects to be created',
  ],
  [
    'no name',
    { metadata: {} },
    422,
    'Pod "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  ['another kind', { kind: 'Node', metadata: { name: 'x' } }, 400, /cannot be handled as a Pod: converting/],
  [
    'no containers',
    { metadata: { name: 'x' }, spec: {} },
    422,
    'Pod "x" is invalid: spec.containers: Required value',
  ],
  [
    'a wrong type',
    { metadata: { name: 1 } },
    400,
    /cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string/,
  ],
])('create refuses %s', async (_, body, code, message) => {
  await using api = await TestServer.start();
  await api.createPod('taken');
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const answer = await api.send<FailureStatus>('POST', PODS, { spec, ...body });
  expect(answer.status).toBe(code);
  expect(answer.body.code).toBe(code);
  if (typeof message === 'string') expect(messageOf(answer)).toBe(message);
  else expect(messageOf(answer)).toMatch(message);
});

test('a namespace that is not there: create names the namespace, everything else the pod', async () => {
  await using api = await TestServer.start();
  const path = '/api/v1/namespaces/nowhere/pods';
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect(messageOf(await api.send('POST', path, pod))).toBe('namespaces "nowhere" not found');
  expect(messageOf(await api.send('GET', `${path}/a`))).toBe('pods "a" not found');
  expect((await api.send('GET', path)).status).toBe(200);
});

test('the same label added three ways', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const path = `${PODS}/a`;
  const labels = async (body: unknown, contentType: string) => {
    const answer = await api.send('PATCH', path, body, { contentType });
    expect(answer.status).toBe(200);
    return answer.body.metadata.labels;
  };
  expect(await labels({ metadata: { labels: { x: '1' } } }, STRATEGIC)).toEqual({ x: '1' });
  expect(await labels({ metadata: { labels: { y: '2' } } }, MERGE)).toEqual({ x: '1', y: '2' });
  const operations = [{ op: 'add', path: '/metadata/labels/z', value: '3' }];
  expect(await labels(operations, JSON_PATCH)).toEqual({ x: '1', y: '2', z: '3' });
});

test.each(['application/json', 'application/apply-patch+yaml', 'text/plain'])(
  'PATCH as %s is a 415',
  async (contentType) => {
    await using api = await TestServer.start();
    await api.createPod('a');
    const answer = await api.send('PATCH', `${PODS}/a`, {}, { contentType });
    expect(answer.status).toBe(415);
    expect(messageOf(answer)).toBe('415: Unsupported Media Type');
  },
);

test('a write that changes nothing keeps the version and makes no event', async () => {
  await using api = await TestServer.start();
  const pod = await api.createPod('a', {}, { labels: { x: '1' } });
  const before = api.server.store.version;
  const put = await api.send('PUT', `${PODS}/a`, pod);
  const patch = await api.send(
    'PATCH',
    `${PODS}/a`,
    { metadata: { labels: { x: '1' } } },
    { contentType: MERGE },
  );
  expect([put.status, patch.status]).toEqual([200, 200]);
  expect([put.body, patch.body]).toEqual([pod, pod]);
  expect(api.server.store.version).toBe(before);
});

test('a main update cannot change the status, nor a status update the spec', async () => {
  await using api = await TestServer.start();
  const pod = await api.createPod('a');
  const main = await api.send('PUT', `${PODS}/a`, { ...pod, status: { phase: 'Running' } });
  expect(main.body.status?.phase).toBe('Pending');
  const spec = { ...pod.spec, nodeName: 'other' };
  const status = await api.send('PUT', `${PODS}/a/status`, { ...pod, spec, status: { phase: 'Running' } });
  expect(status.body.spec?.nodeName).toBe('n');
  expect(status.body.status).toEqual({ phase: 'Running' });
});

test('the spec: images may change, the node may not', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const patch = (spec: unknown) => api.send('PATCH', `${PODS}/a`, { spec }, { contentType: STRATEGIC });
  const image = await patch({ containers: [{ name: 'c', image: 'busybox:2' }] });
  expect(image.body.spec?.containers?.[0]?.image).toBe('busybox:2');
  expect((await patch({ nodeName: 'other' })).status).toBe(422);
});

test('a body of more than 3 MiB is a 413, and the connection lives on', async () => {
  await using api = await TestServer.start();
  const body = JSON.stringify({ metadata: { name: 'a', annotations: { k: 'x'.repeat(3 * 1024 * 1024) } } });
  const answer = await api.send('POST', PODS, body);
  expect(answer.status).toBe(413);
  expect(messageOf(answer)).toBe('Request entity too large: limit is 3145728');
  await api.createPod('b');
});

test('keys with a meaning to JavaScript are plain data', async () => {
  await using api = await TestServer.start();
  const body =
    '{"metadata":{"name":"a","annotations":{"constructor":"x","toString":"y"},"__proto__":{"labels":{"l":"1"}}},' +
    '"spec":{"containers":[{"name":"c","image":"i"}]}}';
  const { status, headers } = await api.send('POST', PODS, body);
  expect(status).toBe(201);
  expect(headers.get('warning')).toBe('299 - "unknown field \\"metadata.__proto__\\""');
  const pod = (await api.get('a')).body;
  expect(pod.metadata.labels).toBeUndefined();
  expect(pod.metadata.annotations).toEqual({ constructor: 'x', toString: 'y' });
});

test('half of a surrogate pair becomes U+FFFD', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const patch = '{"status":{"message":"cut\\udc80"}}';
  const answer = await api.send('PATCH', `${PODS}/a/status`, patch, { contentType: STRATEGIC });
  expect(answer.body.status?.message).toBe('cut\ufffd');
});
