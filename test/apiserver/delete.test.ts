import { expect, test } from 'vitest';
import type { Pod } from '../../src/kube/types.js';
import { MERGE, PODS, TestServer, messageOf } from './client.js';

const eventsSince = (api: TestServer, version: number): string[] =>
  api.server.store
    .since(version)
    .map(({ type, version, object }) => `${type} ${version} ${object.metadata.deletionGracePeriodSeconds}`);

test('with grace: one write, the time it should be gone by, and nothing removes it', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const before = api.server.store.version;
  const { status, body } = await api.send('DELETE', `${PODS}/a`, { gracePeriodSeconds: 10 });
  expect(status).toBe(200);
  expect(body.metadata.deletionTimestamp).toBe('2024-01-02T03:04:15Z');
  expect(eventsSince(api, before)).toEqual([`MODIFIED ${before + 1} 10`]);
  await api.clock.advance(60_000);
  expect((await api.get('a')).status).toBe(200);
});

test('grace 0: two writes, the answer has the version of the second', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const before = api.server.store.version;
  const { body } = await api.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
  expect(eventsSince(api, before)).toEqual([`MODIFIED ${before + 1} 0`, `DELETED ${before + 2} 0`]);
  expect(body.metadata.resourceVersion).toBe(String(before + 2));
  expect((await api.get('a')).status).toBe(404);
});

test.each<[string, Pod['spec'], string]>([
  ['was never scheduled', { nodeName: '' }, 'Pending'],
  ['succeeded', {}, 'Succeeded'],
  ['failed', {}, 'Failed'],
])('a pod that %s goes at once, whatever the grace', async (_, spec, phase) => {
  await using api = await TestServer.start();
  await api.createPod('a', spec);
  await api.patchStatus('a', { phase });
  await api.send('DELETE', `${PODS}/a`, { gracePeriodSeconds: 20 });
  expect((await api.get('a')).status).toBe(404);
});

test('a second delete can only shorten, and counts from the first', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const remove = async (gracePeriodSeconds?: number) => {
    const { body } = await api.send(
      'DELETE',
      `${PODS}/a`,
      gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds },
    );
    const { deletionTimestamp, resourceVersion } = body.metadata;
    return [deletionTimestamp, resourceVersion];
  };
  expect(await remove()).toEqual(['2024-01-02T03:04:35Z', '106']);
  await api.clock.advance(2_000);
  expect(await remove(60)).toEqual(['2024-01-02T03:04:35Z', '106']);
  expect(await remove()).toEqual(['2024-01-02T03:04:35Z', '106']);
  expect(await remove(5)).toEqual(['2024-01-02T03:04:10Z', '107']);
});

test('a terminal phase does not end a deletion under way; an explicit grace 0 does', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  await api.send('DELETE', `${PODS}/a`);
  await api.patchStatus('a', { phase: 'Succeeded' });
  await api.send('DELETE', `${PODS}/a`);
  expect((await api.get('a')).status).toBe(200);
  await api.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
  expect((await api.get('a')).status).toBe(404);
});

test('a body makes the query count for nothing; negative grace is 1', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const { body } = await api.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`, { gracePeriodSeconds: -5 });
  expect(body.metadata.deletionGracePeriodSeconds).toBe(1);
});

test('preconditions: both are checked, and name the Kind', async () => {
  await using api = await TestServer.start();
  const { metadata } = await api.createPod('a');
  const remove = (preconditions: unknown) =>
    api.send('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0, preconditions });
  const uid = await remove({ uid: 'other' });
  expect(uid.status).toBe(409);
  expect(messageOf(uid)).toBe(
    `Operation cannot be fulfilled on Pod "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
  );
  expect((await remove({ resourceVersion: '1' })).status).toBe(409);
  const { uid: right, resourceVersion } = metadata;
  expect((await remove({ uid: right, resourceVersion })).status).toBe(200);
});

test('a finalizer keeps the pod; dropping the last one removes it in one write', async () => {
  await using api = await TestServer.start();
  await api.createPod('a', {}, { finalizers: ['e.com/f'] });
  const { body: deleted } = await api.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
  const before = api.server.store.version;
  const { body } = await api.send(
    'PATCH',
    `${PODS}/a`,
    { metadata: { finalizers: null } },
    { contentType: MERGE },
  );
  expect(body.metadata.finalizers).toBeUndefined();
  expect(body.metadata.resourceVersion).toBe(deleted.metadata.resourceVersion);
  const [event, ...more] = api.server.store.since(before);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { finalizers: ['e.com/f'] } } });
  expect((await api.get('a')).status).toBe(404);
});

test('a dry run answers and does nothing', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const before = api.server.store.version;
  const { body } = await api.send('DELETE', `${PODS}/a?dryRun=All`);
  expect(body.metadata.deletionGracePeriodSeconds).toBe(30);
  expect(api.server.store.version).toBe(before);
});

test('a collection: those that match, and the list as it was', async () => {
  await using api = await TestServer.start();
  for (const [name, x] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '1'],
  ] as const) {
    await api.createPod(name, { nodeName: '' }, { labels: { x } });
  }
  const { body } = await api.send<{ items: Pod[] }>('DELETE', `${PODS}?labelSelector=x%3D1`);
  expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
  expect(body.items[0]?.metadata.deletionTimestamp).toBeUndefined();
  const { body: left } = await api.send<{ items: Pod[] }>('GET', PODS);
  expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['b']);
});
