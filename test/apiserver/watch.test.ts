import { expect, test } from 'vitest';
import type { Pod } from '../../src/kube/types.js';
import { MERGE, PODS, TestServer, messageOf } from './client.js';

interface Event {
  readonly type: string;
  readonly object: Pod & { readonly code?: number; readonly message?: string };
}

/** Reads a watch event by event; `null` at its end. */
async function open(api: TestServer, query: string, path = PODS) {
  const response = await fetch(`${api.server.url}${path}?watch=1${query}`);
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const end = text.indexOf('\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return JSON.parse(line) as Event;
      }
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return null;
      text += chunk.value;
    }
  };
  return { next, close: () => reader?.cancel() };
}

const brief = (event: Event | null): string =>
  event === null
    ? 'end'
    : `${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`;

test('what there is, then what happens: a pod from its creation to its end', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const watch = await open(api, '');
  expect(brief(await watch.next())).toBe('ADDED a 105');
  await api.createPod('b');
  await api.patchStatus('a', { phase: 'Running' });
  await api.patchStatus('a', { phase: 'Running' });
  await api.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
  const events = [];
  for (let i = 0; i < 4; i++) events.push(brief(await watch.next()));
  expect(events).toEqual(['ADDED b 106', 'MODIFIED a 107', 'MODIFIED a 108', 'DELETED a 109']);
  await watch.close();
});

test('from a version: only what came after it', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  await api.createPod('b');
  const watch = await open(api, '&resourceVersion=105');
  expect(brief(await watch.next())).toBe('ADDED b 106');
  await watch.close();
});

test('an object that comes to match is added, one that ceases to is deleted as it was', async () => {
  await using api = await TestServer.start();
  await api.createPod('a', {}, { labels: { app: 'x' } });
  const watch = await open(api, '&resourceVersion=105&labelSelector=app%3Dy');
  const label = (app: string) =>
    api.send('PATCH', `${PODS}/a`, { metadata: { labels: { app } } }, { contentType: MERGE });
  await label('y');
  expect(brief(await watch.next())).toBe('ADDED a 106');
  await label('z');
  const left = await watch.next();
  expect(brief(left)).toBe('DELETED a 107');
  expect(left?.object.metadata.labels).toEqual({ app: 'y' });
  await watch.close();
});

test('other namespaces and other kinds are not told', async () => {
  await using api = await TestServer.start();
  const watch = await open(api, '');
  const pod = { metadata: { name: 'other' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.send('POST', '/api/v1/namespaces/kube-system/pods', pod);
  await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  const { metadata } = await api.createPod('mine');
  expect(brief(await watch.next())).toBe(`ADDED mine ${metadata.resourceVersion}`);
  await watch.close();
});

test('a version that is gone: one ERROR event with a 410, and the end', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  api.server.store.compact();
  const watch = await open(api, '&resourceVersion=101');
  const event = await watch.next();
  expect(event?.type).toBe('ERROR');
  expect(event?.object).toMatchObject({
    code: 410,
    reason: 'Expired',
    message: 'too old resource version: 101 (105)',
  });
  expect(await watch.next()).toBeNull();
});

test('bookmarks: before the end, only if something happened, only for those who asked', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const asked = await open(
    api,
    '&resourceVersion=105&allowWatchBookmarks=true&timeoutSeconds=10&fieldSelector=metadata.name%3Dnone',
  );
  const quiet = await open(api, '&resourceVersion=105&timeoutSeconds=10&fieldSelector=metadata.name%3Dnone');
  await api.createPod('b');
  const newest = await open(api, '&resourceVersion=106&allowWatchBookmarks=true&timeoutSeconds=10');
  await api.clock.advance(10_000);
  expect(await newest.next()).toBeNull();
  const event = await asked.next();
  expect(event?.type).toBe('BOOKMARK');
  expect(event?.object.metadata.resourceVersion).toBe('106');
  expect(await asked.next()).toBeNull();
  expect(await quiet.next()).toBeNull();
});

test('what is no watch is refused before it begins', async () => {
  await using api = await TestServer.start();
  const answer = await api.send('GET', `${PODS}?watch=1&fieldSelector=spec.foo%3Dx`);
  expect(answer.status).toBe(400);
  expect(messageOf(answer)).toBe('field label not supported: spec.foo');
});

test('stopping the server ends its watches', async () => {
  const api = await TestServer.start();
  const watch = await open(api, '');
  await api.server.stop();
  expect(await watch.next()).toBeNull();
  api.clock.dispose();
});
