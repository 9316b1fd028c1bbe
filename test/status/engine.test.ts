// The engine over real HTTP, against the embedded API server.
import { expect, test } from 'vitest';
import type { Pod, PodUID } from '../../src/kube/types.js';
import { FakeClock } from '../../src/sync/index.js';
import { random, seed } from '../support/seed.js';
import { StatusRig, ready, running, settle } from '../support/status-rig.js';

const uidOf = (pod: Pod): PodUID => pod.metadata.uid as PodUID;
const PATCHES = { verb: 'patch' } as const;

/** The messages the server had for each pod, in the order it had them. */
function historyOf(rig: StatusRig): Map<string, string[]> {
  const history = new Map<string, string[]>();
  rig.server.store.subscribe(({ plural, object }) => {
    if (plural !== 'pods') return;
    const { metadata, status } = object as Pod;
    const seen = history.get(metadata.name!) ?? [];
    if (status?.message && seen.at(-1) !== status.message) seen.push(status.message);
    history.set(metadata.name!, seen);
  });
  return history;
}

/** Reports many statuses about all pods, a few turns of the event loop apart. */
async function report(rig: StatusRig, pods: readonly Pod[], rounds: number): Promise<void> {
  const draw = random(seed());
  for (let round = 1; round <= rounds; round++) {
    for (const pod of pods) {
      if (draw(3) > 0 || round === rounds) {
        rig.manager.setPodStatus(pod, running(String(round), draw(2) === 0 ? 'True' : 'False'));
      }
    }
    for (let turns = draw(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  }
}

function expectInOrder(history: Map<string, string[]>, pods: readonly Pod[], last: number): void {
  for (const { metadata } of pods) {
    const seen = history.get(metadata.name!)!.map(Number);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(last);
  }
}

test.each([
  ['nothing goes wrong', () => {}],
  ['answers come late and in any order', (rig: StatusRig) => rig.server.faults.delay({ min: 0, max: 4 })],
  [
    'half of all goes wrong',
    ({ server: { faults } }: StatusRig) => {
      faults.fail({ code: 500 }, { probability: 0.15 });
      faults.fail({ code: 503 }, { probability: 0.1, at: 'after' });
      faults.fail({ code: 429, retryAfterSeconds: 0 }, { probability: 0.1 });
      faults.fail({ code: 409 }, { probability: 0.1 });
      faults.drop('before', { probability: 0.1 });
      faults.drop('after', { probability: 0.1 });
      faults.drop('half', { probability: 0.1 });
    },
  ],
])('order is kept, the newest lands, nothing is lost: %s', async (_what, misbehave) => {
  await using rig = await StatusRig.start({ concurrency: 8, server: { seed: seed() } });
  const pods = await rig.createPods(40);
  const history = historyOf(rig);
  misbehave(rig);
  await report(rig, pods, 60);
  expect(await rig.manager.stop({ deadlineMs: 120_000 })).toEqual({ unsynced: 0 });
  expectInOrder(history, pods, 60);
  expect(rig.server.requests.maxOverlap({ resource: 'pods' })).toBe(1);
  for (const pod of pods) {
    const version = rig.manager.versions.statusVersion(uidOf(pod));
    expect(version).toBeGreaterThan(0);
    expect(rig.manager.versions.apiVersion(uidOf(pod))).toBe(version);
  }
});

test('what changes while a pod is in flight goes out together, afterwards', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  rig.manager.setPodStatus(pod, running('1'));
  await gate.arrived(1);
  for (let i = 2; i <= 100; i++) rig.manager.setPodStatus(pod, running(String(i)));
  gate.open();
  await rig.manager.idle();
  expect(rig.requests(0, PATCHES)).toEqual(['patch pod/status', 'patch pod/status']);
  expect((await rig.getPod('pod')).status).toMatchObject({ message: '100' });
});

test('no more pods are in flight than allowed, and as many as allowed', async () => {
  await using rig = await StatusRig.start({ concurrency: 5 });
  const pods = await rig.createPods(20);
  const gate = rig.server.faults.hold({ match: PATCHES });
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x'));
  await gate.arrived(5);
  for (let done = 1; done <= 15; done++) {
    gate.release();
    await gate.arrived(5 + done);
    expect(gate.held).toHaveLength(5);
  }
  gate.open();
  await rig.manager.idle();
  expect(rig.requests(0, PATCHES)).toHaveLength(20);
});

test('ends go before readiness, readiness before the rest; who rises moves up', async () => {
  await using rig = await StatusRig.start({ concurrency: 1 });
  const names = ['first', 'rest', 'rest-then-end', 'ready', 'end', 'deleting'];
  const pods = new Map<string, Pod>();
  for (const name of names) pods.set(name, await rig.createPod(name));
  const set = (name: string, status: Parameters<typeof rig.manager.setPodStatus>[1]): void =>
    rig.manager.setPodStatus(pods.get(name)!, status);
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  set('first', running('x'));
  await gate.arrived(1);
  set('rest', running('x'));
  set('rest-then-end', running('x'));
  set('ready', running('x', 'True'));
  set('end', { phase: 'Succeeded' });
  const { metadata } = pods.get('deleting')!;
  const deleting = { metadata: { ...metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
  rig.manager.setPodStatus(deleting, running('x'));
  // Those are in their lanes now.
  await settle();
  set('rest-then-end', { phase: 'Failed' });
  await settle();
  gate.open();
  await rig.manager.idle();
  expect(rig.requests(0, PATCHES)).toEqual(
    ['first', 'end', 'deleting', 'rest-then-end', 'ready', 'rest'].map((name) => `patch ${name}/status`),
  );
});

test('the rest is not starved by ends that never stop', async () => {
  await using rig = await StatusRig.start({ concurrency: 1 });
  const [rest, ...ends] = await rig.createPods(4);
  const gate = rig.server.faults.hold({ match: PATCHES });
  rig.manager.setPodStatus(ends[0], { phase: 'Failed', message: '0' });
  await gate.arrived(1);
  rig.manager.setPodStatus(rest, running('x'));
  let sent = 0;
  const isSent = (): boolean => rig.requests(0, PATCHES).includes('patch pod-0/status');
  while (!isSent()) {
    expect(++sent).toBeLessThan(20);
    for (const end of ends) rig.manager.setPodStatus(end, { phase: 'Failed', message: String(sent) });
    gate.release();
    await gate.arrived(1 + sent);
  }
});

test('requests are bounded: QPS and burst', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock, qps: 10, burst: 5 });
  const pods = await rig.createPods(20);
  const since = rig.now;
  const done = rig.server.requests.finished(PATCHES, 5);
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x'));
  await done;
  for (const expected of [6, 10, 20]) {
    const more = rig.server.requests.finished(PATCHES, expected - rig.requests(since).length);
    await clock.advance((expected - rig.requests(since).length) * 100);
    await more;
    expect(rig.requests(since)).toHaveLength(expected);
  }
  await rig.manager.idle();
});

