// Neighbours that throw, hang or call back: one pod's trouble is nobody else's, and it ends when they recover.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultGates, withGates } from '../../src/kube/gates.js';
import type { Pod, PodUID } from '../../src/kube/types.js';
import type { StatusClient } from '../../src/status/index.js';
import { FakeClock } from '../../src/sync/index.js';
import { StatusRig, running, settle } from '../support/status-rig.js';

const uidOf = (pod: Pod): PodUID => pod.metadata.uid as PodUID;
const broken = (): never => {
  throw new Error('broken on purpose');
};

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(unhandled).toEqual([]);
});

async function rest(rig: StatusRig): Promise<void> {
  await settle();
  await rig.manager.idle();
}

/** What can be broken, and how often the full pass has to come before all is well again. */
const BREAKS: readonly [string, (rig: StatusRig, pod: Pod) => () => void][] = [
  ...(['getMirrorUID', 'getPodByUID', 'translatePodUID', 'hasTranslation'] as const).map(
    (method) =>
      [
        `the pod manager's ${method}`,
        ({ podManager }: StatusRig, { metadata }: Pod) => {
          const own = podManager[method].bind(podManager) as (uid: string) => never;
          Object.assign(podManager, {
            [method]: (uid: string) => (uid === metadata.uid ? broken() : own(uid)),
          });
          return () => Object.assign(podManager, { [method]: own });
        },
      ] as [string, (rig: StatusRig, pod: Pod) => () => void],
  ),
];

test.each(['default', 'faithful'] as const)(
  'whatever of the pod manager throws for one pod, the others go on (%s)',
  async (mode) => {
    for (const [what, breakIt] of BREAKS) {
      const clock = new FakeClock();
      await using rig = await StatusRig.start({ clock, faithful: mode === 'faithful' });
      const [bad, good] = await rig.createPods(2);
      const repair = breakIt(rig, bad);
      for (const pod of [bad, good]) rig.manager.setPodStatus(pod, running('1'));
      await rest(rig);
      for (let i = 0; i < 3; i++) {
        await clock.advance(10_000);
        await rest(rig);
      }
      expect((await rig.getPod('pod-1')).status!.message, what).toBe('1');
      repair();
      for (let i = 0; i < 5; i++) {
        await clock.advance(10_000);
        await rest(rig);
      }
      expect((await rig.getPod('pod-0')).status!.message, what).toBe('1');
    }
  },
);

test('a logger that throws loses no pod', async () => {
  let isBroken = true;
  const maybe = (): void => (isBroken ? broken() : undefined);
  const clock = new FakeClock();
  await using rig = await StatusRig.start({
    clock,
    logger: { enabled: () => false, info: (level) => (level > 0 ? maybe() : undefined), error: maybe },
  });
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('1'));
  await rest(rig);
  isBroken = false;
  await clock.advance(60_000);
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('1');
  expect(rig.manager.versions.apiVersion(uidOf(pod))).toBe(1);
});

test('a startup latency helper that throws does not keep a status that is over', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({
    clock,
    podStartupLatency: { recordStatusUpdated: broken, deletePodStartupState: broken },
  });
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('1'));
  await rest(rig);
  await clock.advance(1_000);
  await rest(rig);
  expect(rig.manager.versions.apiVersion(uidOf(pod))).toBe(1);
  const deleting = await rig.ask('DELETE', '/api/v1/namespaces/default/pods/pod');
  rig.manager.terminatePod(deleting);
  await rest(rig);
  await clock.advance(1_000);
  await rest(rig);
  expect(rig.manager.getPodStatus(uidOf(pod))).toBeUndefined();
});

test('a status set by a neighbour in the middle of sending is sent', async () => {
  const late: { rig?: StatusRig } = {};
  let calls = 0;
  await using rig = await StatusRig.start({
    podStartupLatency: {
      recordStatusUpdated: (pod) => {
        if (++calls === 1) late.rig!.manager.setPodStatus(pod, running('from inside'));
      },
      deletePodStartupState: () => {},
    },
  });
  late.rig = rig;
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('1'));
  await rest(rig);
  expect((await rig.getPod('pod')).status!.message).toBe('from inside');
});

const deaf: StatusClient = {
  getPod: () => new Promise(() => {}),
  patchPodStatus: () => new Promise(() => {}),
  deletePod: () => new Promise(() => {}),
};

test.each([false, true])(
  'stop comes back at its deadline from a client that never answers (faithful: %s)',
  async (faithful) => {
    const clock = new FakeClock();
    await using rig = await StatusRig.start({ clock, client: deaf, faithful });
    const pod = await rig.createPod('pod');
    rig.manager.setPodStatus(pod, running('1'));
    await settle();
    const stopped = rig.manager.stop({ deadlineMs: 1000 });
    await settle();
    await clock.advance(999);
    await expect(Promise.race([stopped, settle().then(() => 'waits')])).resolves.toBe('waits');
    await clock.advance(1);
    expect(await stopped).toEqual({ unsynced: 1 });
  },
);

test('a client that throws at once is one that failed', async () => {
  const clock = new FakeClock();
  await using rig = await StatusRig.start({
    clock,
    client: { getPod: broken, patchPodStatus: broken, deletePod: broken },
  });
  const pod = await rig.createPod('pod');
  rig.manager.setPodStatus(pod, running('1'));
  await rest(rig);
  expect(await rig.manager.stop({ deadlineMs: 0 })).toEqual({ unsynced: 1 });
});

test('a second stop does not cut the first one short', async () => {
  await using rig = await StatusRig.start({ concurrency: 1 });
  const pods = await rig.createPods(10);
  const gate = rig.server.faults.hold({ match: { verb: 'patch' }, times: 1 });
  for (const pod of pods) rig.manager.setPodStatus(pod, running('last'));
  await gate.arrived(1);
  const both = [rig.manager.stop(), rig.manager.stop()];
  await settle();
  gate.open();
  expect(await Promise.all(both)).toEqual([{ unsynced: 0 }, { unsynced: 0 }]);
  for (const pod of pods) expect((await rig.getPod(pod.metadata.name!)).status!.message).toBe('last');
});

test('a manager that could not start sends nothing when it is stopped', async () => {
  await using rig = await StatusRig.open({
    gates: withGates(defaultGates, { InPlacePodVerticalScaling: true }),
  });
  await expect(rig.manager.start()).rejects.toMatchObject({ code: 'ERR_BAD_OPTION' });
  const pod = await rig.createPod('pod');
  const since = rig.now;
  rig.manager.setPodStatus(pod, running('1'));
  expect(await rig.manager.stop()).toEqual({ unsynced: 1 });
  expect(rig.requests(since)).toEqual([]);
});

test('a manager that is stopped while it starts does not start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podloom-'));
  await using rig = await StatusRig.open({
    gates: withGates(defaultGates, { InPlacePodVerticalScaling: true }),
    stateDirectory: directory,
  });
  const pod = await rig.createPod('pod');
  const since = rig.now;
  rig.manager.setPodStatus(pod, running('1'));
  const started = rig.manager.start();
  expect(await rig.manager.stop()).toEqual({ unsynced: 1 });
  await started;
  await settle();
  expect(rig.requests(since)).toEqual([]);
  await rm(directory, { recursive: true });
});

test('many requests at once are no leak to Node', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  await using rig = await StatusRig.start({ concurrency: 20 });
  const pods = await rig.createPods(20);
  const gate = rig.server.faults.hold({ match: { verb: 'patch' } });
  for (const pod of pods) rig.manager.setPodStatus(pod, running('1'));
  await gate.arrived(20);
  gate.open();
  await rest(rig);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
