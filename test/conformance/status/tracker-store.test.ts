import { expect, test } from 'vitest';
import type { Pod } from '../../../src/kube/types.js';
import { TrackerStore } from './tracker-store.js';

const pod = (name: string, extra: Partial<Pod> = {}): Pod => ({
  metadata: { namespace: 'ns', name, uid: `uid-${name}` },
  ...extra,
});

function storeOf(...pods: Pod[]): TrackerStore {
  const store = new TrackerStore();
  for (const one of pods) store.create(one);
  return store;
}

test('a patch is applied to what Go would have written, and its answer is the patched object', async () => {
  const store = storeOf(pod('a', { status: { phase: 'Pending', startTime: '2024-03-01T10:00:00.5Z' } }));
  const patched = await store.patchPodStatus('ns', 'a', '{"status":{"phase":"Running"}}');
  expect(patched.status).toEqual({ phase: 'Running', startTime: '2024-03-01T10:00:00Z' });
  expect(await store.getPod('ns', 'a')).toBe(patched);
  expect(store.contents()).toEqual({
    'ns/a': { uid: 'uid-a', deletionTimestamp: false, status: patched.status },
  });
});

test('a patch whose order is not that of its list is refused and changes nothing', async () => {
  const store = storeOf(pod('a'));
  const patch = {
    status: {
      '$setElementOrder/conditions': [{ type: 'A' }, { type: 'B' }],
      conditions: [{ type: 'B' }, { type: 'A' }],
    },
  };
  await expect(store.patchPodStatus('ns', 'a', JSON.stringify(patch))).rejects.toThrow();
  expect(store.contents()['ns/a'].status).toEqual({});
});

test('what is not there is not found; what is there already cannot be created', async () => {
  const store = storeOf(pod('a'));
  for (const call of [
    store.getPod('ns', 'b'),
    store.patchPodStatus('ns', 'b', '{}'),
    store.deletePod('ns', 'b', { gracePeriodSeconds: 0, uid: 'x' }),
  ])
    await expect(call).rejects.toMatchObject({ status: 404, reason: 'NotFound' });
  expect(() => store.update(pod('b'))).toThrow('not found');
  expect(() => store.create(pod('a'))).toThrow('already exists');
});

test('a delete removes, whatever its options say', async () => {
  const store = storeOf(pod('a'));
  await store.deletePod('ns', 'a', { gracePeriodSeconds: 30, uid: 'another' });
  expect(store.contents()).toEqual({});
  expect(store.takeActions()).toEqual([
    { verb: 'delete', namespace: 'ns', name: 'a', deleteOptions: { gracePeriodSeconds: 30, uid: 'another' } },
  ]);
});

test('armed failures hit the calls they are for, one each, in the order armed', async () => {
  const store = storeOf(pod('a'), pod('b'));
  store.failNext({ verb: 'get', namespace: 'ns', name: 'a', code: 500 });
  store.failNext({ verb: 'get', namespace: 'ns', name: 'a', code: 0 });
  await store.getPod('ns', 'b');
  await store.patchPodStatus('ns', 'a', '{}');
  await expect(store.getPod('ns', 'a')).rejects.toMatchObject({ status: 500, reason: 'InternalError' });
  await expect(store.getPod('ns', 'a')).rejects.not.toHaveProperty('status');
  await store.getPod('ns', 'a');
  expect(store.takeActions().filter(({ verb }) => verb === 'get')).toHaveLength(4);
});

test('a failure may come after the effect', async () => {
  const store = storeOf(pod('a'));
  store.failNext({ verb: 'delete', namespace: 'ns', name: 'a', code: 504, applied: true });
  store.failNext({ verb: 'patch', namespace: 'ns', name: 'a', code: 504, applied: true });
  await expect(store.patchPodStatus('ns', 'a', '{"status":{"phase":"Failed"}}')).rejects.toThrow();
  expect(store.contents()['ns/a'].status).toEqual({ phase: 'Failed' });
  await expect(store.deletePod('ns', 'a', { gracePeriodSeconds: 0, uid: '' })).rejects.toThrow();
  expect(store.contents()).toEqual({});
});

test('actions come pod sync by pod sync, by name and then by length', async () => {
  const store = storeOf(pod('a'), pod('b'));
  for (const name of ['b', 'a', 'a']) await store.getPod('ns', name).then(() => undefined);
  await store.patchPodStatus('ns', 'a', '{}');
  await store.getPod('ns', 'a');
  const order = store.takeActions().map(({ verb, name }) => `${verb} ${name}`);
  expect(order).toEqual(['get a', 'get a', 'get a', 'patch a', 'get b']);
  expect(store.takeActions()).toEqual([]);
});

test('other clients change objects without the manager calling', () => {
  const store = storeOf(pod('a', { status: { conditions: [{ type: 'X', status: 'True' }] } }));
  store.markDeleted('ns', 'a', '2024-03-01T10:00:00Z', 30);
  store.setCondition('ns', 'a', { type: 'X', status: 'False' });
  store.setCondition('ns', 'a', { type: 'Y', status: 'True' });
  const { metadata, status } = store.watched('ns', 'a');
  expect(metadata).toMatchObject({
    uid: 'uid-a',
    deletionTimestamp: '2024-03-01T10:00:00Z',
    deletionGracePeriodSeconds: 30,
  });
  expect(status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual(['X False', 'Y True']);
  expect(store.takeActions()).toEqual([]);
});