test('requests are bounded: a server that refuses everything is asked less and less', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({
    clock,
    backoff: { initialMs: 1000, maxMs: 4000 },
    random: () => 0,
    syncPeriodMs: 1e9,
  });
  const pods = await rig.createPods(10);
  const outage = rig.server.faults.fail({ code: 500 });
  const since = rig.now;
  const asked = async (): Promise<number> => {
    await rig.manager.idle();
    return rig.requests(since).length;
  };
  for (const pod of pods) rig.manager.setPodStatus(pod, running('0'));
  await settle();
  expect(await asked()).toBe(10);
  // Whatever is reported meanwhile, each pod keeps its distance: 1, 2, 4, 4 seconds.
  let expected = 10;
  for (const wait of [1000, 2000, 4000, 4000]) {
    for (const pod of pods) rig.manager.setPodStatus(pod, running(`${expected}`));
    await clock.advance(wait - 1);
    await settle();
    expect(await asked()).toBe(expected);
    await clock.advance(1);
    await settle();
    expect(await asked()).toBe((expected += 10));
  }
  outage.remove();
  await clock.advance(4000);
  await settle();
  await rig.manager.idle();
  for (const pod of pods) expect((await rig.getPod(pod.metadata.name!)).status!.message).toBe('40');
});

test('a server that asks to be left alone is left alone', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock, random: () => 0, syncPeriodMs: 1e9 });
  const pod = await rig.createPod('pod');
  rig.server.faults.fail({ code: 429, retryAfterSeconds: 30 }, { times: 1 });
  const refused = rig.server.requests.finished({ code: 429 });
  rig.manager.setPodStatus(pod, running('x'));
  await refused;
  await rig.manager.idle();
  await clock.advance(29_999);
  await settle();
  expect(rig.requests(0, PATCHES)).toHaveLength(1);
  const done = rig.server.requests.finished(PATCHES);
  await clock.advance(1);
  await done;
  await rig.manager.idle();
  expect((await rig.getPod('pod')).status!.message).toBe('x');
});

