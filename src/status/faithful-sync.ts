/**
 * Upstream's way to the API: one batch after the other, one pod after the other, GET before each PATCH, and a failed
 * pod is tried again with the next batch. status_manager.go syncBatch.
 *
 * The one difference cannot be seen from outside: a batch for a signal looks at the pods that changed, not at all.
 */
import type { PodUID } from '../kube/types.js';
import type { StatusClient } from './client.js';
import { isDue } from './full-pass.js';
import type { PodRecord } from './status-cache.js';
import { apiUIDOf, countBehind, isBehind } from './sync-decisions.js';
import { type SyncEnvironment, syncPod } from './sync-pod.js';
import type { SyncDriver } from './sync-driver.js';
import type { VersionedPodStatus } from './versioned-status.js';

export class FaithfulSync implements SyncDriver {
  readonly #env: SyncEnvironment;
  readonly #client: StatusClient;
  readonly #dirty: Set<PodUID>;
  readonly #abort = new AbortController();
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(env: SyncEnvironment, client: StatusClient, dirty: Set<PodUID>) {
    this.#env = env;
    this.#client = client;
    this.#dirty = dirty;
  }

  async onSignal(): Promise<void> {
    await this.syncBatch(false);
  }

  async onTick(): Promise<void> {
    await this.syncBatch(true);
  }

  /** How many pods it tried. */
  async syncBatch(all: boolean): Promise<number> {
    this.#running++;
    try {
      const batch = all ? this.#collectAll() : this.#collectChanged();
      for (const [record, entry] of batch) {
        if (this.#abort.signal.aborted) break;
        await syncPod(this.#env, this.#client, record, entry, {
          patchFirst: false,
          signal: this.#abort.signal,
        });
        this.#settle(record);
      }
      return batch.length;
    } finally {
      if (--this.#running === 0) for (const tell of this.#idle.splice(0)) tell();
    }
  }

  get unsynced(): number {
    return countBehind(this.#env);
  }

  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Upstream never waits for a failed pod: one more batch is all there is to it. */
  async drain(): Promise<void> {
    await this.idle();
    await this.syncBatch(false);
  }

  abort(): void {
    this.#abort.abort();
  }

  forget(): void {}

  /** Whatever is not behind leaves the set: it comes back when its version, or its mirror, changes. */
  #collectChanged(): [PodRecord, VersionedPodStatus][] {
    const batch: [PodRecord, VersionedPodStatus][] = [];
    for (const uid of this.#dirty) {
      this.#guarded(uid, () => {
        const record = this.#env.cache.get(uid);
        if (record !== undefined && this.#isBehind(record)) batch.push([record, record.entry]);
        else this.#dirty.delete(uid);
      });
    }
    return batch;
  }

  #collectAll(): [PodRecord, VersionedPodStatus][] {
    const { cache, podManager } = this.#env;
    for (const uid of cache.apiUIDs()) {
      this.#guarded(uid, () => {
        if (!cache.has(uid) && !podManager.hasTranslation(uid)) cache.deleteApiVersion(uid);
      });
    }
    const batch: [PodRecord, VersionedPodStatus][] = [];
    for (const record of cache.records()) {
      this.#guarded(record.uid, () => {
        if (!isDue(this.#env, record)) return;
        this.#dirty.add(record.uid);
        batch.push([record, record.entry]);
      });
    }
    return batch;
  }

  #settle({ uid }: PodRecord): void {
    this.#guarded(uid, () => {
      const current = this.#env.cache.get(uid);
      if (current === undefined || !this.#isBehind(current)) this.#dirty.delete(uid);
    });
  }

  #isBehind(record: PodRecord): boolean {
    const { cache, podManager } = this.#env;
    const apiUID = apiUIDOf(podManager, record.uid);
    return apiUID !== null && isBehind(cache, record, apiUID);
  }

  /** A neighbour that fails for one pod is no reason to leave the others out. */
  #guarded(podUID: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#env.logger.error(error, 'Failed to find out whether a pod has to be sent', { podUID });
    }
  }
}
