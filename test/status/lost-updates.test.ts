// Ways in which the newest status could fail to land, each over real HTTP.
import { expect, test } from 'vitest';
import type { Pod, PodUID } from '../../src/kube/types.js';
import { FakeClock } from '../../src/sync/index.js';
import { StatusRig, ready, running, settle } from '../support/status-rig.js';

const PATCHES = { verb: 'patch' } as const;
const uidOf = (pod: Pod): PodUID => pod.metadata.uid as PodUID;

async function rest(rig: StatusRig): Promise<void> {
  await settle();
  await rig.manager.idle();
}

async function tick(rig: StatusRig, clock: FakeClock): Promise<void> {
  await clock.advance(10_000);
  await rest(rig);
}

test('a write whose answer was lost is not forgotten when the status turns back', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock, syncPeriodMs: 1e9 });
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('before'));
  await rest(rig);
  rig.follow = false;
  rig.server.faults.drop('after', { match: PATCHES, times: 1 });
  rig.manager.setPodStatus(pod, running('meanwhile'));
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('meanwhile');
  // What we last saw says so already; the server does not.
  rig.manager.setPodStatus(pod, running('before'));
  await clock.advance(1_000);
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('before');
});

test('a status put in place of one that was removed in flight is sent', async () => {
  await using rig = await StatusRig.start({ syncPeriodMs: 1e9 });
  const pod = await rig.createPod('pod');
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  rig.manager.setPodStatus(pod, running('old'));
  await gate.arrived(1);
  rig.manager.removeOrphanedStatuses(new Set());
  rig.manager.setPodStatus(pod, running('new'));
  gate.open();
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('new');
});

test('a status put in place of one that was removed does not wait for its version to catch up', async () => {
  await using rig = await StatusRig.start({ syncPeriodMs: 1e9 });
  const pod = await rig.createPod('pod');
  for (const message of ['1', '2', '3']) {
    rig.manager.setPodStatus(pod, running(message));
    await rest(rig);
  }
  rig.manager.removeOrphanedStatuses(new Set());
  rig.manager.setPodStatus(pod, running('again'));
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('again');
});

test('pods that come and go faster than the full pass do not fill the table', async () => {
  await using rig = await StatusRig.start({ maxPods: 4, syncPeriodMs: 1e9 });
  for (let i = 0; i < 100; i++) {
    const pod = await rig.createPod(`pod-${i}`);
    rig.manager.setPodStatus(pod, running('x'));
    await rest(rig);
    await rig.ask('DELETE', `/api/v1/namespaces/default/pods/pod-${i}?gracePeriodSeconds=0`);
    rig.manager.removeOrphanedStatuses(new Set());
  }
  expect(rig.manager.versions.size).toBe(0);
});

test('a mirror that appears while its predecessor is found missing is told', async () => {
  await using rig = await StatusRig.start({ syncPeriodMs: 1e9 });
  const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
  const mirror = { metadata: { annotations: { ...annotations, 'kubernetes.io/config.mirror': 'h' } } };
  const pod: Pod = { metadata: { name: 'pod', namespace: 'default', uid: 'static', annotations } };
  rig.podManager.addPod(pod);
  await rig.createPod('pod', mirror);
  rig.follow = false;
  await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod?gracePeriodSeconds=0');
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1, at: 'after' });
  rig.manager.setPodStatus(pod, running('x'));
  await gate.arrived(1);
  rig.follow = true;
  await rig.createPod('pod', mirror);
  gate.open();
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('x');
});

test('an end that was held back is told when nothing runs any more, however many passes came before', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock });
  const pod = await rig.createPod('pod');
  rig.running.add(uidOf(pod));
  rig.manager.setPodStatus(pod, { phase: 'Failed', message: 'over', conditions: ready('False') });
  await rest(rig);
  for (let pass = 0; pass < 3; pass++) await tick(rig, clock);
  expect((await rig.getPod('pod')).status!.phase).toBe('Pending');
  rig.running.delete(uidOf(pod));
  await tick(rig, clock);
  expect((await rig.getPod('pod')).status).toMatchObject({ phase: 'Failed', message: 'over' });
});

test('a pod replaced by a namesake while it is deleted is forgotten, without a watch', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock, syncPeriodMs: 1e9 });
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('x'));
  await rest(rig);
  const deleting = await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod');
  const gate = rig.server.faults.hold({ match: { verb: 'delete' }, times: 1 });
  rig.manager.terminatePod(deleting);
  await gate.arrived(1);
  gate.rule.remove();
  rig.follow = false;
  await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod?gracePeriodSeconds=0');
  const namesake = await rig.createPod('pod');
  gate.open();
  await rest(rig);
  await clock.advance(1_000);
  await rest(rig);
  expect(rig.manager.getPodStatus(uidOf(pod))).toBeUndefined();
  expect((await rig.getPod('pod')).metadata.uid).toBe(uidOf(namesake));
});

test('a static pod whose mirror goes while it waits for its turn is left alone', async () => {
  await using rig = await StatusRig.start({ concurrency: 1, syncPeriodMs: 1e9 });
  const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
  const pod: Pod = { metadata: { name: 'pod', namespace: 'default', uid: 'static', annotations } };
  rig.podManager.addPod(pod);
  const mirror = await rig.createPod('pod', {
    metadata: { annotations: { ...annotations, 'kubernetes.io/config.mirror': 'h' } },
  });
  const first = await rig.createPod('first');
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  rig.manager.setPodStatus(first, running('x'));
  await gate.arrived(1);
  rig.manager.setPodStatus(pod, running('x'));
  await settle();
  // The server still has it, for somebody who asks by name.
  rig.podManager.removePod(mirror);
  gate.open();
  await rest(rig);
  expect(rig.requests(0, { name: 'pod' })).toEqual([]);
  expect(rig.manager.getPodStatus('static' as PodUID)).toMatchObject({ message: 'x' });
});

test('after a restart, a pod that is not ready any more goes before the rest', async () => {
  await using rig = await StatusRig.start({ concurrency: 1 });
  const names = ['first', 'rest', 'unready', 'same'];
  const pods = new Map<string, Pod>();
  for (const name of names) {
    await rig.createPod(name);
    pods.set(name, await rig.meddle(name, { phase: 'Running', conditions: ready('True') }));
  }
  const since = rig.now;
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  rig.manager.setPodStatus(pods.get('first')!, running('x', 'True'));
  await gate.arrived(1);
  rig.manager.setPodStatus(pods.get('rest')!, running('x', 'True'));
  rig.manager.setPodStatus(pods.get('same')!, running('x', 'True'));
  rig.manager.setPodStatus(pods.get('unready')!, running('x', 'False'));
  await settle();
  gate.open();
  await rest(rig);
  expect(rig.requests(since)).toEqual(
    ['first', 'unready', 'rest', 'same'].map((name) => `patch ${name}/status`),
  );
});

test('the API version said by hand is looked at by itself', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('x'));
  await rest(rig);
  rig.manager.setApiStatusVersion(uidOf(pod), 0);
  await rig.manager.idle();
  expect(rig.manager.versions.apiVersion(uidOf(pod))).toBe(1);
});