test('RememberNotFound: a pod the server does not have is asked for once, until something changes', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock });
  const pod: Pod = { metadata: { name: 'gone', namespace: 'default', uid: 'u', resourceVersion: '5' } };
  rig.podManager.addPod(pod);
  const neighbour = await rig.createPod('neighbour');
  const asked = (): string[] => rig.requests(0, { name: 'gone' });
  rig.manager.setPodStatus(pod, running('1'));
  await settle();
  await rig.manager.idle();
  expect(asked()).toEqual(['patch gone/status']);

  rig.manager.setPodStatus(neighbour, running('1'));
  for (let pass = 0; pass < 3; pass++) {
    await clock.advance(10_000);
    await settle();
    await rig.manager.idle();
  }
  expect(asked()).toHaveLength(1);

  rig.manager.setPodStatus(pod, running('2'));
  await settle();
  await rig.manager.idle();
  expect(asked()).toHaveLength(2);

  rig.podManager.updatePod({ metadata: { ...pod.metadata, resourceVersion: '6' } });
  await clock.advance(10_000);
  await settle();
  await rig.manager.idle();
  expect(asked()).toHaveLength(3);
  expect(rig.manager.getPodStatus('u' as PodUID)).toMatchObject({ message: '2' });
});

test('the full pass finds what another client changed, and only that', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock });
  const pods = await rig.createPods(5);
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x', 'True'));
  await settle();
  await rig.manager.idle();
  await rig.meddle('pod-3', { conditions: ready('False'), phase: 'Pending' });
  const since = rig.now;
  await clock.advance(10_000);
  await settle();
  await rig.manager.idle();
  expect(rig.requests(since)).toEqual(['patch pod-3/status']);
  const { status } = await rig.getPod('pod-3');
  expect(status).toMatchObject({ phase: 'Running', message: 'x' });
  expect(status!.conditions!.map(({ type, status }) => `${type}=${status}`).sort()).toEqual([
    'ContainersReady=True',
    'Ready=True',
  ]);
  const quiet = rig.now;
  await clock.advance(10_000);
  await settle();
  await rig.manager.idle();
  expect(rig.requests(quiet)).toEqual([]);
});

test('a finished pod that is being deleted is told its end, then removed', async () => {
  await using rig = await StatusRig.start();
  const created = await rig.createPod('pod');
  rig.manager.setPodStatus(created, running('x', 'True'));
  await settle();
  await rig.manager.idle();
  const deleting = await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod');
  expect(deleting.metadata.deletionTimestamp).toBeDefined();
  const since = rig.now;
  rig.manager.terminatePod(deleting);
  await settle();
  await rig.manager.idle();
  expect(rig.requests(since)).toEqual(['patch pod/status', 'delete pod']);
  expect(rig.podManager.getPods()).toEqual([]);
  expect(rig.manager.getPodStatus(uidOf(created))).toBeUndefined();
  expect(rig.manager.versions.statusVersion(uidOf(created))).toBe(0);
});

