/**
 * The status manager: the one truth about the status of each pod of this node, and its way to the API server.
 * status_manager.go, on the main thread.
 *
 * Whoever learns something about a pod says so here; it is normalized, compared with what is known, given the next
 * version and marked dirty. One goroutine waits for the signal of that, and for the time of the full pass, and has
 * what is dirty sent (sync-engine.ts; faithful-sync.ts for upstream's way).
 *
 * - A call either takes effect as a whole before it returns, or throws and has changed nothing.
 * - Statuses that come out are immutable and shared: keep them, do not change them.
 * - No method waits for the API server, but those that say so.
 */
import type { MirrorPodUID, Pod, PodResizeStatus, PodStatus, PodUID, ResourceList } from '../kube/types.js';
import { isZeroTime } from '../kube/time.js';
import { type State, codecV1, codecV129, noopState, openCheckpointState } from '../state/index.js';
import { Chan, Ticker, go, recvFrom, selectAsync } from '../sync/index.js';
import type { VersionTable } from '../table/index.js';
import { Backoff } from './backoff.js';
import { type ProbeMiss, withReadiness, withStartup } from './container-probes.js';
import { StatusError } from './errors.js';
import { FaithfulSync } from './faithful-sync.js';
import { ImpatientClient } from './impatient-client.js';
import { type StatusManagerOptions, withDefaults } from './options.js';
import { about, checked, requireIdentity, uidOf, withCheckedStatus } from './pod-checks.js';
import { type PodRecord, StatusCache } from './status-cache.js';
import type { SyncDriver } from './sync-driver.js';
import { SyncEngine } from './sync-engine.js';
import type { SyncEnvironment } from './sync-pod.js';
import { terminatedStatus } from './terminate-status.js';
import { TokenBucket } from './token-bucket.js';
import { updateStatusInternal } from './update-status.js';
import type { VersionedPodStatus } from './versioned-status.js';

/** The allocation checkpoint's file in the state directory. */
export const POD_STATUS_MANAGER_STATE_FILE = 'pod_status_manager_state';

const SYNC_DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60];

export interface StopResult {
  /** How many pods the API server was not told the newest status of. */
  readonly unsynced: number;
}

type Phase = 'new' | 'started' | 'stopped';

export class StatusManager {
  /** One token at most: there is something in the dirty set. Who adds to the set sends, and never waits. */
  readonly podStatusChannel = new Chan<void>(1, { elem: 'void' });
  readonly #options: ReturnType<typeof withDefaults>;
  readonly #cache: StatusCache;
  /** Pods whose API version may be behind. */
  readonly #dirty = new Set<PodUID>();
  readonly #driver: SyncDriver | null;
  readonly #stopped = new Chan<void>(0, { elem: 'void' });
  #state: State;
  #phase: Phase = 'new';
  /** Null: there never was a loop. */
  #loopEnded: Promise<void> | null = null;
  #drained: Promise<void> | null = null;
  #unsubscribe: () => void;

