// `faithful: true` over real HTTP: upstream's requests exactly. What the batches decide is in the recorded vectors.
import { expect, test } from 'vitest';
import type { Pod, PodUID } from '../../src/kube/types.js';
import type { DeleteOptions, StatusClient } from '../../src/status/index.js';
import { FakeClock } from '../../src/sync/index.js';
import { type RigOptions, StatusRig, running, settle } from '../support/status-rig.js';

const uidOf = (pod: Pod): PodUID => pod.metadata.uid as PodUID;

/** The ticker never comes by itself. */
const open = (options: RigOptions = {}): Promise<StatusRig> =>
  StatusRig.start({ faithful: true, clock: new FakeClock(), ...options });

/** What is asked until the manager rests again. */
async function asked(rig: StatusRig, work: () => unknown): Promise<string[]> {
  const since = rig.now;
  await work();
  await settle();
  await rig.manager.idle();
  return rig.requests(since);
}

test('GET before each PATCH, also for the second status', async () => {
  await using rig = await open();
  const pod = await rig.createPod('pod');
  for (const message of ['1', '2']) {
    expect(await asked(rig, () => rig.manager.setPodStatus(pod, running(message)))).toEqual([
      'get pod',
      'patch pod/status',
    ]);
    expect((await rig.getPod('pod')).status!.message).toBe(message);
  }
});

test('the PATCH carries the UID and no resourceVersion, the DELETE grace 0 and the UID as precondition', async () => {
  const patches: string[] = [];
  const deletes: DeleteOptions[] = [];
  await using rig = await open({
    wrap: (client): StatusClient => ({
      getPod: (...args) => client.getPod(...args),
      patchPodStatus(namespace, name, patch, signal) {
        patches.push(patch);
        return client.patchPodStatus(namespace, name, patch, signal);
      },
      deletePod(namespace, name, options, signal) {
        deletes.push(options);
        return client.deletePod(namespace, name, options, signal);
      },
    }),
  });
  const pod = await rig.createPod('pod');
  await asked(rig, () => rig.manager.setPodStatus(pod, running('1')));
  const deleting = await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod');
  await asked(rig, () => rig.manager.terminatePod(deleting));
  const uid = pod.metadata.uid!;
  expect(patches.map((patch) => (JSON.parse(patch) as Pod).metadata)).toEqual([{ uid }, { uid }]);
  expect(deletes).toEqual([{ gracePeriodSeconds: 0, uid }]);
});

test('one pod at a time, whatever the concurrency', async () => {
  await using rig = await open({ concurrency: 16 });
  const pods = await rig.createPods(5);
  const since = rig.now;
  const gate = rig.server.faults.hold({ match: { resource: 'pods', verb: 'get' } });
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x'));
  for (let i = 1; i <= 5; i++) {
    await gate.arrived(i);
    await settle();
    expect(gate.held).toHaveLength(1);
    gate.release();
  }
  await rig.manager.idle();
  const order = rig.requests(since);
  expect(order).toHaveLength(10);
  for (let i = 0; i < 10; i += 2) expect(order[i + 1]).toBe(`${order[i].replace('get', 'patch')}/status`);
});

test('what is set during a batch goes with the next one', async () => {
  await using rig = await open();
  const [first, second] = await rig.createPods(2);
  const since = rig.now;
  const gate = rig.server.faults.hold({ match: { verb: 'patch' }, times: 1 });
  rig.manager.setPodStatus(first, running('1'));
  await gate.arrived(1);
  rig.manager.setPodStatus(first, running('2'));
  rig.manager.setPodStatus(first, running('3'));
  rig.manager.setPodStatus(second, running('1'));
  gate.open();
  await rig.manager.idle();
  await settle();
  await rig.manager.idle();
  expect(rig.requests(since)).toEqual([
    ...['get pod-0', 'patch pod-0/status'],
    ...['get pod-0', 'patch pod-0/status'],
    ...['get pod-1', 'patch pod-1/status'],
  ]);
  expect((await rig.getPod('pod-0')).status!.message).toBe('3');
});

