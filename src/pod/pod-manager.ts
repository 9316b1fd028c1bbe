/**
 * The pods of this node, and which mirror pod in the API stands for which static pod. pod_manager.go basicManager.
 *
 * Five indexes: pods and mirrors, each by UID and by full name, and the translations of mirror UIDs to pod UIDs.
 * They are upstream's, with what follows from them:
 * - a translation is written whenever a pod or a mirror comes and the other is known by full name, be that pod static
 *   or not; it goes only with its mirror, never with the pod;
 * - removing a pod or a mirror frees its full name, even if another UID has that name by now.
 *
 * Nothing is copied: pods are immutable.
 */
import {
  configHashAnnotation,
  configMirrorAnnotation,
  getPodFullName,
  buildPodFullName,
  isMirrorPod,
  isStaticPod,
} from '../kube/pod.js';
import type { MirrorPodUID, Pod, PodUID } from '../kube/types.js';
import type { PodManager } from '../status/collaborators.js';
import { UIDTranslations } from './uid-translations.js';

export interface PodsAndMirrorPods {
  readonly pods: Pod[];
  readonly mirrorPods: Pod[];
  /** Full names of mirrors that have no pod. */
  readonly orphanedMirrorPodNames: string[];
}

export interface PodAndMirrorPod {
  readonly pod: Pod | undefined;
  readonly mirrorPod: Pod | undefined;
  readonly wasMirror: boolean;
}

/** GetUIDTranslations' two maps. A static pod without a mirror stands with ''. */
export interface UIDTranslationMaps {
  readonly podToMirror: ReadonlyMap<PodUID, MirrorPodUID | ''>;
  readonly mirrorToPod: ReadonlyMap<MirrorPodUID, PodUID>;
}

export class BasicPodManager implements PodManager {
  readonly #pods = new Map<PodUID, Pod>();
  readonly #podsByFullName = new Map<string, Pod>();
  readonly #mirrors = new Map<MirrorPodUID, Pod>();
  readonly #mirrorsByFullName = new Map<string, Pod>();
  readonly #translations = new UIDTranslations();
  readonly #listeners = new Map<symbol, (uid: PodUID) => void>();

