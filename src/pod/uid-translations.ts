/**
 * Mirror UID -> pod UID, and back in one look-up.
 *
 * Several mirrors may translate to one pod: the names of mirrors come and go faster than their entries. Backwards
 * the one written last counts. Writing an entry again, even unchanged, makes it the last.
 */
import type { MirrorPodUID, PodUID } from '../kube/types.js';

export class UIDTranslations {
  /** In the order written. */
  readonly #podByMirror = new Map<MirrorPodUID, PodUID>();
  /** In the order written; never an empty list. */
  readonly #mirrorsByPod = new Map<PodUID, MirrorPodUID[]>();

  podOf(mirror: MirrorPodUID): PodUID | undefined {
    return this.#podByMirror.get(mirror);
  }

  mirrorOf(pod: PodUID): MirrorPodUID | undefined {
    return this.#mirrorsByPod.get(pod)?.at(-1);
  }

  inOrderWritten(): Iterable<readonly [MirrorPodUID, PodUID]> {
    return this.#podByMirror;
  }

  set(mirror: MirrorPodUID, pod: PodUID): void {
    this.delete(mirror);
    this.#podByMirror.set(mirror, pod);
    const mirrors = this.#mirrorsByPod.get(pod);
    if (mirrors === undefined) this.#mirrorsByPod.set(pod, [mirror]);
    else mirrors.push(mirror);
  }

  delete(mirror: MirrorPodUID): void {
    const pod = this.#podByMirror.get(mirror);
    if (pod === undefined) return;
    this.#podByMirror.delete(mirror);
    const others = (this.#mirrorsByPod.get(pod) ?? []).filter((other) => other !== mirror);
    if (others.length === 0) this.#mirrorsByPod.delete(pod);
    else this.#mirrorsByPod.set(pod, others);
  }

  clear(): void {
    this.#podByMirror.clear();
    this.#mirrorsByPod.clear();
  }
}
