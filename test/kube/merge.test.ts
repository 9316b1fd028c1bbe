import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getPodCondition } from '../../src/kube/conditions.js';
import { defaultGates, upstream } from '../../src/kube/gates.js';
import { mergePodStatus } from '../../src/kube/merge.js';
import { isPodPhaseTerminal } from '../../src/kube/pod.js';
import type { PodCondition, PodStatus } from '../../src/kube/types.js';
import { frozen, podStatus, runs } from './arbitrary.js';

const gates = upstream('1.29');
const now = Date.UTC(2030, 0, 1);
const NOW = '2030-01-01T00:00:00Z';
const EARLIER = '2024-03-01T10:00:00Z';

const ready: PodCondition = { type: 'Ready', status: 'True' };
const scheduled: PodCondition = { type: 'PodScheduled', status: 'True' };
const disrupted: PodCondition = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' };
const running = (...conditions: PodCondition[]): PodStatus =>
  frozen({ phase: 'Running', message: 'Message', conditions: [ready, scheduled, ...conditions] });
const failed = (...conditions: PodCondition[]): PodStatus =>
  frozen({ ...running(...conditions), phase: 'Failed' });
const merge = (old: PodStatus, next: PodStatus, couldRun = false, by = gates) =>
  mergePodStatus(old, next, couldRun, now, by);
const typesOf = (status: PodStatus): string[] => (status.conditions ?? []).map(({ type }) => type);

describe('TestMergePodStatus', () => {
  test('no change', () => {
    const { merged, restamped } = merge(running(), running());
    expect(merged).toEqual(running());
    expect(restamped).toBeNull();
  });

  test('add DisruptionTarget condition when transitioning into failed phase', () => {
    const { merged, restamped } = merge(running(), failed(disrupted));
    const stamped = { ...disrupted, lastTransitionTime: NOW };
    expect(getPodCondition(merged, 'DisruptionTarget')?.condition).toEqual(stamped);
    expect(restamped?.conditions).toEqual([ready, scheduled, stamped]);
  });

  test("don't add it while there may be running containers, and hold the phase back", () => {
    const next = { ...failed(disrupted), reason: 'Evicted', message: 'Node pressure' };
    const { merged, restamped } = merge({ ...running(), reason: 'Old' }, next, true);
    expect(typesOf(merged)).toEqual(['Ready', 'PodScheduled']);
    expect(merged).toMatchObject({ phase: 'Running', reason: 'Old', message: 'Message' });
    expect(restamped).toBeNull();
  });

  test('preserve DisruptionTarget condition, with the gate and without', () => {
    const off = upstream('1.29', { PodDisruptionConditions: false });
    for (const by of [gates, off]) {
      expect(typesOf(merge(running(disrupted), running(), false, by).merged)).toContain('DisruptionTarget');
    }
    expect(typesOf(merge(running(), failed(disrupted), false, off).merged)).not.toContain('DisruptionTarget');
  });

  test('override DisruptionTarget condition; its time is kept if it says the same', () => {
    const old = { ...disrupted, reason: 'EvictedByEvictionAPI', lastTransitionTime: EARLIER };
    expect(merge(running(old), failed(disrupted)).merged.conditions?.[0]).toEqual({
      ...disrupted,
      lastTransitionTime: EARLIER,
    });
    const other = { ...old, status: 'False' };
    expect(merge(running(other), failed(disrupted)).merged.conditions?.[0].lastTransitionTime).toBe(NOW);
  });

  test("don't override it if the pod is still running, or was over already", () => {
    const old = { ...disrupted, reason: 'EvictedByEvictionAPI' };
    expect(merge(running(old), running(disrupted)).merged.conditions?.[0]).toEqual(old);
    expect(merge(failed(old), failed(disrupted)).merged.conditions?.[0]).toEqual(old);
  });

  test('readiness changes', () => {
    const next = { ...running(), conditions: [{ ...ready, status: 'False' }] };
    expect(merge(running(), next).merged.conditions).toEqual(next.conditions);
  });

  test("others' conditions stay as the API has them, before ours", () => {
    const old = running({ type: 'example.com/feature', status: 'True' });
    const next = running({ type: 'example.com/feature', status: 'False' }, { type: 'other', status: 'True' });
    expect(merge(old, next).merged.conditions).toEqual([old.conditions?.[2], ready, scheduled]);
  });

  test('phase is transitioning to failed and no containers running', () => {
    const { merged } = merge(running(), failed());
    expect(merged.phase).toBe('Failed');
    expect(merged.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'PodFailed', lastTransitionTime: NOW },
      { type: 'PodScheduled', status: 'True' },
      { type: 'ContainersReady', status: 'False', reason: 'PodFailed', lastTransitionTime: NOW },
    ]);
  });

  test('an ended pod that is not ready is left alone', () => {
    const next = frozen({ phase: 'Succeeded', conditions: [{ ...ready, status: 'False', message: 'm' }] });
    expect(merge(running(), next).merged.conditions).toEqual(next.conditions);
  });
});

test("resource claims are the API's", () => {
  const old = { ...running(), resourceClaimStatuses: [{ name: 'c' }] };
  expect(merge(old, { ...running(), resourceClaimStatuses: [{ name: 'd' }] }).merged).toEqual(old);
  expect(merge(running(), { ...running(), resourceClaimStatuses: [{ name: 'd' }] }).merged).toEqual(
    running(),
  );
});

test('ImmutableMerge: nothing is left behind in the cached status', () => {
  const { merged, restamped } = merge(running(), failed(disrupted), false, defaultGates);
  expect(typesOf(merged)).toContain('DisruptionTarget');
  expect(restamped).toBeNull();
});

test('whatever is merged, a terminal phase is never ready and never too early', () => {
  fc.assert(
    fc.property(podStatus, podStatus, fc.boolean(), (old, next, couldRun) => {
      const { merged } = merge(frozen(old), frozen(next), couldRun);
      if (isPodPhaseTerminal(merged.phase)) {
        expect(getPodCondition(merged, 'Ready')?.condition.status).not.toBe('True');
        if (couldRun && !isPodPhaseTerminal(old.phase)) expect.unreachable('the phase was not held back');
      }
      expect(merged.resourceClaimStatuses).toBe(old.resourceClaimStatuses);
    }),
    runs(),
  );
});