  getPods(): Pod[] {
    return [...this.#pods.values()];
  }

  getPodsAndMirrorPods(): PodsAndMirrorPods {
    return {
      pods: this.getPods(),
      mirrorPods: [...this.#mirrors.values()],
      orphanedMirrorPodNames: this.getOrphanedMirrorPodNames(),
    };
  }

  getPodByUID(uid: PodUID): Pod | undefined {
    return this.#pods.get(uid);
  }

  getPodByFullName(fullName: string): Pod | undefined {
    return this.#podsByFullName.get(fullName);
  }

  getPodByName(namespace: string, name: string): Pod | undefined {
    return this.getPodByFullName(buildPodFullName(name, namespace));
  }

  getMirrorPodByPod(pod: Pod): Pod | undefined {
    return this.#mirrorsByFullName.get(getPodFullName(pod));
  }

  getPodByMirrorPod(mirrorPod: Pod): Pod | undefined {
    return this.getPodByFullName(getPodFullName(mirrorPod));
  }

  /** The given pod or mirror as it was given, and the other of the two as it is known here. */
  getPodAndMirrorPod(aPod: Pod): PodAndMirrorPod {
    return isMirrorPod(aPod)
      ? { pod: this.getPodByMirrorPod(aPod), mirrorPod: aPod, wasMirror: true }
      : { pod: aPod, mirrorPod: this.getMirrorPodByPod(aPod), wasMirror: false };
  }

  getOrphanedMirrorPodNames(): string[] {
    return [...this.#mirrorsByFullName.keys()].filter((name) => !this.#podsByFullName.has(name));
  }

  /** Two new maps of everything. getMirrorUID and hasTranslation answer for one UID without them. */
  getUIDTranslations(): UIDTranslationMaps {
    const podToMirror = new Map<PodUID, MirrorPodUID | ''>();
    const mirrorToPod = new Map<MirrorPodUID, PodUID>();
    for (const [uid, pod] of this.#pods) if (isStaticPod(pod)) podToMirror.set(uid, '');
    for (const [mirror, uid] of this.#translations.inOrderWritten()) {
      mirrorToPod.set(mirror, uid);
      podToMirror.set(uid, mirror);
    }
    return { podToMirror, mirrorToPod };
  }

  /** Of several mirrors that translate to the pod, the one written last; upstream takes any. */
  getMirrorUID(uid: PodUID): MirrorPodUID | '' | undefined {
    const mirror = this.#translations.mirrorOf(uid);
    if (mirror !== undefined) return mirror;
    const pod = this.#pods.get(uid);
    return pod !== undefined && isStaticPod(pod) ? '' : undefined;
  }

  hasTranslation(uid: MirrorPodUID): boolean {
    return this.#translations.podOf(uid) !== undefined;
  }

  translatePodUID(uid: string): PodUID {
    const pod = uid === '' ? undefined : this.#translations.podOf(uid as MirrorPodUID);
    return pod ?? (uid as PodUID);
  }

  /** Forgets everything, translations too, then adds the pods in this order. */
  setPods(pods: readonly Pod[]): void {
    const known = this.getUIDTranslations().podToMirror.keys();
    const touched = new Set([...known, ...pods.map(uidOf)]);
    this.#changing(touched, () => {
      this.#pods.clear();
      this.#podsByFullName.clear();
      this.#mirrors.clear();
      this.#mirrorsByFullName.clear();
      this.#translations.clear();
      for (const pod of pods) this.#put(pod);
    });
  }

  addPod(pod: Pod): void {
    this.updatePod(pod);
  }

  updatePod(pod: Pod): void {
    const isMirror = isMirrorPod(pod);
    const mirror = isMirror ? pod : this.getMirrorPodByPod(pod);
    const own = isMirror ? this.getPodByMirrorPod(pod) : pod;
    const touched = new Set<PodUID>();
    if (own !== undefined) touched.add(uidOf(own));
    const moved = mirror && this.#translations.podOf(mirrorUIDOf(mirror));
    if (moved !== undefined) touched.add(moved);
    this.#changing(touched, () => this.#put(pod));
  }

  /** Metadata is enough to say what goes. */
  removePod(pod: Pod): void {
    const fullName = getPodFullName(pod);
    if (isMirrorPod(pod)) {
      const uid = mirrorUIDOf(pod);
      const translated = this.#translations.podOf(uid);
      this.#changing(translated === undefined ? [] : [translated], () => {
        this.#mirrors.delete(uid);
        this.#mirrorsByFullName.delete(fullName);
        this.#translations.delete(uid);
      });
    } else {
      const uid = uidOf(pod);
      this.#changing([uid], () => {
        this.#pods.delete(uid);
        this.#podsByFullName.delete(fullName);
      });
    }
  }

  onMirrorChange(listener: (uid: PodUID) => void): () => void {
    const mine = Symbol('listener');
    this.#listeners.set(mine, listener);
    return () => void this.#listeners.delete(mine);
  }

  #put(pod: Pod): void {
    const fullName = getPodFullName(pod);
    if (isMirrorPod(pod)) {
      this.#mirrors.set(mirrorUIDOf(pod), pod);
      this.#mirrorsByFullName.set(fullName, pod);
    } else {
      this.#pods.set(uidOf(pod), pod);
      this.#podsByFullName.set(fullName, pod);
    }
    const own = this.#podsByFullName.get(fullName);
    const mirror = this.#mirrorsByFullName.get(fullName);
    if (own !== undefined && mirror !== undefined) this.#translations.set(mirrorUIDOf(mirror), uidOf(own));
  }

  /** Makes a change, then tells of those of the `touched` pods whose mirror UID is another one now. */
  #changing(touched: Iterable<PodUID>, change: () => void): void {
    const before = Array.from(touched, (uid) => [uid, this.getMirrorUID(uid)] as const);
    change();
    const changed = before.filter(([uid, mirror]) => this.getMirrorUID(uid) !== mirror);
    for (const [uid] of changed) for (const listener of [...this.#listeners.values()]) listener(uid);
  }
}

const uidOf = (pod: Pod): PodUID => (pod.metadata.uid ?? '') as PodUID;
const mirrorUIDOf = (mirror: Pod): MirrorPodUID => (mirror.metadata.uid ?? '') as MirrorPodUID;

/** Whether the mirror shows this very version of the static pod: same name, and its annotation is the pod's hash. */
export function isMirrorPodOf(mirrorPod: Pod, pod: Pod): boolean {
  if (getPodFullName(pod) !== getPodFullName(mirrorPod)) return false;
  const hash = mirrorPod.metadata.annotations?.[configMirrorAnnotation];
  return hash !== undefined && hash === (pod.metadata.annotations?.[configHashAnnotation] ?? '');
}
