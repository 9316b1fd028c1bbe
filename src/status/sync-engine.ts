/**
 * The way to the API that scales: what changed, and only that, many pods at a time, the urgent ones first.
 *
 *   dirty set ──▶ lanes ──▶ token bucket ──▶ p-queue ──▶ syncPod
 *                  ▲                                        │
 *                  └──── backoff ◀──── failed ──────────────┤
 *                  └──── changed meanwhile ◀────────────────┘
 *
 * - A pod is in one place at a time: in a lane, in flight, or waiting for its backoff. So at most one sequence of
 *   requests runs for it, and each sends the newest version there is when it starts.
 * - Who goes next is decided when a request may start, not when it was asked for: a token and a place in the queue
 *   come first, then the lanes are asked.
 * - A pod that fails waits, longer each time, whatever is reported about it meanwhile; its newest version is sent then.
 *
 * Main thread only; no state here changes across an await without being looked at again.
 */
import { setMaxListeners } from 'node:events';
import { Mutex } from 'async-mutex';
import PQueue from 'p-queue';
import { ApiError } from '../kube/api-error.js';
import { getPodCondition, podReady } from '../kube/conditions.js';
import { isPodPhaseTerminal } from '../kube/pod.js';
import type { MirrorPodUID, PodStatus, PodUID } from '../kube/types.js';
import type { TimerHandle } from '../sync/index.js';
import type { Backoff } from './backoff.js';
import type { StatusClient } from './client.js';
import type { PodManager } from './collaborators.js';
import { fullPass } from './full-pass.js';
import { LANE_END, LANE_READY, LANE_REST, type Lane, Lanes } from './lanes.js';
import { LimitedClient } from './limited-client.js';
import type { PodRecord } from './status-cache.js';
import { apiPodOf, apiUIDOf, countBehind, isBehind } from './sync-decisions.js';
import type { SyncDriver } from './sync-driver.js';
import { type SyncEnvironment, type SyncOutcome, syncPod } from './sync-pod.js';
import type { TokenBucket } from './token-bucket.js';

export interface EngineOptions {
  readonly concurrency: number;
  readonly bucket: TokenBucket;
  readonly backoff: Backoff;
}

export class SyncEngine implements SyncDriver {
  readonly #env: SyncEnvironment;
  readonly #client: StatusClient;
  readonly #dirty: Set<PodUID>;
  readonly #options: EngineOptions;
  readonly #queue: PQueue;
  readonly #lanes = new Lanes<PodUID>();
  readonly #inFlight = new Set<PodUID>();
  readonly #backingOff = new Map<PodUID, TimerHandle>();
  readonly #passing = new Mutex();
  readonly #abort = new AbortController();
  #tokenTimer: TimerHandle | null = null;
  #quiet: (() => void)[] = [];
  #drained: (() => void)[] = [];

  constructor(env: SyncEnvironment, client: StatusClient, dirty: Set<PodUID>, options: EngineOptions) {
    this.#env = env;
    this.#client = client;
    // Each request listens, and there is no telling how many there are.
    setMaxListeners(0, this.#abort.signal);
    this.#dirty = dirty;
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  async onSignal(): Promise<void> {
    this.#takeDirty();
    this.#pump();
  }

  /** The pass runs beside the loop: signals are served while it is between two slices. */
  async onTick(): Promise<void> {
    if (this.#passing.isLocked()) return;
    void this.#passing.runExclusive(() =>
      fullPass(this.#env, this.#abort.signal, (record) => {
        this.#offer(record, true);
        this.#pump();
      }),
    );
  }

  get unsynced(): number {
    return countBehind(this.#env);
  }

  async idle(): Promise<void> {
    await this.#passing.waitForUnlock();
    await this.#until(this.#quiet, () => this.#isQuiet());
  }

  async drain(): Promise<void> {
    this.#takeDirty();
    this.#pump();
    await this.#passing.waitForUnlock();
    await this.#until(this.#drained, () => this.#isQuiet() && this.#backingOff.size === 0);
  }

  abort(): void {
    this.#abort.abort();
    for (const timer of this.#backingOff.values()) timer.stop();
    this.#backingOff.clear();
    this.#tokenTimer?.stop();
    this.#tokenTimer = null;
    this.#tellWaiters();
  }

  forget(record: PodRecord): void {
    const { uid } = record;
    this.#forgetVersion(record);
    this.#lanes.delete(uid);
    this.#backingOff.get(uid)?.stop();
    this.#backingOff.delete(uid);
    this.#options.backoff.succeed(uid);
    this.#tellWaiters();
  }

  #takeDirty(): void {
    for (const uid of this.#dirty) {
      const record = this.#env.cache.get(uid);
      if (record !== undefined) this.#offer(record, false);
    }
    this.#dirty.clear();
  }

  /**
   * Upstream keeps the API version until the next full pass, and meanwhile takes a new status of that pod, which
   * counts from 1 again, for one that was sent.
   */
  #forgetVersion({ uid, toldUID }: PodRecord): void {
    this.#env.cache.deleteApiVersion(toldUID ?? (uid as string as MirrorPodUID));
  }

  /** Puts a pod into its lane, unless it has to wait or there is nothing to send. `due`: somebody found that there is. */
  #offer(record: PodRecord, due: boolean): void {
    const { uid } = record;
    if (this.#inFlight.has(uid) || this.#backingOff.has(uid)) return;
    const { cache, podManager, gates } = this.#env;
    this.#guarded(record, () => {
      const apiUID = apiUIDOf(podManager, uid);
      if (apiUID === null || !(due || isBehind(cache, record, apiUID))) return;
      if (gates.RememberNotFound && this.#isKnownMissing(record)) return;
      this.#lanes.push(uid, laneOf(record, podManager));
    });
  }

