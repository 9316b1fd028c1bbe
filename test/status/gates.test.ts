// The gates of docs/fidelity.md that the manager as a whole shows, over real HTTP: upstream's side, then ours.
import { expect, test } from 'vitest';
import { type Gates, defaultGates, upstream, withGates } from '../../src/kube/gates.js';
import type { Pod, PodStatus, PodUID } from '../../src/kube/types.js';
import { MemoryMetrics } from '../../src/observe/memory-metrics.js';
import { type CheckpointFile, type State, codecV129, openCheckpointState } from '../../src/state/index.js';
import { FakeClock } from '../../src/sync/index.js';
import { type RigOptions, StatusRig, ready, running, settle } from '../support/status-rig.js';

const uidOf = (pod: Pod): PodUID => pod.metadata.uid as PodUID;
const START = Date.UTC(2024, 0, 1);

interface Side extends AsyncDisposable {
  readonly rig: StatusRig;
  readonly clock: FakeClock;
  /** Does something, and gives what the manager asked for until it rested. */
  asked(work: () => unknown): Promise<string[]>;
}

async function open(gates: Gates, options: RigOptions = {}): Promise<Side> {
  const clock = new FakeClock({ now: START });
  const rig = await StatusRig.start({ clock, gates, ...options });
  return {
    rig,
    clock,
    async asked(work) {
      const since = rig.now;
      await work();
      await settle();
      await rig.manager.idle();
      return rig.requests(since);
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const DISRUPTED: PodStatus = {
  phase: 'Failed',
  conditions: [
    ...ready('False'),
    { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' },
  ],
};

/** When the cached status says that the disruption began. */
function disruptedAt({ rig }: Side, pod: Pod): string | null | undefined {
  const conditions = rig.manager.getPodStatus(uidOf(pod))?.conditions ?? [];
  return conditions.find(({ type }) => type === 'DisruptionTarget')?.lastTransitionTime;
}

test.each([
  ['upstream', upstream('1.29'), '2024-01-01T00:00:07Z'],
  ['default', defaultGates, '2024-01-01T00:00:00Z'],
] as const)(
  'ImmutableMerge: sending stamps the cached status anew, or not (%s)',
  async (_side, gates, want) => {
    await using side = await open(gates);
    const { rig, clock } = side;
    const pod = await rig.createPod('pod');
    const gate = rig.server.faults.hold({ match: { verb: 'get' }, times: 1 });
    // Held before the merge: the stamp is that of the time it is sent.
    rig.server.faults.fail({ code: 500 }, { match: { verb: 'patch' }, times: 1 });
    rig.manager.setPodStatus(pod, DISRUPTED);
    expect(disruptedAt(side, pod)).toBe('2024-01-01T00:00:00Z');
    await settle();
    await clock.advance(7_000);
    gate.open();
    await settle();
    await rig.manager.idle();
    await clock.advance(100);
    await settle();
    await rig.manager.idle();
    expect((await rig.getPod('pod')).status!.phase).toBe('Failed');
    expect(disruptedAt(side, pod)).toBe(want);
    // The version is the same, either way.
    expect(rig.manager.versions.statusVersion(uidOf(pod))).toBe(1);
  },
);

/** Surprise 5: the server has the end already, without the condition. */
async function disruptedTooLate(side: Side): Promise<void> {
  const { rig } = side;
  const pod = await rig.createPod('pod');
  await side.asked(() => rig.manager.setPodStatus(pod, { phase: 'Failed', conditions: ready('False') }));
  await side.asked(() => rig.manager.setPodStatus(pod, DISRUPTED));
}

/** Surprise 6: the pod failed while it was ready. */
async function endedWhileReady(side: Side): Promise<void> {
  const { rig } = side;
  const pod = await rig.createPod('pod');
  await side.asked(() => rig.manager.setPodStatus(pod, running('x', 'True')));
  await side.asked(() => rig.manager.terminatePod(pod));
  expect((await rig.getPod('pod')).status).toMatchObject({
    phase: 'Failed',
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: 'Ready', status: 'False' }),
    ]) as unknown,
  });
}