  constructor(options: StatusManagerOptions) {
    this.#options = withDefaults(options);
    const { podManager, maxPods } = this.#options;
    this.#cache = new StatusCache(maxPods);
    this.#state = this.#options.state ?? noopState;
    this.#driver = this.#makeDriver();
    this.#unsubscribe = podManager.onMirrorChange((uid) => {
      if (this.#cache.get(uid) === undefined) return;
      this.#foundBehind(uid);
    });
  }

  /** Which version of each pod there is, and which the API server has: readable from any thread. */
  get versions(): VersionTable {
    return this.#cache.versions;
  }

  /** Opens the state and starts the loop. Rejects if the checkpoint cannot be restored; nothing runs then. */
  async start(): Promise<void> {
    if (this.#phase !== 'new') throw new StatusError('ERR_STARTED', 'the status manager was started before');
    this.#phase = 'started';
    const { gates, state, stateDirectory, stateCodec, client, logger, syncPeriodMs, clock } = this.#options;
    if (gates.InPlacePodVerticalScaling && state === undefined) {
      if (stateDirectory === undefined) {
        throw new StatusError(
          'ERR_BAD_OPTION',
          'stateDirectory is not set: the gate InPlacePodVerticalScaling needs a place to keep allocations in',
        );
      }
      this.#state = await openCheckpointState({
        directory: stateDirectory,
        fileName: POD_STATUS_MANAGER_STATE_FILE,
        codec: stateCodec === 'v1' ? codecV1 : codecV129,
        logger,
      });
    }
    if (client === null) {
      logger.info(0, 'Kubernetes client is nil, not starting status manager');
      return;
    }
    // Somebody may have stopped it while the state was opened.
    if (this.#isStopped()) return;
    const ticker = new Ticker(clock, syncPeriodMs);
    this.#loopEnded = new Promise((resolve) => {
      go(async () => {
        try {
          await this.#loop(ticker);
        } finally {
          ticker.stop();
          resolve();
        }
      }, 'status-manager');
    });
  }

  /**
   * Sends what is left, for at most `deadlineMs`, then ends what is under way. The cache stays readable. Also ends a
   * manager that was never started.
   */
  async stop({ deadlineMs = 5_000 }: { readonly deadlineMs?: number } = {}): Promise<StopResult> {
    if (this.#phase !== 'stopped') {
      this.#phase = 'stopped';
      this.#unsubscribe();
      this.#stopped.close();
    }
    const driver = this.#driver;
    if (driver !== null) {
      // Once for all who stop; whoever has the shortest deadline ends it.
      if (this.#loopEnded !== null) {
        this.#drained ??= this.#loopEnded.then(() => driver.drain());
        await this.#within(deadlineMs, this.#drained);
      }
      driver.abort();
      await this.#loopEnded;
      await driver.idle();
    }
    await this.#state.flush();
    return { unsynced: driver?.unsynced ?? 0 };
  }

  /** The newest status; a mirror pod's UID gives that of its static pod. */
  getPodStatus(uid: PodUID): PodStatus | undefined {
    return this.#cache.get(this.#options.podManager.translatePodUID(uid))?.entry.status;
  }

  setPodStatus(pod: Pod, status: PodStatus): void {
    const isDeleting = !isZeroTime(checked(pod).metadata.deletionTimestamp);
    // A pod that is being deleted is sent even if nothing changed: somebody waits for its end.
    this.#update(pod, status, isDeleting, false);
  }

  setContainerReadiness(podUID: PodUID, containerID: string, ready: boolean): void {
    this.#probed('Container readiness', podUID, containerID, (pod, status) =>
      withReadiness(pod, status, containerID, ready),
    );
  }

  setContainerStartup(podUID: PodUID, containerID: string, started: boolean): void {
    this.#probed('Container startup', podUID, containerID, (_pod, status) =>
      withStartup(status, containerID, started),
    );
  }

  /** The pod will never run again: containers nobody knows the end of have failed, and so has the pod. */
  terminatePod(given: Pod): void {
    const pod = withCheckedStatus(checked(given));
    const cached = this.#cache.get(uidOf(pod))?.entry.status;
    if (cached?.phase === 'Running') {
      this.#options.logger.info(0, 'Pod is terminated while its last known phase is running', about(pod));
    }
    this.#update(pod, terminatedStatus(pod, cached ?? pod.status ?? {}), true, true);
  }

  /** Forgets the statuses of all pods but these. */
  removeOrphanedStatuses(podUIDs: ReadonlySet<string>): void {
    for (const record of this.#cache.records()) {
      if (podUIDs.has(record.uid)) continue;
      this.#options.logger.info(5, 'Removing pod from status map', { podUID: record.uid });
      this.#drop(record);
    }
  }

  /** Undefined: none is known. Null: the container was allocated nothing. */
  getContainerResourceAllocation(podUID: PodUID, containerName: string): ResourceList | null | undefined {
    return this.#state.getContainerResourceAllocation(podUID, containerName);
  }

  getPodResizeStatus(podUID: PodUID): PodResizeStatus | undefined {
    return this.#state.getPodResizeStatus(podUID);
  }

  /** What the pod's containers ask for is what they are given, from now on and over restarts. Resolves when durable. */
  async setPodAllocation(pod: Pod): Promise<void> {
    const uid = uidOf(checked(pod));
    const containers = pod.spec?.containers ?? [];
    const allocs = containers.map(({ name, resources }) => [name, resources?.requests ?? null] as const);
    if (this.#options.gates.WholePodAllocation) {
      // A pod without containers is no entry.
      if (allocs.length > 0) await this.#state.setContainerResourceAllocations(uid, new Map(allocs));
      return;
    }
    // Upstream stops at the first container that cannot be written.
    for (const [name, alloc] of allocs) await this.#state.setContainerResourceAllocation(uid, name, alloc);
  }

  /** '' takes it away. Resolves when durable. */
  async setPodResizeStatus(podUID: PodUID, resize: PodResizeStatus): Promise<void> {
    await this.#state.setPodResizeStatus(podUID, resize);
  }

  /** One batch by hand, as upstream's loop makes them. Only with `faithful`. */
  async syncBatch(all: boolean): Promise<number> {
    if (this.#driver instanceof FaithfulSync) return this.#driver.syncBatch(all);
    throw new StatusError('ERR_NOT_FAITHFUL', 'syncBatch needs the options faithful: true and a client');
  }

  /** Resolves when nothing is being sent and nothing waits to be, but for pods that failed and wait. */
  async idle(): Promise<void> {
    await this.#driver?.idle();
  }

  /** Says what the API server has, as after a restart whose predecessor left it up to date. */
  setApiStatusVersion(uid: string, version: number): void {
    this.#cache.setApiVersion(uid as MirrorPodUID, version);
    this.#foundBehind(this.#options.podManager.translatePodUID(uid));
  }

  /** All that is known, for tests and dumps. */
  inspect(): {
    readonly podStatuses: ReadonlyMap<PodUID, VersionedPodStatus>;
    readonly apiStatusVersions: ReadonlyMap<MirrorPodUID, number>;
  } {
    const records = [...this.#cache.records()];
    return {
      podStatuses: new Map(records.map(({ uid, entry }) => [uid, entry])),
      apiStatusVersions: new Map([...this.#cache.apiUIDs()].map((uid) => [uid, this.#cache.apiVersion(uid)])),
    };
  }

  /** The pod's API version may be behind without a change of its status. */
  #foundBehind(uid: PodUID): void {
    this.#dirty.add(uid);
    // Upstream finds out with whatever signal comes next.
    if (!this.#options.faithful) this.podStatusChannel.trySend(undefined);
  }

  async #loop(ticker: Ticker): Promise<void> {
    const cases = [recvFrom(this.podStatusChannel), recvFrom(ticker.c), recvFrom(this.#stopped)];
    for (;;) {
      const { index } = await selectAsync(cases);
      if (index === 0) await this.#driver!.onSignal();
      else if (index === 1) await this.#driver!.onTick();
      else return;
    }
  }

  #probed(
    what: string,
    podUID: PodUID,
    containerID: string,
    change: (pod: Pod, status: PodStatus) => PodStatus | ProbeMiss,
  ): void {
    const { podManager, logger } = this.#options;
    const fields = { podUID, containerID };
    const pod = podManager.getPodByUID(podUID);
    if (pod === undefined) return logger.info(4, 'Pod has been deleted, no need to update', fields);
    const record = this.#cache.get(podUID);
    if (record === undefined) return logger.info(0, `${what} changed before pod has synced`, fields);
    const changed = change(pod, record.entry.status);
    if (changed === 'no-container') return logger.info(0, `${what} changed for unknown container`, fields);
    if (changed === 'unchanged') return logger.info(4, `${what} unchanged`, fields);
    this.#update(pod, changed, false, false);
  }

  #update(given: Pod, status: unknown, force: boolean, podIsFinished: boolean): void {
    const { gates, podManager, clock, logger } = this.#options;
    if (gates.RequirePodIdentity) requireIdentity(given);
    const uid = uidOf(given);
    const cached = this.#cache.get(uid)?.entry;
    const pod = cached === undefined ? withCheckedStatus(given) : given;
    const mirror = cached === undefined ? podManager.getMirrorPodByPod(pod) : undefined;
    const now = clock.now();
    const outcome = updateStatusInternal(cached, mirror, { pod, status, force, podIsFinished, now }, gates);
    if (outcome.is === 'unchanged') {
      if (logger.enabled(3)) logger.info(3, 'Ignoring same status for pod', about(pod));
      return;
    }
    if (outcome.is === 'refused') {
      logger.error(
        new StatusError('ERR_STATE_TRANSITION', outcome.reason),
        'Status update on pod aborted',
        about(pod),
      );
      return;
    }
    if (outcome.staysFinished)
      logger.info(0, 'Got unexpected podIsFinished=false after it was true', about(pod));
    this.#cache.put(uid, outcome.entry);
    this.#dirty.add(uid);
    this.podStatusChannel.trySend(undefined);
  }

  #isStopped(): boolean {
    return this.#phase === 'stopped';
  }

  /** Upstream's deletePodStatus also forgets when the pod started; removing orphans does not. */
  #deletePodStatus(record: PodRecord): void {
    if (this.#cache.get(record.uid) !== record) return;
    this.#drop(record);
    this.#options.podStartupLatency.deletePodStartupState(record.uid);
  }

  #drop(record: PodRecord): void {
    const { uid } = record;
    this.#cache.delete(uid);
    this.#dirty.delete(uid);
    this.#driver?.forget(record);
    if (!this.#options.gates.InPlacePodVerticalScaling) return;
    this.#state.delete(uid, '').catch((error: unknown) => {
      this.#options.logger.error(error, 'Failed to delete pod allocation', { podUID: uid });
    });
  }

  #makeDriver(): SyncDriver | null {
    const options = this.#options;
    if (options.client === null) return null;
    const env: SyncEnvironment = {
      cache: this.#cache,
      podManager: options.podManager,
      podDeletionSafety: options.podDeletionSafety,
      podStartupLatency: options.podStartupLatency,
      gates: options.gates,
      clock: options.clock,
      logger: options.logger,
      syncDuration: options.metrics.histogram('kubelet_pod_status_sync_duration_seconds', {
        help: 'Seconds from a change of a pod status to its arrival at the API server.',
        buckets: SYNC_DURATION_BUCKETS,
      }),
      deletePodStatus: (record) => this.#deletePodStatus(record),
      watchIsFresh: options.watchIsFresh,
    };
    const client = new ImpatientClient(options.client);
    if (options.faithful) return new FaithfulSync(env, client, this.#dirty);
    return new SyncEngine(env, client, this.#dirty, {
      concurrency: options.concurrency,
      bucket: new TokenBucket({ qps: options.qps, burst: options.burst, clock: options.clock }),
      backoff: new Backoff({
        initialMs: options.backoffInitialMs,
        maxMs: options.backoffMaxMs,
        factor: 2,
        jitter: 0.5,
        random: options.random,
      }),
    });
  }

  async #within(ms: number, work: Promise<void>): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(clock.now() + ms, resolve);
      const end = (): void => {
        timer.stop();
        resolve();
      };
      work.then(end, end);
    });
  }
}
