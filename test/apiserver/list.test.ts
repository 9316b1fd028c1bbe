import { expect, test } from 'vitest';
import type { Pod } from '../../src/kube/types.js';
import { PODS, TestServer, messageOf } from './client.js';

interface PodList {
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Pod[];
}

const names = ({ items }: PodList): (string | undefined)[] => items.map(({ metadata }) => metadata.name);

const list = async (api: TestServer, query = '', path = PODS): Promise<PodList> => {
  const { status, body } = await api.send<PodList>('GET', `${path}${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

test('in the order of names, without a kind on every item, at the version of the last write', async () => {
  await using api = await TestServer.start();
  for (const name of ['c', 'a', 'b', 'a-1']) await api.createPod(name);
  const all = await list(api);
  expect(names(all)).toEqual(['a', 'a-1', 'b', 'c']);
  expect(all.kind).toBe('PodList');
  expect(all.items[0]).not.toHaveProperty('kind');
  expect(all.metadata).toEqual({ resourceVersion: String(api.server.store.version) });
});

test.each([
  ['labelSelector', 'app=x', ['a', 'b']],
  ['labelSelector', 'app==x,tier!=web', ['a']],
  ['labelSelector', 'app in (x, y),tier', ['b', 'c']],
  ['labelSelector', 'tier notin (web)', ['a', 'c', 'd']],
  ['labelSelector', '!app', ['d']],
  ['labelSelector', 'n>5', ['c']],
  ['labelSelector', 'n<5', []],
  ['labelSelector', 'toString', []],
  ['fieldSelector', 'metadata.name=b', ['b']],
  ['fieldSelector', 'spec.nodeName=n,metadata.name!=a', ['b', 'c']],
  ['fieldSelector', 'status.phase=Running', ['c']],
  ['fieldSelector', 'metadata.namespace=default', ['a', 'b', 'c', 'd']],
  ['fieldSelector', 'spec.nodeName=', ['d']],
])('%s %s selects %j', async (parameter, selector, expected) => {
  await using api = await TestServer.start();
  await api.createPod('a', {}, { labels: { app: 'x' } });
  await api.createPod('b', {}, { labels: { app: 'x', tier: 'web' } });
  await api.createPod('c', {}, { labels: { app: 'y', tier: 'db', n: '7' } });
  await api.createPod('d', { nodeName: '' });
  await api.patchStatus('c', { phase: 'Running' });
  expect(names(await list(api, `?${parameter}=${encodeURIComponent(selector)}`))).toEqual(expected);
});

test.each([
  ['labelSelector=a%20in', "unable to parse requirement: found '' expected: '('"],
  ['labelSelector=a%3Db%2C%2C', "found ',', expected: identifier after ','"],
  ['fieldSelector=spec.foo%3Dx', 'field label not supported: spec.foo'],
  ['fieldSelector=spec.nodeName', "invalid selector: 'spec.nodeName'; can't understand 'spec.nodeName'"],
  ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
])('%s is a 400', async (query, message) => {
  await using api = await TestServer.start();
  const answer = await api.send('GET', `${PODS}?${query}`);
  expect(answer.status).toBe(400);
  expect(messageOf(answer)).toBe(message);
});

test('across namespaces', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const pod = { metadata: { name: 'z' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.send('POST', '/api/v1/namespaces/kube-system/pods', pod);
  expect(names(await list(api, '', '/api/v1/pods'))).toEqual(['a', 'z']);
  expect((await api.send('POST', '/api/v1/pods', pod)).status).toBe(405);
});

test('pages are of the version the first one had', async () => {
  await using api = await TestServer.start();
  for (const name of ['a', 'b', 'c']) await api.createPod(name, { nodeName: '' });
  const first = await list(api, '?limit=1');
  expect([names(first), first.metadata.remainingItemCount]).toEqual([['a'], 2]);
  await api.send('DELETE', `${PODS}/b`);
  await api.createPod('bb');
  const rest = await list(api, `?limit=5&continue=${first.metadata.continue}`);
  expect(names(rest)).toEqual(['b', 'c']);
  expect(rest.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
});

test('a page of a version that is gone is a 410', async () => {
  await using api = await TestServer.start();
  for (const name of ['a', 'b']) await api.createPod(name);
  const first = await list(api, '?limit=1');
  await api.createPod('c');
  api.server.store.compact();
  const answer = await api.send('GET', `${PODS}?continue=${first.metadata.continue}`);
  expect(answer.status).toBe(410);
});

test('an older version exactly; a version of the future not at all', async () => {
  await using api = await TestServer.start();
  const { metadata } = await api.createPod('a');
  await api.createPod('b');
  const query = `?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
  expect(names(await list(api, query))).toEqual(['a']);
  const future = await api.send('GET', `${PODS}?resourceVersion=99999`);
  expect([future.status, future.headers.get('retry-after')]).toEqual([504, '1']);
});