test.each([
  ['a DisruptionTarget that came too late', disruptedTooLate],
  ['a pod that ended while it was ready', endedWhileReady],
])('ReconcileMerged: %s', async (_what, prepare) => {
  await using upstreams = await open(upstream('1.29'));
  await using ours = await open(defaultGates);
  await using allButOne = await open(withGates(defaultGates, { ReconcileMerged: false }));
  for (const side of [upstreams, ours, allButOne]) await prepare(side);
  for (let pass = 0; pass < 5; pass++) {
    const asked = await upstreams.asked(() => upstreams.clock.advance(10_000));
    expect(asked[0]).toBe('get pod');
    expect(await ours.asked(() => ours.clock.advance(10_000))).toEqual([]);
  }
  // What is found equal is remembered: nothing changes that until something does.
  const { rig } = ours;
  await rig.meddle('pod', { phase: 'Running' });
  expect(await ours.asked(() => ours.clock.advance(10_000))).toEqual(['patch pod/status']);
  expect((await rig.getPod('pod')).status!.phase).toBe('Failed');
});

test('ReconcileMerged off: one PATCH each 10 s for ever for a pod that ended while it was ready', async () => {
  await using side = await open(upstream('1.29'));
  await endedWhileReady(side);
  for (let pass = 0; pass < 5; pass++) {
    expect(await side.asked(() => side.clock.advance(10_000))).toEqual(['get pod', 'patch pod/status']);
  }
});

const DURATION = 'kubelet_pod_status_sync_duration_seconds';

test.each([
  ['upstream', upstream('1.29'), [0, 100, 300]],
  ['default', defaultGates, [0, 0, 0]],
] as const)(
  'SyncDurationFromChange: the age of the pod, or of the change (%s)',
  async (_side, gates, durations) => {
    const metrics = new MemoryMetrics();
    await using side = await open(gates, { metrics });
    const { rig, clock } = side;
    const pod = await rig.createPod('pod');
    let sum = 0;
    for (const [i, duration] of durations.entries()) {
      await side.asked(() => rig.manager.setPodStatus(pod, running(String(i))));
      const seen = metrics.histogramValue(DURATION)!;
      expect(seen.count).toBe(i + 1);
      expect(seen.sum - sum).toBe(duration);
      sum = seen.sum;
      await clock.advance(100_000 * (i + 1));
    }
  },
);

test('SyncDurationFromChange: failures count, and so does each change from when it was made', async () => {
  const metrics = new MemoryMetrics();
  await using side = await open(defaultGates, {
    metrics,
    syncPeriodMs: 1e9,
    backoff: { initialMs: 2_000, maxMs: 2_000 },
    random: () => 0,
  });
  const { rig, clock } = side;
  const pod = await rig.createPod('pod');
  const durations = (): number => metrics.histogramValue(DURATION)?.sum ?? 0;
  rig.server.faults.fail({ code: 500 }, { match: { verb: 'patch' }, times: 1 });
  await side.asked(() => rig.manager.setPodStatus(pod, running('1')));
  await clock.advance(1_000);
  rig.manager.setPodStatus(pod, running('2'));
  await side.asked(() => clock.advance(1_000));
  expect(durations()).toBe(2);

  const gate = rig.server.faults.hold({ match: { verb: 'patch' }, times: 1 });
  rig.manager.setPodStatus(pod, running('3'));
  await gate.arrived(1);
  await clock.advance(10_000);
  rig.manager.setPodStatus(pod, running('4'));
  await clock.advance(1_000);
  gate.open();
  await rig.manager.idle();
  // 11 s for the third, 1 s for the fourth, which was made while the third was on its way.
  expect(durations()).toBe(2 + 11 + 1);
});

/** A file whose writes fail from a given one on. */
class FailingFile implements CheckpointFile {
  readonly path = 'checkpoint';
  content: string | undefined;
  writes = 0;
  failsFrom = Infinity;

  async prepare(): Promise<void> {}

  async sweep(): Promise<void> {}

  async read(): Promise<Buffer | undefined> {
    return undefined;
  }