test('a pod that failed is tried again with the next batch, at once', async () => {
  await using rig = await open();
  const [bad, other] = await rig.createPods(2);
  rig.server.faults.fail({ code: 500 }, { match: { verb: 'patch', name: 'pod-0' }, times: 2 });
  expect(await asked(rig, () => rig.manager.setPodStatus(bad, running('1')))).toHaveLength(2);
  // No signal, no request.
  expect(await asked(rig, () => {})).toEqual([]);
  for (const message of ['1', '2']) {
    expect(await asked(rig, () => rig.manager.setPodStatus(other, running(message)))).toEqual([
      ...['get pod-0', 'patch pod-0/status'],
      ...['get pod-1', 'patch pod-1/status'],
    ]);
  }
  expect(await asked(rig, () => rig.manager.setPodStatus(other, running('3')))).toHaveLength(2);
  expect((await rig.getPod('pod-0')).status!.message).toBe('1');
});

test('a 404 leaves the entry, and is asked for with every batch', async () => {
  await using rig = await open();
  const gone: Pod = { metadata: { name: 'gone', namespace: 'default', uid: 'u' } };
  rig.podManager.addPod(gone);
  expect(await asked(rig, () => rig.manager.setPodStatus(gone, running('1')))).toEqual(['get gone']);
  expect(rig.manager.getPodStatus('u' as PodUID)).toMatchObject({ message: '1' });
  expect(rig.manager.versions.apiVersion('u')).toBe(0);
  const other = await rig.createPod('other');
  expect(await asked(rig, () => rig.manager.setPodStatus(other, running('1')))).toContain('get gone');
});

test('no requests for what is unchanged, no PATCH for what the server has', async () => {
  const clock = new FakeClock();
  await using rig = await open({ clock });
  const pod = await rig.createPod('pod');
  await asked(rig, () => rig.manager.setPodStatus(pod, running('1')));
  expect(await asked(rig, () => rig.manager.setPodStatus(pod, running('1')))).toEqual([]);
  expect(await asked(rig, () => clock.advance(10_000))).toEqual([]);
  // Forced by the deletion: the version grows, the status is the same.
  const deleting: Pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
  const status = rig.manager.getPodStatus(uidOf(pod))!;
  expect(await asked(rig, () => rig.manager.setPodStatus(deleting, status))).toEqual(['get pod']);
  expect(rig.manager.versions.apiVersion(uidOf(pod))).toBe(2);
});

test("the ticker reconciles what another client changed, with upstream's two requests", async () => {
  const clock = new FakeClock();
  await using rig = await open({ clock });
  const pods = await rig.createPods(3);
  for (const pod of pods) await asked(rig, () => rig.manager.setPodStatus(pod, running('1')));
  await rig.meddle('pod-1', { phase: 'Pending' });
  expect(await asked(rig, () => clock.advance(10_000))).toEqual(['get pod-1', 'patch pod-1/status']);
  expect((await rig.getPod('pod-1')).status!.phase).toBe('Running');
});

test('a finished pod: GET, PATCH, DELETE, and the entry is gone', async () => {
  await using rig = await open();
  const pod = await rig.createPod('pod');
  await asked(rig, () => rig.manager.setPodStatus(pod, running('1')));
  const deleting = await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod');
  expect(await asked(rig, () => rig.manager.terminatePod(deleting))).toEqual([
    'get pod',
    'patch pod/status',
    'delete pod',
  ]);
  expect(rig.manager.getPodStatus(uidOf(pod))).toBeUndefined();
});

test('a pod replaced by a namesake is forgotten after the GET', async () => {
  await using rig = await open();
  const pod = await rig.createPod('pod');
  rig.follow = false;
  await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod?gracePeriodSeconds=0');
  await rig.createPod('pod');
  expect(await asked(rig, () => rig.manager.setPodStatus(pod, running('1')))).toEqual(['get pod']);
  expect(rig.manager.getPodStatus(uidOf(pod))).toBeUndefined();
});
