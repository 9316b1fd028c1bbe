// The gate PatchFirst, over real HTTP.
import { expect, test } from 'vitest';
import { defaultGates, withGates } from '../../src/kube/gates.js';
import type { Pod, PodUID } from '../../src/kube/types.js';
import { StatusRig, ready, running, settle } from '../support/status-rig.js';

const GATE = { type: 'example.com/gate', status: 'True' };

async function send(rig: StatusRig, work: () => void): Promise<string[]> {
  const since = rig.now;
  work();
  await settle();
  await rig.manager.idle();
  return rig.requests(since);
}

test('one PATCH for a change, on top of what the watch has', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  for (const message of ['1', '2', '3']) {
    expect(await send(rig, () => rig.manager.setPodStatus(pod, running(message)))).toEqual([
      'patch pod/status',
    ]);
  }
  expect((await rig.getPod('pod')).status!.message).toBe('3');
});

test('without a watch, on top of the last answer', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  rig.follow = false;
  for (const message of ['1', '2', '3']) {
    expect(await send(rig, () => rig.manager.setPodStatus(pod, running(message)))).toEqual([
      'patch pod/status',
    ]);
  }
});

test('a pod of which no resourceVersion is known goes the long way first', async () => {
  await using rig = await StatusRig.start();
  rig.follow = false;
  const pod = await rig.createPod('pod');
  const { resourceVersion: _, ...metadata } = pod.metadata;
  rig.podManager.addPod({ ...pod, metadata });
  const first = await send(rig, () => rig.manager.setPodStatus(pod, running('1')));
  const second = await send(rig, () => rig.manager.setPodStatus(pod, running('2')));
  expect([first, second]).toEqual([['get pod', 'patch pod/status'], ['patch pod/status']]);
});

test("another client's write is seen: refused, read, written again, and the other's condition is kept", async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  await send(rig, () => rig.manager.setPodStatus(pod, running('1')));
  rig.follow = false;
  await rig.meddle('pod', { conditions: [GATE], phase: 'Pending' });
  const asked = await send(rig, () => rig.manager.setPodStatus(pod, running('2', 'True')));
  expect(asked).toEqual(['patch pod/status', 'get pod', 'patch pod/status']);
  expect(rig.server.requests.matching({ verb: 'patch', name: 'pod' }).map(({ code }) => code)).toEqual([
    200, 200, 409, 200,
  ]);
  const { status } = await rig.getPod('pod');
  expect(status).toMatchObject({ phase: 'Running', message: '2' });
  expect(status!.conditions).toContainEqual(expect.objectContaining(GATE));
  expect(status!.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
});

test('a writer who fights over the pod cannot keep it going', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  await send(rig, () => rig.manager.setPodStatus(pod, running('0')));
  rig.follow = false;
  // Writes again between any two of our requests.
  let fights = 0;
  for (let i = 1; i <= 5; i++) {
    const gate = rig.server.faults.hold({ match: { verb: 'patch', name: 'pod' }, times: 1 });
    const since = rig.now;
    rig.manager.setPodStatus(pod, running(String(i)));
    await gate.arrived(1);
    gate.rule.remove();
    await rig.meddle('pod', { reason: `fight ${++fights}` });
    gate.open();
    await rig.manager.idle();
    const own = rig.requests(since).length - 1;
    expect(own).toBeLessThanOrEqual(3);
    expect((await rig.getPod('pod')).status!.message).toBe(String(i));
  }
});

test('the newest object counts, be it the watch or the answer', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  await send(rig, () => rig.manager.setPodStatus(pod, running('1')));
  // The watch is now ahead of our last answer.
  await rig.meddle('pod', { conditions: [GATE] });
  expect(await send(rig, () => rig.manager.setPodStatus(pod, running('2')))).toEqual(['patch pod/status']);
  expect((await rig.getPod('pod')).status!.conditions).toContainEqual(expect.objectContaining(GATE));
});

test('a status the server has already is not sent', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  await send(rig, () => rig.manager.setPodStatus(pod, running('1', 'True')));
  const deleting: Pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
  // Forced, as the pod is being deleted: a new version, and the same status.
  const asked = await send(rig, () =>
    rig.manager.setPodStatus(deleting, rig.manager.getPodStatus(pod.metadata.uid as PodUID)!),
  );
  expect(asked).toEqual([]);
  expect(rig.manager.versions.apiVersion(pod.metadata.uid!)).toBe(2);
});

test.each([true, false])(
  'a pod that was replaced by a namesake is forgotten, not written to (watch: %s)',
  async (follow) => {
    await using rig = await StatusRig.start();
    const pod = await rig.createPod('pod');
    await send(rig, () => rig.manager.setPodStatus(pod, running('1')));
    rig.follow = follow;
    await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod?gracePeriodSeconds=0');
    const namesake = await rig.createPod('pod');
    await send(rig, () => rig.manager.setPodStatus(pod, running('2')));
    expect(rig.manager.getPodStatus(pod.metadata.uid as PodUID)).toBeUndefined();
    const now = await rig.getPod('pod');
    expect(now.metadata.uid).toBe(namesake.metadata.uid);
    expect(now.status!.message).toBeUndefined();
  },
);

test('off while the watch is stalled, and with the gate off', async () => {
  let isFresh = false;
  await using rig = await StatusRig.start({ watchIsFresh: () => isFresh });
  await using plain = await StatusRig.start({ gates: withGates(defaultGates, { PatchFirst: false }) });
  for (const one of [rig, plain]) {
    const pod = await one.createPod('pod');
    const asked = await send(one, () =>
      one.manager.setPodStatus(pod, { phase: 'Running', conditions: ready('True') }),
    );
    expect(asked).toEqual(['get pod', 'patch pod/status']);
  }
  isFresh = true;
  const pod = await rig.getPod('pod');
  expect(await send(rig, () => rig.manager.setPodStatus(pod, running('2')))).toEqual(['patch pod/status']);
});
