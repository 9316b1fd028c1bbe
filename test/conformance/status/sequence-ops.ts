/** The operations of a sequence (FORMAT.md, section 2), by name. */
import { ApiError } from '../../../src/kube/api-error.js';
import { canonicalQuantity } from '../../../src/kube/quantity.js';
import { encodePodStatus } from '../../../src/kube/encode.js';
import type { PodUID, ResourceList } from '../../../src/kube/types.js';
import type { Step } from './format.js';
import type { World } from './world.js';

const TICK_MS = 10_000;

interface Op {
  readonly args: readonly (keyof Step)[];
  /** Its result is `ret`. */
  run(world: World, step: Step): unknown;
}

/** An operation that returns nothing. */
const act = (args: readonly (keyof Step)[], run: (world: World, step: Step) => unknown): Op => ({
  args,
  run: async (world, step) => void (await run(world, step)),
});

/** A call of another API client: what it returns is the reason of its failure. */
const api = (args: readonly (keyof Step)[], run: (world: World, step: Step) => void): Op => ({
  args,
  run(world, step) {
    try {
      run(world, step);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { error: error.reason };
    }
  },
});

/** A write to the state. That it fails is compared, not the text, which is the operating system's. */
const FAILED = '(failed)';
const write = (args: readonly (keyof Step)[], run: (world: World, step: Step) => Promise<void>): Op => ({
  args,
  run: (world, step) =>
    run(world, step).then(
      () => ({ error: null }),
      () => ({ error: FAILED }),
    ),
});

/** As Go writes the container ID it has read: what is not `type://id` is that of no container, which is not empty. */
const written = (containerID: string): string =>
  containerID.split('://').length === 2 ? containerID : '://';

const ops: Readonly<Record<string, Op>> = {
  'podManager.addPod': act(['pod'], ({ podManager }, { pod }) => podManager.addPod(pod)),
  'podManager.updatePod': act(['pod'], ({ podManager }, { pod }) => podManager.updatePod(pod)),
  'podManager.removePod': act(['pod'], ({ podManager }, { pod }) => podManager.removePod(pod)),
  'podManager.updateFromApi': api(['namespace', 'name'], ({ podManager, store }, { namespace, name }) =>
    podManager.updatePod(store.watched(namespace, name)),
  ),
  'api.create': api(['pod'], ({ store }, { pod }) => store.create(pod)),
  'api.update': api(['pod'], ({ store }, { pod }) => store.update(pod)),
  'api.delete': api(['pod'], ({ store }, { pod }) =>
    store.remove(pod.metadata.namespace ?? '', pod.metadata.name ?? ''),
  ),
  'api.markDeleted': api(
    ['namespace', 'name', 'deletionTimestamp', 'gracePeriodSeconds'],
    ({ store }, { namespace, name, deletionTimestamp, gracePeriodSeconds }) =>
      store.markDeleted(namespace, name, deletionTimestamp, gracePeriodSeconds),
  ),
  'api.setCondition': api(['namespace', 'name', 'condition'], ({ store }, { namespace, name, condition }) =>
    store.setCondition(namespace, name, condition),
  ),
  'api.failNext': act(['verb', 'code', 'namespace', 'name', 'applied'], ({ store }, step) =>
    store.failNext(step),
  ),
  setCouldHaveRunningContainers: act(['uid', 'value'], ({ couldHaveRunning }, { uid, value }) =>
    couldHaveRunning.set(uid, value),
  ),
  setPodStatus: act(['pod', 'status'], ({ manager }, { pod, status }) => manager.setPodStatus(pod, status)),
  setContainerReadiness: act(['uid', 'containerID', 'ready'], ({ manager }, { uid, containerID, ready }) =>
    manager.setContainerReadiness(uid as PodUID, written(containerID), ready),
  ),
  setContainerStartup: act(['uid', 'containerID', 'started'], ({ manager }, { uid, containerID, started }) =>
    manager.setContainerStartup(uid as PodUID, written(containerID), started),
  ),
  terminatePod: act(['pod'], ({ manager }, { pod }) => manager.terminatePod(pod)),
  removeOrphanedStatuses: act(['uids'], ({ manager }, { uids }) =>
    manager.removeOrphanedStatuses(new Set(uids as PodUID[])),
  ),
  getPodStatus: {
    args: ['uid'],
    run({ manager }, { uid }) {
      const status = manager.getPodStatus(uid as PodUID);
      return { status: encodePodStatus(status ?? {}), ok: status !== undefined };
    },
  },
  syncBatch: {
    args: ['all', 'drain'],
    run({ manager }, { all, drain }) {
      if (drain) manager.podStatusChannel.tryRecv();
      return manager.syncBatch(all);
    },
  },
  setApiStatusVersion: act(['uid', 'version'], ({ manager }, { uid, version }) =>
    manager.setApiStatusVersion(uid, version),
  ),
  setPodAllocation: write(['pod'], ({ manager }, { pod }) => manager.setPodAllocation(pod)),
  setPodResizeStatus: write(['uid', 'resize'], ({ manager }, { uid, resize }) =>
    manager.setPodResizeStatus(uid as PodUID, resize),
  ),
  getContainerResourceAllocation: {
    args: ['uid', 'container'],
    run({ manager }, { uid, container }) {
      const alloc = manager.getContainerResourceAllocation(uid as PodUID, container);
      return { alloc: encodeResources(alloc ?? null), ok: alloc !== undefined };
    },
  },
  getPodResizeStatus: {
    args: ['uid'],
    run({ manager }, { uid }) {
      const resize = manager.getPodResizeStatus(uid as PodUID);
      return { resize: resize ?? '', ok: resize !== undefined };
    },
  },
  restart: { args: [], run: async (world) => ({ error: await world.restart() }) },
  breakStateDir: act([], (world) => world.breakStateDirectory()),
  writeStateFile: act(['content'], (world, { content }) => world.writeStateFile(content)),
  'clock.advance': act(['seconds'], ({ clock }, { seconds }) => clock.advance(seconds * 1000)),
  start: {
    args: ['client'],
    run: (world) =>
      world.manager.start().then(
        () => ({ panic: null }),
        (error: unknown) => ({ panic: world.inWords(error) }),
      ),
  },
  tick: act([], ({ clock }) => clock.advance(TICK_MS)),
};

function encodeResources(resources: ResourceList | null): Record<string, string> | null {
  if (resources === null) return null;
  return Object.fromEntries(
    Object.entries(resources).map(([name, quantity]) => [name, canonicalQuantity(quantity)]),
  );
}

/** Runs a step; throws if it is not known through and through. */
export async function runStep(world: World, step: Step): Promise<unknown> {
  const op = Object.hasOwn(ops, step.op) ? ops[step.op] : undefined;
  if (op === undefined) throw new Error(`unknown operation ${step.op}`);
  for (const name of Object.keys(step))
    if (name !== 'op' && !op.args.includes(name as keyof Step))
      throw new Error(`unknown argument ${name} of ${step.op}`);
  return op.run(world, step);
}

/** What `ret` is compared as. */
export function wantedRet(step: Step, ret: unknown): unknown {
  const isWrite = step.op === 'setPodAllocation' || step.op === 'setPodResizeStatus';
  return isWrite && (ret as { error: string | null }).error !== null ? { error: FAILED } : ret;
}