  /** A neighbour that fails for one pod keeps that pod waiting, and no other. */
  #guarded(record: PodRecord, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#env.logger.error(error, 'Failed to find out whether a pod has to be sent', {
        podUID: record.uid,
      });
      this.#backOff(record, error);
    }
  }

  #isKnownMissing({ uid, entry, notFound }: PodRecord): boolean {
    return (
      notFound !== null &&
      notFound.version === entry.version &&
      notFound.pod === apiPodOf(this.#env.podManager, uid)
    );
  }

  #pump(): void {
    while (this.#mayStart()) {
      if (!this.#options.bucket.tryTake()) {
        this.#awaitToken();
        return;
      }
      const record = this.#env.cache.get(this.#lanes.take()!);
      if (record !== undefined) this.#guarded(record, () => this.#begin(record));
      if (record === undefined || !this.#inFlight.has(record.uid)) this.#options.bucket.giveBack();
    }
    this.#tellWaiters();
  }

  /** A static pod may have lost its mirror while it waited; it is offered again with the next one. */
  #begin(record: PodRecord): void {
    if (apiUIDOf(this.#env.podManager, record.uid) === null) return;
    this.#inFlight.add(record.uid);
    void this.#queue.add(() => this.#send(record));
  }

  #mayStart(): boolean {
    const hasRoom = this.#inFlight.size < this.#options.concurrency;
    return hasRoom && this.#lanes.size > 0 && !this.#abort.signal.aborted;
  }

  #awaitToken(): void {
    if (this.#tokenTimer !== null) return;
    const { clock } = this.#env;
    this.#tokenTimer = clock.setTimer(clock.now() + this.#options.bucket.msUntilNext(), () => {
      this.#tokenTimer = null;
      this.#pump();
    });
  }

  /** The token for the first request is paid already. */
  async #send(record: PodRecord): Promise<void> {
    const { bucket } = this.#options;
    const { entry } = record;
    const client = new LimitedClient(this.#client, bucket);
    const outcome = await syncPod(this.#env, client, record, entry, {
      patchFirst: this.#env.gates.PatchFirst,
      signal: this.#abort.signal,
    });
    client.close();
    this.#inFlight.delete(record.uid);
    this.#after(record, outcome);
    this.#pump();
  }

  #after(record: PodRecord, outcome: SyncOutcome): void {
    const { cache, gates } = this.#env;
    // The status may have been dropped, and another pod's put there, while this was under way.
    const current = cache.get(record.uid);
    if (current !== record) this.#forgetVersion(record);
    const mustWait = outcome.is === 'failed' || (outcome.is === 'not-found' && !gates.RememberNotFound);
    if (current === record && mustWait) {
      this.#backOff(record, outcome.is === 'failed' ? outcome.error : undefined);
      return;
    }
    this.#options.backoff.succeed(record.uid);
    if (current !== undefined) this.#offer(current, false);
  }

  #backOff({ uid }: PodRecord, error: unknown): void {
    if (this.#abort.signal.aborted) return;
    const { clock, cache } = this.#env;
    const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const due = clock.now() + this.#options.backoff.fail(uid, asked);
    const timer = clock.setTimer(due, () => {
      this.#backingOff.delete(uid);
      const record = cache.get(uid);
      if (record !== undefined) this.#offer(record, true);
      this.#pump();
    });
    this.#backingOff.set(uid, timer);
  }

  #isQuiet(): boolean {
    return this.#abort.signal.aborted
      ? this.#inFlight.size === 0
      : this.#dirty.size === 0 && this.#lanes.size === 0 && this.#inFlight.size === 0;
  }

  async #until(waiters: (() => void)[], isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => waiters.push(resolve));
  }

  #tellWaiters(): void {
    if (!this.#isQuiet()) return;
    for (const tell of this.#quiet.splice(0)) tell();
    if (this.#backingOff.size === 0) for (const tell of this.#drained.splice(0)) tell();
  }
}

const readyOf = (status: PodStatus | undefined): string | undefined =>
  getPodCondition(status, podReady)?.condition.status;

/** An end matters most to the rest of the cluster, then whether traffic may come. */
function laneOf({ uid, entry, sentReady }: PodRecord, podManager: PodManager): Lane {
  if (entry.podIsFinished || entry.isDeleting || isPodPhaseTerminal(entry.status.phase)) return LANE_END;
  const ready = readyOf(entry.status);
  // Before the first one is sent, what was there before us counts; a pod nobody ever saw ready is not ready.
  const told = sentReady ?? readyOf(apiPodOf(podManager, uid)?.status) ?? 'False';
  return ready === told || ready === undefined ? LANE_REST : LANE_READY;
}