test('a terminal phase is not told while something may still run', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ clock });
  const pod = await rig.createPod('pod');
  rig.running.add(uidOf(pod));
  rig.manager.setPodStatus(pod, { phase: 'Failed', message: 'over', conditions: ready('False') });
  await settle();
  await rig.manager.idle();
  expect((await rig.getPod('pod')).status!.phase).toBe('Pending');
  rig.running.delete(uidOf(pod));
  await clock.advance(10_000);
  await settle();
  await rig.manager.idle();
  expect((await rig.getPod('pod')).status).toMatchObject({ phase: 'Failed', message: 'over' });
});

test("a static pod's status goes to its mirror, as soon as there is one", async () => {
  await using rig = await StatusRig.start();
  const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
  const pod: Pod = { metadata: { name: 'pod', namespace: 'default', uid: 'static', annotations } };
  rig.podManager.addPod(pod);
  rig.manager.setPodStatus(pod, running('x'));
  await settle();
  await rig.manager.idle();
  expect(rig.requests()).toEqual([]);
  const mirror = await rig.createPod('pod', {
    metadata: { annotations: { ...annotations, 'kubernetes.io/config.mirror': 'h' } },
  });
  await settle();
  await rig.manager.idle();
  expect((await rig.getPod('pod')).status).toMatchObject({ phase: 'Running', message: 'x' });
  expect(rig.manager.getPodStatus(uidOf(mirror))).toMatchObject({ message: 'x' });
  expect(rig.manager.versions.apiVersion(uidOf(mirror))).toBe(1);
});

test('stop sends what is left', async () => {
  await using rig = await StatusRig.start({ concurrency: 2 });
  const pods = await rig.createPods(30);
  for (const pod of pods) rig.manager.setPodStatus(pod, running('last'));
  expect(await rig.manager.stop()).toEqual({ unsynced: 0 });
  for (const pod of pods) expect((await rig.getPod(pod.metadata.name!)).status!.message).toBe('last');
  // What is reported later is kept, and nobody is told.
  const since = rig.now;
  rig.manager.setPodStatus(pods[0], running('too late'));
  await settle();
  expect(rig.requests(since)).toEqual([]);
  expect(rig.manager.getPodStatus(uidOf(pods[0]))).toMatchObject({ message: 'too late' });
});

test('stop gives up at its deadline and says how many were not told', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({ concurrency: 2, clock });
  const pods = await rig.createPods(5);
  const gate = rig.server.faults.hold({ match: PATCHES });
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x'));
  await gate.arrived(2);
  const stopped = rig.manager.stop({ deadlineMs: 1000 });
  await settle();
  await clock.advance(1000);
  expect((await stopped).unsynced).toBe(5);
});

test('a status removed while it is in flight is not sent again, and a new one starts afresh', async () => {
  await using rig = await StatusRig.start();
  const pod = await rig.createPod('pod');
  const gate = rig.server.faults.hold({ match: PATCHES, times: 1 });
  rig.manager.setPodStatus(pod, running('old'));
  await gate.arrived(1);
  rig.manager.removeOrphanedStatuses(new Set());
  expect(rig.manager.getPodStatus(uidOf(pod))).toBeUndefined();
  rig.manager.setPodStatus(pod, running('new'));
  rig.manager.setPodStatus(pod, running('newer'));
  gate.open();
  await rig.manager.idle();
  expect(rig.server.requests.maxOverlap({ resource: 'pods' })).toBe(1);
  expect((await rig.getPod('pod')).status!.message).toBe('newer');
});

test('one pod that the server chokes on does not keep the others waiting', async () => {
  await using rig = await StatusRig.start({ concurrency: 2 });
  const pods = await rig.createPods(20);
  rig.server.faults.drop('before', { match: { name: 'pod-0', verb: 'patch' } });
  const done = rig.server.requests.finished({ ...PATCHES, code: 200 }, 19);
  for (const pod of pods) rig.manager.setPodStatus(pod, running('x'));
  await done;
  for (const pod of pods.slice(1)) expect((await rig.getPod(pod.metadata.name!)).status!.message).toBe('x');
});
