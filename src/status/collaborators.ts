/** What the status manager asks of its neighbours. status_manager.go names the same interfaces. */
import type { MirrorPodUID, Pod, PodUID } from '../kube/types.js';

/** The pods of this node as the API server (or a manifest) last had them. Implemented in src/pod. */
export interface PodManager {
  getPodByUID(uid: PodUID): Pod | undefined;
  /** The mirror pod with the pod's full name, whatever its UID. */
  getMirrorPodByPod(pod: Pod): Pod | undefined;
  /** The pod's UID for that of its mirror; any other UID comes back as it is. */
  translatePodUID(uid: string): PodUID;
  /**
   * The API server's UID for a pod of ours: its mirror's; '' for a static pod that has no mirror yet; undefined where
   * there is nothing to translate. One look-up in what upstream makes two maps for (GetUIDTranslations).
   */
  getMirrorUID(uid: PodUID): MirrorPodUID | '' | undefined;
  /**
   * Whether the UID is a mirror's that translates to a pod. A version kept under an API UID is stale if this is false
   * and there is no status under that UID either; that the pod manager has a pod of that UID does not save it.
   */
  hasTranslation(uid: MirrorPodUID): boolean;
  /**
   * Calls back after the answer of getMirrorUID for a pod may have changed, so that nobody has to look at all pods to
   * find out. Returns what ends it.
   */
  onMirrorChange(listener: (uid: PodUID) => void): () => void;
}

/** Whether a pod may still have something running: then its terminal phase is not told yet. */
export interface PodDeletionSafetyProvider {
  podCouldHaveRunningContainers(pod: Pod): boolean;
}

/** Measures how long pods take to start. */
export interface PodStartupLatencyStateHelper {
  /** The pod is what the server answered to a patch. */
  recordStatusUpdated(pod: Pod): void;
  deletePodStartupState(uid: PodUID): void;
}
