import { expect, test } from 'vitest';
import { CompactedError, Store } from '../../src/apiserver/index.js';

const put = (store: Store, key: string, labels = {}) =>
  store.put('pods', key, (resourceVersion) => ({ metadata: { name: key, labels, resourceVersion } }));

test('a list of an older version is what it was', () => {
  const store = new Store({ firstVersion: 10 });
  put(store, 'ns/a');
  put(store, 'ns/b');
  const then = store.version;
  const before = store.list('pods', 'ns/');
  put(store, 'ns/a', { x: '1' });
  store.delete('pods', 'ns/b');
  put(store, 'ns/c');
  store.put('namespaces', 'ns/a', () => ({ metadata: {} }));
  expect(store.listAt('pods', 'ns/', then)).toEqual(before);
  expect(store.listAt('pods', 'ns/', 10)).toEqual([]);
});

test('keys are listed in their order, within a prefix', () => {
  const store = new Store();
  for (const key of ['b/x', 'a/z', 'a/y', 'a-1/w']) put(store, key);
  expect(store.list('pods', 'a/').map(({ metadata }) => metadata.name)).toEqual(['a/y', 'a/z']);
  expect(store.list('pods', '').map(({ metadata }) => metadata.name)).toEqual(['a-1/w', 'a/y', 'a/z', 'b/x']);
});

test('old events are forgotten: what is kept is whole, the rest is an error', () => {
  const store = new Store({ firstVersion: 100, eventLimit: 5 });
  for (let i = 0; i < 30; i++) put(store, `k${i}`);
  const { oldestVersion, version } = store;
  expect(version).toBe(130);
  expect(store.since(oldestVersion)).toHaveLength(version - oldestVersion);
  expect(version - oldestVersion).toBeGreaterThanOrEqual(5);
  expect(() => store.since(oldestVersion - 1)).toThrow(CompactedError);
});

test('a build that throws writes nothing', () => {
  const store = new Store();
  const before = store.version;
  const broken = () => {
    throw new Error('no');
  };
  expect(() => store.put('pods', 'a', broken)).toThrow('no');
  expect(store.version).toBe(before);
  expect(store.get('pods', 'a')).toBeUndefined();
});
