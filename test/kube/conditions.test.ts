import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  getPodCondition,
  getPodConditionFromList,
  podConditionByKubelet,
  podConditionSharedByKubelet,
  replaceOrAppendPodCondition,
  updateLastTransitionTime,
  updateLastTransitionTimes,
  updatePodCondition,
} from '../../src/kube/conditions.js';
import { upstream } from '../../src/kube/gates.js';
import { secondsOf } from '../../src/kube/time.js';
import type { PodCondition, PodStatus } from '../../src/kube/types.js';
import { frozen, podStatus, runs } from './arbitrary.js';

const gates = upstream('1.29');
const now = Date.UTC(2030, 0, 1);
const NOW = '2030-01-01T00:00:00Z';
const EARLIER = '2024-03-01T10:00:00Z';

const ready = (status: string, more: Partial<PodCondition> = {}): PodCondition => ({
  type: 'Ready',
  status,
  ...more,
});
const withConditions = (...conditions: PodCondition[]): PodStatus => frozen({ phase: 'Running', conditions });

describe('getPodCondition', () => {
  test('finds the first of its type', () => {
    const status = withConditions(ready('a'), { type: 'x', status: '1' }, { type: 'x', status: '2' });
    expect(getPodCondition(status, 'x')).toEqual({ index: 1, condition: { type: 'x', status: '1' } });
  });

  test('finds nothing in nothing', () => {
    for (const status of [undefined, null, {}, { conditions: null }, { conditions: [] }]) {
      expect(getPodCondition(status, 'x')).toBeUndefined();
    }
    expect(getPodConditionFromList(undefined, 'x')).toBeUndefined();
  });
});

describe('TestReplaceOrAppendPodCondition', () => {
  const list = frozen([ready('True'), { type: 'x', status: '1' }, ready('Unknown')]);

  test('should replace the first of the type', () => {
    expect(replaceOrAppendPodCondition(list, ready('False'))).toEqual([ready('False'), list[1], list[2]]);
  });

  test('should append if there is none', () => {
    const added = { type: 'y', status: '2' };
    expect(replaceOrAppendPodCondition(list, added)).toEqual([...list, added]);
    expect(replaceOrAppendPodCondition(null, added)).toEqual([added]);
  });
});

describe('updatePodCondition', () => {
  test('a new condition is a change, from now on', () => {
    const { changed, status, condition } = updatePodCondition(withConditions(), ready('True'), now);
    expect(changed).toBe(true);
    expect(condition.lastTransitionTime).toBe(NOW);
    expect(status).toEqual({ phase: 'Running', conditions: [condition] });
  });

  test('the time is kept while the status is', () => {
    const old = withConditions(ready('True', { lastTransitionTime: EARLIER }));
    const { changed, condition } = updatePodCondition(old, ready('True', { reason: 'New' }), now);
    expect(changed).toBe(true);
    expect(condition).toEqual(ready('True', { reason: 'New', lastTransitionTime: EARLIER }));
  });

  test('a flip is stamped', () => {
    const old = withConditions(ready('True', { lastTransitionTime: EARLIER }));
    expect(updatePodCondition(old, ready('False'), now).condition.lastTransitionTime).toBe(NOW);
  });

  test.each([
    ['nothing', {}, false],
    ['an empty reason', { reason: '' }, false],
    ['the transition time', { lastTransitionTime: NOW }, false],
    ['the same probe time elsewhere', { lastProbeTime: '2024-03-01T12:00:00+02:00' }, false],
    ['a reason', { reason: 'r' }, true],
    ['a message', { message: 'm' }, true],
    ['another probe time', { lastProbeTime: null }, true],
  ])('changed by %s', (_, change, changed) => {
    const condition = ready('True', { lastProbeTime: EARLIER, lastTransitionTime: EARLIER });
    expect(updatePodCondition(withConditions(condition), { ...condition, ...change }, now).changed).toBe(
      changed,
    );
  });
});

describe('TestUpdateLastTransitionTime', () => {
  const update = (status: PodStatus, old: PodStatus): PodStatus =>
    updateLastTransitionTime(status, old, 'Ready', now);

  test('should do nothing if no corresponding condition', () => {
    const status = withConditions({ type: 'x', status: 'True' });
    expect(update(status, withConditions(ready('True', { lastTransitionTime: EARLIER })))).toBe(status);
    expect(update(frozen({}), frozen({}))).toEqual({});
  });

  test('should update last transition time if no old condition', () => {
    expect(update(withConditions(ready('True')), {}).conditions).toEqual([
      ready('True', { lastTransitionTime: NOW }),
    ]);
  });

  test('should update last transition time if condition is changed', () => {
    const old = withConditions(ready('False', { lastTransitionTime: EARLIER }));
    expect(update(withConditions(ready('True')), old).conditions?.[0].lastTransitionTime).toBe(NOW);
  });

  test('should keep last transition time if condition is not changed', () => {
    const old = withConditions(ready('True', { lastTransitionTime: EARLIER, reason: 'other' }));
    expect(update(withConditions(ready('True')), old).conditions?.[0].lastTransitionTime).toBe(EARLIER);
  });

  test('only the first of a type is looked at, and an old time is cut to seconds', () => {
    const old = withConditions(ready('True', { lastTransitionTime: '2024-03-01T12:00:00.5+02:00' }));
    const { conditions } = update(withConditions(ready('True'), ready('False')), old);
    expect(conditions).toEqual([ready('True', { lastTransitionTime: EARLIER }), ready('False')]);
  });
});

test('updateLastTransitionTimes is updateLastTransitionTime for the six types, one after the other', () => {
  const types = ['ContainersReady', 'Ready', 'Initialized', 'PodReadyToStartContainers', 'PodScheduled'];
  fc.assert(
    fc.property(podStatus, podStatus, fc.boolean(), (status, old, PodDisruptionConditions) => {
      const all = PodDisruptionConditions ? [...types, 'DisruptionTarget'] : types;
      const oneByOne = all.reduce((one, type) => updateLastTransitionTime(one, old, type, now), status);
      const some = { ...gates, PodDisruptionConditions };
      const result = updateLastTransitionTimes(frozen(status), frozen(old), now, some);
      expect(result).toEqual(oneByOne);
      for (const { type, lastTransitionTime } of result.conditions ?? []) {
        const first = getPodCondition(result, type)?.condition;
        if (all.includes(type) && first?.lastTransitionTime === lastTransitionTime) {
          expect(secondsOf(first?.lastTransitionTime)).toBe(lastTransitionTime);
        }
      }
    }),
    runs(),
  );
});

test('TestPodConditionByKubelet: five types, one by its gate', () => {
  for (const type of [
    'PodScheduled',
    'Ready',
    'Initialized',
    'ContainersReady',
    'PodReadyToStartContainers',
  ]) {
    expect(podConditionByKubelet(type, gates)).toBe(true);
  }
  for (const type of ['', 'ready', 'abcd', 'DisruptionTarget', 'PodReasonUnschedulable']) {
    expect(podConditionByKubelet(type, gates)).toBe(false);
  }
  const off = upstream('1.29', { PodReadyToStartContainersCondition: false });
  expect(podConditionByKubelet('PodReadyToStartContainers', off)).toBe(false);
});

test('TestPodConditionSharedByKubelet: one type, by its gate', () => {
  expect(podConditionSharedByKubelet('DisruptionTarget', gates)).toBe(true);
  expect(podConditionSharedByKubelet('Ready', gates)).toBe(false);
  const off = upstream('1.29', { PodDisruptionConditions: false });
  expect(podConditionSharedByKubelet('DisruptionTarget', off)).toBe(false);
});