  async replace(content: string): Promise<void> {
    if (++this.writes >= this.failsFrom) throw new Error('no space left on device');
    this.content = content;
  }
}

async function stateOn(file: CheckpointFile): Promise<State> {
  return openCheckpointState({ directory: '', file });
}

const ALLOCATED: Pod = {
  metadata: { uid: 'u', name: 'pod', namespace: 'default' },
  spec: {
    containers: ['a', 'b', 'c'].map((name) => ({ name, resources: { requests: { cpu: '1' } } })),
  },
};

test.each([
  ['upstream', upstream('1.29', { InPlacePodVerticalScaling: true }), ['a', 'b'], 1],
  ['default', withGates(defaultGates, { InPlacePodVerticalScaling: true }), ['a', 'b', 'c'], 0],
] as const)(
  'WholePodAllocation: a disk that fails leaves the pod half allocated, or not (%s)',
  async (_side, gates, inMemory, onDisk) => {
    const file = new FailingFile();
    const state = await stateOn(file);
    await using side = await open(gates, { state });
    const { manager } = side.rig;
    file.writes = 0;
    file.failsFrom = gates.WholePodAllocation ? 1 : 2;
    await expect(manager.setPodAllocation(ALLOCATED)).rejects.toThrow('no space left');
    const allocated = ['a', 'b', 'c'].filter(
      (name) => manager.getContainerResourceAllocation('u' as PodUID, name) !== undefined,
    );
    expect(allocated).toEqual(inMemory);
    expect(file.content!.match(/cpu/g) ?? []).toHaveLength(onDisk);
    file.failsFrom = Infinity;
  },
);

test('WholePodAllocation: one write for the pod, not one a container', async () => {
  for (const [gates, writes] of [
    [upstream('1.29', { InPlacePodVerticalScaling: true }), 3],
    [withGates(defaultGates, { InPlacePodVerticalScaling: true }), 1],
  ] as const) {
    const file = new FailingFile();
    const state = await stateOn(file);
    await using side = await open(gates, { state });
    file.writes = 0;
    await side.rig.manager.setPodAllocation(ALLOCATED);
    expect(file.writes).toBe(writes);
    expect(file.content!.match(/cpu/g)).toHaveLength(3);
  }
});

test('WholePodAllocation: a quantity that is refused leaves all containers as they were', async () => {
  const bad: Pod = {
    ...ALLOCATED,
    spec: {
      containers: [...ALLOCATED.spec!.containers!, { name: 'd', resources: { requests: { cpu: 'much' } } }],
    },
  };
  for (const [gates, allocated] of [
    [upstream('1.29', { InPlacePodVerticalScaling: true }), { cpu: '1' }],
    [withGates(defaultGates, { InPlacePodVerticalScaling: true }), undefined],
  ] as const) {
    const state = await openCheckpointState({ directory: '', file: new FailingFile(), codec: codecV129 });
    await using side = await open(gates, { state });
    await expect(side.rig.manager.setPodAllocation(bad)).rejects.toThrow();
    expect(side.rig.manager.getContainerResourceAllocation('u' as PodUID, 'a')).toEqual(allocated);
  }
});

test('RememberNotFound: a pod the server does not have is asked for again and again, or once', async () => {
  const gone: Pod = { metadata: { name: 'gone', namespace: 'default', uid: 'u' } };
  const count = async (gates: Gates): Promise<number> => {
    await using side = await open(gates, { backoff: { initialMs: 1_000, maxMs: 8_000 }, random: () => 0 });
    const { rig, clock } = side;
    rig.podManager.addPod(gone);
    await side.asked(() => rig.manager.setPodStatus(gone, running('1')));
    for (let seconds = 1; seconds <= 40; seconds++) await side.asked(() => clock.advance(1_000));
    return rig.requests(0, { name: 'gone' }).length;
  };
  expect(await count(defaultGates)).toBe(1);
  // At 0, 1, 3, 7, 15, 23, 31 and 39 seconds: never a storm, though upstream would ask with every signal.
  expect(await count(upstream('1.29'))).toBe(8);
});
