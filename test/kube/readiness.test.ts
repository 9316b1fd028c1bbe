import { expect, test } from 'vitest';
import { defaultGates, upstream } from '../../src/kube/gates.js';
import { needToReconcilePodReadiness } from '../../src/kube/readiness.js';
import type { Pod, PodCondition, PodStatus } from '../../src/kube/types.js';

const gate: PodCondition = { type: 'g', status: 'True' };
const pod = (status: PodStatus, more: Pod['spec'] = {}): Pod => ({
  metadata: {},
  spec: { readinessGates: [{ conditionType: 'g' }], ...more },
  status,
});
const needs = (thePod: Pod, gates = upstream('1.29')): boolean => needToReconcilePodReadiness(thePod, gates);

test('only with gates, and with a Ready condition there', () => {
  expect(needs({ metadata: {} })).toBe(false);
  expect(needs(pod({ containerStatuses: [], conditions: [gate] }))).toBe(false);
  const ready = { type: 'Ready', status: 'False' };
  expect(needs({ metadata: {}, spec: {}, status: { containerStatuses: [], conditions: [ready] } })).toBe(
    false,
  );
});

test('if status or message are not the expected ones; a reason does not count', () => {
  const withReady = (ready: Partial<PodCondition>): Pod =>
    pod({ containerStatuses: [], conditions: [gate, { type: 'Ready', status: 'True', ...ready }] });
  expect(needs(withReady({}))).toBe(false);
  expect(needs(withReady({ reason: 'x' }))).toBe(false);
  expect(needs(withReady({ message: 'x' }))).toBe(true);
  expect(needs(withReady({ status: 'False' }))).toBe(true);
});

test('SidecarReadinessGates: a ready sidecar is found among the init containers', () => {
  const spec = { initContainers: [{ name: 's', restartPolicy: 'Always' }] };
  const status = {
    initContainerStatuses: [{ name: 's', ready: true }],
    containerStatuses: [],
    conditions: [gate, { type: 'Ready', status: 'True' }],
  };
  expect(needs(pod(status, spec))).toBe(true);
  expect(needs(pod(status, spec), defaultGates)).toBe(false);
  expect(needs(pod({ ...status, initContainerStatuses: [{ name: 's' }] }, spec), defaultGates)).toBe(true);
  const nothing = { conditions: [{ type: 'Ready', status: 'False' }] };
  expect(needs(pod(nothing, spec), defaultGates)).toBe(false);
});
