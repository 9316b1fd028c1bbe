/**
 * How long pods take from their creation until the API has shown every container running, with and without the time
 * images were pulled. pod_startup_latency_tracker.go.
 *
 * A pod is measured once, and only if it was first seen before any kubelet had acknowledged it (no start time): what ran
 * before this process did is not counted. Two things must happen in this order: a status with everything running goes
 * out (recordStatusUpdated), then the watch brings such a status back (observedPodOnWatch).
 */
import { isPodPhaseTerminal } from '../kube/pod.js';
import { isZeroTime } from '../kube/time.js';
import type { Pod, PodUID } from '../kube/types.js';
import { type Logger, silentLogger } from '../observe/logger.js';
import { type Histogram, type Metrics, noMetrics } from '../observe/metrics.js';
import type { Clock } from '../sync/index.js';
import type { PodStartupLatencyStateHelper } from './collaborators.js';

const BUCKETS: readonly number[] = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700,
  3600,
];

/** Times are the clock's milliseconds; null: it has not happened. */
interface StartupState {
  firstStartedPulling: number | null;
  lastFinishedPulling: number | null;
  observedRunning: number | null;
  isRecorded: boolean;
}

export interface PodStartupLatencyTrackerOptions {
  readonly clock: Clock;
  readonly metrics?: Metrics;
  readonly logger?: Logger;
}

export class PodStartupLatencyTracker implements PodStartupLatencyStateHelper {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sliDuration: Histogram;
  readonly #totalDuration: Histogram;
  readonly #states = new Map<PodUID, StartupState>();

  constructor({ clock, metrics = noMetrics, logger = silentLogger }: PodStartupLatencyTrackerOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#sliDuration = metrics.histogram('kubelet_pod_start_sli_duration_seconds', {
      help: 'Seconds to start a pod, without pulling images, from its creation until the watch shows it running.',
      buckets: BUCKETS,
    });
    this.#totalDuration = metrics.histogram('kubelet_pod_start_total_duration_seconds', {
      help: 'Seconds to start a pod from its creation until the watch shows it running.',
      buckets: BUCKETS,
    });
  }

  /** The watch brought the pod at the time `when`, in the clock's milliseconds. */
  observedPodOnWatch(pod: Pod, when: number): void {
    const uid = uidOf(pod);
    if (isPodPhaseTerminal(pod.status?.phase)) {
      this.#states.delete(uid);
      return;
    }
    const state = this.#states.get(uid);
    if (state === undefined) {
      if (isZeroTime(pod.status?.startTime)) this.#states.set(uid, newState());
      return;
    }
    if (state.observedRunning === null || state.isRecorded || !isEverythingRunning(pod)) return;
    state.isRecorded = true;
    this.#record(pod, state, when);
  }

  recordImageStartedPulling(uid: PodUID): void {
    const state = this.#states.get(uid);
    if (state !== undefined) state.firstStartedPulling ??= this.#clock.now();
  }

  /** Each one counts until the next: pulling lasts from the first start to the last end. */
  recordImageFinishedPulling(uid: PodUID): void {
    const state = this.#states.get(uid);
    if (state !== undefined && state.firstStartedPulling !== null)
      state.lastFinishedPulling = this.#clock.now();
  }

  recordStatusUpdated(pod: Pod): void {
    const state = this.#states.get(uidOf(pod));
    if (state === undefined || state.observedRunning !== null || !isEverythingRunning(pod)) return;
    this.#logger.info(3, 'Mark when the pod was running for the first time', podFields(pod));
    state.observedRunning = this.#clock.now();
  }

  deletePodStartupState(uid: PodUID): void {
    this.#states.delete(uid);
  }

  #record(pod: Pod, state: StartupState, when: number): void {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '');
    // Without a time of creation there is nothing to measure from; upstream would count some 300 years.
    if (Number.isNaN(created)) return;
    const { firstStartedPulling: started, lastFinishedPulling: finished } = state;
    const pulling = started === null || finished === null ? 0 : finished - started;
    const total = when - created;
    this.#logger.info(0, 'Observed pod startup duration', {
      ...podFields(pod),
      podStartSLOduration: (total - pulling) / 1000,
      podStartE2EDuration: total / 1000,
      firstStartedPulling: started,
      lastFinishedPulling: finished,
      observedRunningTime: state.observedRunning,
      watchObservedRunningTime: when,
    });
    this.#sliDuration.observe((total - pulling) / 1000);
    this.#totalDuration.observe(total / 1000);
  }
}

const newState = (): StartupState => ({
  firstStartedPulling: null,
  lastFinishedPulling: null,
  observedRunning: null,
  isRecorded: false,
});

const uidOf = (pod: Pod): PodUID => (pod.metadata.uid ?? '') as PodUID;

const podFields = (pod: Pod) => ({
  pod: { namespace: pod.metadata.namespace, name: pod.metadata.name },
  podUID: pod.metadata.uid,
});

/** Init containers do not count, and no container statuses at all is everything. */
function isEverythingRunning(pod: Pod): boolean {
  return (pod.status?.containerStatuses ?? []).every(
    (status) => !isZeroTime(status.state?.running?.startedAt),
  );
}
