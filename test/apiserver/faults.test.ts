import { expect, test } from 'vitest';
import type { FailureStatus } from '../../src/kube/api-error.js';
import { PODS, TestServer, messageOf } from './client.js';

const PATCH_STATUS = { verb: 'patch', subresource: 'status' } as const;

test('a refusal before: nothing is applied; after: it is', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const { faults } = api.server;
  faults.fail({ code: 500 }, { match: PATCH_STATUS, times: 1 });
  expect((await api.patchStatus('a', { phase: 'Running' })).status).toBe(500);
  expect((await api.get('a')).body.status?.phase).toBe('Pending');
  const after = faults.fail({ code: 503 }, { match: PATCH_STATUS, at: 'after' });
  expect((await api.patchStatus('a', { phase: 'Running' })).status).toBe(503);
  expect((await api.get('a')).body.status?.phase).toBe('Running');
  after.remove();
  expect((await api.patchStatus('a', { phase: 'Failed' })).status).toBe(200);
  expect(after.hits).toBe(1);
});

test('429 with Retry-After, 404 and 409 in the words of a real server', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const { faults } = api.server;
  faults.fail({ code: 429, retryAfterSeconds: 3 }, { times: 1 });
  const busy = await api.get('a');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3']);
  faults.fail({ code: 404 }, { times: 1 });
  expect(messageOf(await api.get('a'))).toBe('pods "a" not found');
  faults.fail({ code: 409, message: 'no' }, { times: 1 });
  const conflict = await api.send<FailureStatus>('GET', `${PODS}/a`);
  expect(conflict.body).toMatchObject({
    reason: 'Conflict',
    message: 'no',
    details: { name: 'a', kind: 'pods' },
  });
});

test('the connection broken off: before, after, and in the middle of the answer', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const { faults } = api.server;
  const phase = async () => (await api.get('a')).body.status?.phase;
  faults.drop('before', { match: PATCH_STATUS, times: 1 });
  await expect(api.patchStatus('a', { phase: 'Running' })).rejects.toThrow();
  expect(await phase()).toBe('Pending');
  faults.drop('after', { match: PATCH_STATUS, times: 1 });
  await expect(api.patchStatus('a', { phase: 'Running' })).rejects.toThrow();
  expect(await phase()).toBe('Running');
  faults.drop('half', { match: PATCH_STATUS, times: 1 });
  await expect(api.patchStatus('a', { phase: 'Failed' })).rejects.toThrow('terminated');
  expect(await phase()).toBe('Failed');
});

test('a gate before: requests wait unapplied, and go in the order they are let go', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  await api.createPod('b');
  const gate = api.server.faults.hold({ match: PATCH_STATUS });
  const first = api.patchStatus('a', { phase: 'Running' });
  await gate.arrived(1);
  const second = api.patchStatus('b', { phase: 'Running' });
  await gate.arrived(2);
  expect(gate.held.map(({ name }) => name)).toEqual(['a', 'b']);
  expect((await api.get('a')).body.status?.phase).toBe('Pending');
  expect(gate.release(({ name }) => name === 'b')).toBe(true);
  await second;
  gate.open();
  await first;
  const versions = await Promise.all([first, second]);
  const [a, b] = versions.map(({ body }) => Number(body.metadata.resourceVersion));
  expect(b).toBeLessThan(a);
  expect((await api.patchStatus('a', { phase: 'Failed' })).status).toBe(200);
});

test('a gate after: answers in another order than the writes', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const gate = api.server.faults.hold({ match: PATCH_STATUS, at: 'after' });
  const answered: string[] = [];
  const patch = (reason: string) => api.patchStatus('a', { reason }).then(() => answered.push(reason));
  const first = patch('first');
  await gate.arrived(1);
  const second = patch('second');
  await gate.arrived(2);
  expect((await api.get('a')).body.status?.reason).toBe('second');
  gate.release(({ id }) => id === gate.held[1]?.id);
  await second;
  gate.releaseReversed();
  await first;
  expect(answered).toEqual(['second', 'first']);
});

test('a delay is as long as the clock says', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  const rule = api.server.faults.delay(1_000, { match: { verb: 'get' } });
  let isDone = false;
  const get = api.get('a').then(() => (isDone = true));
  const other = await api.send('GET', PODS);
  expect(other.status).toBe(200);
  while (rule.hits === 0) await api.send('GET', PODS);
  expect(isDone).toBe(false);
  await api.clock.advance(1_000);
  await get;
});

test('names by pattern, and the same draws for the same seed', async () => {
  const run = async (seed: number) => {
    await using api = await TestServer.start({ seed });
    for (const name of ['a-1', 'b-1']) await api.createPod(name);
    api.server.faults.fail({ code: 503 }, { match: { name: /^a-/ }, probability: 0.5 });
    const codes: number[] = [];
    for (let i = 0; i < 20; i++) codes.push((await api.get('a-1')).status);
    expect((await api.get('b-1')).status).toBe(200);
    return codes;
  };
  const codes = await run(7);
  expect(new Set(codes)).toEqual(new Set([200, 503]));
  expect(await run(7)).toEqual(codes);
  expect(await run(8)).not.toEqual(codes);
});

test('stopping lets go of everything that waits', async () => {
  const api = await TestServer.start();
  const gate = api.server.faults.hold({ match: { verb: 'list' } });
  api.server.faults.delay(1_000, { match: { verb: 'get' } });
  const held = api.send('GET', PODS);
  const delayed = api.get('a');
  const settledAll = Promise.allSettled([held, delayed]);
  await gate.arrived(1);
  await api.server.stop();
  for (const { status } of await settledAll) expect(status).toBe('rejected');
  api.clock.dispose();
});

test('the log: who asked what, how it ended, and what overlapped', async () => {
  await using api = await TestServer.start();
  await api.createPod('a');
  await api.createPod('b');
  const { requests, faults } = api.server;
  requests.clear();
  const gate = faults.hold({ match: PATCH_STATUS });
  const finished = requests.finished(PATCH_STATUS, 3);
  const patches = [
    api.patchStatus('a', { phase: 'x' }),
    api.patchStatus('a', { phase: 'y' }),
    api.patchStatus('b', {}),
  ];
  await gate.arrived(3);
  expect(requests.matching(PATCH_STATUS).map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
  gate.open();
  await Promise.all(patches);
  await finished;
  expect(requests.count({ ...PATCH_STATUS, code: 200 })).toBe(3);
  expect(requests.maxOverlap(PATCH_STATUS)).toBe(2);
  await api.get('nope');
  expect(requests.records.at(-1)).toMatchObject({ verb: 'get', resource: 'pods', name: 'nope', code: 404 });
  await api.get('a');
  await api.get('a');
  expect(requests.maxOverlap({ verb: 'get' })).toBe(1);
});
