/**
 * The status cache: every pod's entry, and both versions of it in shared memory.
 *
 * Main thread only; what a lock guards upstream (podStatusesLock) is guarded here by there being no await inside a
 * change. Other threads see the versions, through the table.
 *
 * A pod's status version stands under its own UID, the API version under that of the API object: the same UID, or
 * the mirror's for a static pod. An API version outlives the status it was made of, as upstream's does, until a full
 * pass finds that nobody is there for it. A UID has a slot in the table while it has either.
 */
import type { Pod, MirrorPodUID, PodStatus, PodUID } from '../kube/types.js';
import { VersionTable } from '../table/index.js';
import type { VersionedPodStatus } from './versioned-status.js';

export interface PodRecord {
  readonly uid: PodUID;
  /** Of the UID in the version table. */
  readonly slot: number;
  entry: VersionedPodStatus;
  /** The UID the API version of this status stands under, once there is one. */
  toldUID: MirrorPodUID | null;
  /** The Ready condition the API server was last told. */
  sentReady: string | undefined;
  /** The server's last answer about this pod, while the pod manager has nothing newer. */
  answer: Pod | null;
  /** A write failed, and may have been made all the same: the server may have what nobody here has seen. */
  isUncertain: boolean;
  /** The server did not have this pod when this version was to be sent, and the pod manager said this about it. */
  notFound: { readonly version: number; readonly pod: Pod | undefined } | null;
  /** This status was compared with this object of the API's, and nothing has to be done. */
  reconciled: { readonly status: PodStatus; readonly pod: Pod } | null;
}

export class StatusCache {
  readonly versions: VersionTable;
  readonly #records = new Map<PodUID, PodRecord>();
  /** Slots of the UIDs that have an API version. */
  readonly #apiSlots = new Map<MirrorPodUID, number>();

  constructor(maxPods: number) {
    this.versions = VersionTable.create({ maxPods });
  }

  get size(): number {
    return this.#records.size;
  }

  get(uid: PodUID): PodRecord | undefined {
    return this.#records.get(uid);
  }

  has(uid: string): boolean {
    return this.#records.has(uid as PodUID);
  }

  /** Live: deleting while walking is safe. */
  records(): IterableIterator<PodRecord> {
    return this.#records.values();
  }

  /** Throws, with nothing changed, if the table has no place for a new pod. */
  put(uid: PodUID, entry: VersionedPodStatus): PodRecord {
    let record = this.#records.get(uid);
    if (record === undefined) {
      const slot = this.versions.acquire(uid);
      record = {
        uid,
        slot,
        entry,
        toldUID: null,
        sentReady: undefined,
        answer: null,
        isUncertain: false,
        notFound: null,
        reconciled: null,
      };
      this.#records.set(uid, record);
    } else {
      record.entry = entry;
    }
    this.versions.setStatusVersion(record.slot, entry.version);
    return record;
  }

  delete(uid: PodUID): boolean {
    const record = this.#records.get(uid);
    if (record === undefined) return false;
    this.#records.delete(uid);
    this.versions.setStatusVersion(record.slot, 0);
    this.#releaseIfUnused(uid);
    return true;
  }

  /** The version the API server has; 0 if it never got one. */
  apiVersion(uid: MirrorPodUID): number {
    const slot = this.#apiSlots.get(uid);
    return slot === undefined ? 0 : this.versions.apiVersionAt(slot);
  }

  setApiVersion(uid: MirrorPodUID, version: number): void {
    let slot = this.#apiSlots.get(uid);
    if (slot === undefined) {
      slot = this.versions.acquire(uid);
      this.#apiSlots.set(uid, slot);
    }
    this.versions.setApiVersion(slot, version);
  }

  deleteApiVersion(uid: MirrorPodUID): void {
    const slot = this.#apiSlots.get(uid);
    if (slot === undefined) return;
    this.versions.setApiVersion(slot, 0);
    this.#apiSlots.delete(uid);
    this.#releaseIfUnused(uid);
  }

  apiUIDs(): IterableIterator<MirrorPodUID> {
    return this.#apiSlots.keys();
  }

  /** The same version with another status, if it still is the pod's. */
  restamp(record: PodRecord, { version }: VersionedPodStatus, status: PodStatus): void {
    if (record.entry.version === version) record.entry = { ...record.entry, status };
  }

  #releaseIfUnused(uid: string): void {
    if (this.#records.has(uid as PodUID) || this.#apiSlots.has(uid as MirrorPodUID)) return;
    this.versions.release(uid);
  }
}
