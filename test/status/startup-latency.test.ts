import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pod, PodStatus, PodUID } from '../../src/kube/types.js';
import { MemoryMetrics } from '../../src/observe/memory-metrics.js';
import { PodStartupLatencyTracker } from '../../src/status/startup-latency.js';
import { FakeClock } from '../../src/sync/index.js';

const SLI = 'kubelet_pod_start_sli_duration_seconds';
const TOTAL = 'kubelet_pod_start_total_duration_seconds';
const CREATED = Date.parse('2024-03-01T10:00:00Z');
const uid = '3c1df8a9-11a8-4791-aeae-184c18cca686' as PodUID;

const running = { name: 'a', state: { running: { startedAt: '2024-03-01T10:00:02Z' } } };
const waiting = { name: 'a', state: { waiting: { reason: 'ContainerCreating' } } };
const pod = (status: PodStatus): Pod => ({
  metadata: { name: 'pod1', namespace: 'default', uid, creationTimestamp: '2024-03-01T10:00:00Z' },
  status,
});
const initializing = pod({ containerStatuses: [waiting] });
const started = pod({ startTime: '2024-03-01T10:00:00Z', containerStatuses: [running] });

let clock: FakeClock;
let metrics: MemoryMetrics;
let tracker: PodStartupLatencyTracker;

beforeEach(() => {
  clock = new FakeClock({ now: CREATED });
  metrics = new MemoryMetrics();
  tracker = new PodStartupLatencyTracker({ clock, metrics });
});
afterEach(() => clock.dispose());

/** Brings the pod into the state in which the next watch event records it. */
function startUp(): void {
  tracker.observedPodOnWatch(initializing, clock.now());
  tracker.recordStatusUpdated(started);
}

test('TestNoEvents: a pod nobody has seen on the watch is not measured', () => {
  tracker.recordImageStartedPulling(uid);
  tracker.recordImageFinishedPulling(uid);
  tracker.recordStatusUpdated(started);
  tracker.deletePodStartupState(uid);
  expect(metrics.histogramValue(SLI)).toBeUndefined();
  expect(metrics.histogramValue(TOTAL)).toBeUndefined();
});

test('TestPodsRunningBeforeKubeletStarted: a pod that has a start time when it is first seen is not measured', () => {
  tracker.observedPodOnWatch(started, clock.now());
  tracker.recordStatusUpdated(started);
  tracker.observedPodOnWatch(started, clock.now());
  expect(metrics.histogramValue(SLI)).toBeUndefined();
});

test('TestSinglePodOneImageDownloadRecorded: pulling the image does not count for the SLI', async () => {
  tracker.observedPodOnWatch(initializing, clock.now());
  await clock.advance(10);
  tracker.recordImageStartedPulling(uid);
  await clock.advance(100);
  tracker.recordImageFinishedPulling(uid);
  await clock.advance(500);
  tracker.recordStatusUpdated(started);
  tracker.observedPodOnWatch(started, CREATED + 3000);

  const sli = metrics.histogramValue(SLI)!;
  expect(sli.count).toBe(1);
  expect(sli.sum).toBe(2.9);
  expect([sli.buckets.get(2), sli.buckets.get(3), sli.buckets.get(3600)]).toEqual([0, 1, 1]);
  expect(sli.buckets.size).toBe(25);
  expect(metrics.histogramValue(TOTAL)).toMatchObject({ count: 1, sum: 3 });

  // Recorded once, and once it is deleted a pod that was acknowledged is not measured again.
  tracker.observedPodOnWatch(started, CREATED + 5000);
  tracker.deletePodStartupState(uid);
  tracker.observedPodOnWatch(started, CREATED + 6000);
  tracker.recordStatusUpdated(started);
  tracker.observedPodOnWatch(started, CREATED + 7000);
  expect(metrics.histogramValue(SLI)!.count).toBe(1);
});

test('TestSinglePodMultipleDownloadsAndRestartsRecorded: pulling is from the first start to the last end', async () => {
  tracker.observedPodOnWatch(initializing, clock.now());
  await clock.advance(1000);
  tracker.recordImageStartedPulling(uid);
  await clock.advance(3000);
  tracker.recordImageStartedPulling(uid);
  tracker.recordImageFinishedPulling(uid);
  await clock.advance(7000);
  tracker.recordImageFinishedPulling(uid);
  tracker.recordStatusUpdated(initializing);
  tracker.observedPodOnWatch(initializing, clock.now());
  await clock.advance(1000);
  tracker.recordStatusUpdated(started);
  tracker.observedPodOnWatch(started, CREATED + 30_000);
  expect(metrics.histogramValue(SLI)).toMatchObject({ count: 1, sum: 20 });
  expect(metrics.histogramValue(TOTAL)).toMatchObject({ count: 1, sum: 30 });

  // A restart that pulls again changes nothing any more.
  tracker.recordImageStartedPulling(uid);
  tracker.recordImageFinishedPulling(uid);
  tracker.recordStatusUpdated(started);
  tracker.observedPodOnWatch(started, CREATED + 600_000);
  expect(metrics.histogramValue(SLI)!.count).toBe(1);
});

describe('what is recorded when', () => {
  test('not before a status with everything running went out', () => {
    tracker.observedPodOnWatch(initializing, clock.now());
    tracker.observedPodOnWatch(started, CREATED + 1000);
    tracker.recordStatusUpdated(pod({ containerStatuses: [running, waiting] }));
    tracker.observedPodOnWatch(started, CREATED + 2000);
    expect(metrics.histogramValue(TOTAL)).toBeUndefined();
    tracker.recordStatusUpdated(started);
    tracker.observedPodOnWatch(started, CREATED + 3000);
    expect(metrics.histogramValue(TOTAL)!.sum).toBe(3);
  });

  test('not by a watch event that does not show everything running', () => {
    startUp();
    tracker.observedPodOnWatch(pod({ containerStatuses: [{ name: 'a', state: { running: {} } }] }), CREATED);
    expect(metrics.histogramValue(TOTAL)).toBeUndefined();
  });

  test('a pod without container statuses runs', () => {
    tracker.observedPodOnWatch(pod({}), clock.now());
    tracker.recordStatusUpdated(pod({}));
    tracker.observedPodOnWatch(pod({}), CREATED + 1000);
    expect(metrics.histogramValue(TOTAL)!.sum).toBe(1);
  });

  test.each(['Failed', 'Succeeded'])('%s ends it', (phase) => {
    startUp();
    tracker.observedPodOnWatch(pod({ phase, containerStatuses: [running] }), CREATED + 1000);
    tracker.observedPodOnWatch(started, CREATED + 2000);
    expect(metrics.histogramValue(TOTAL)).toBeUndefined();
  });

  test('a pull that ended without having started, or has not ended, takes no time', () => {
    tracker.observedPodOnWatch(initializing, clock.now());
    tracker.recordImageFinishedPulling(uid);
    tracker.recordImageStartedPulling(uid);
    tracker.recordStatusUpdated(started);
    tracker.observedPodOnWatch(started, CREATED + 4000);
    expect(metrics.histogramValue(SLI)!.sum).toBe(4);
  });

  test('nothing, for a pod without a time of creation', () => {
    startUp();
    tracker.observedPodOnWatch({ ...started, metadata: { uid } }, CREATED + 1000);
    expect(metrics.histogramValue(TOTAL)).toBeUndefined();
  });
});
