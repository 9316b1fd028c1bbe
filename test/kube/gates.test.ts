import { expect, test } from 'vitest';
import { type Gates, defaultGates, upstream, withGates } from '../../src/kube/gates.js';

test("the defaults are Kubernetes v1.29's, and all of ours", () => {
  const { InPlacePodVerticalScaling, ...others } = defaultGates;
  expect(InPlacePodVerticalScaling).toBe(false);
  expect(Object.values(others)).not.toContain(false);
});

test('upstream has none of ours, unless asked for', () => {
  const gates = upstream('1.29', { PatchFirst: true, PodDisruptionConditions: false });
  const on = Object.entries(gates).flatMap(([name, value]) => (value ? [name] : []));
  expect(on.sort()).toEqual(['PatchFirst', 'PodReadyToStartContainersCondition']);
});

test('another version is an error', () => {
  expect(() => upstream('1.30' as '1.29')).toThrow(RangeError);
});

test('gates are never changed in place', () => {
  const gates = withGates(defaultGates, { PatchFirst: false });
  expect(gates.PatchFirst).toBe(false);
  expect(defaultGates.PatchFirst).toBe(true);
  expect(Object.isFrozen(gates) && Object.isFrozen(defaultGates)).toBe(true);
});

test.each([
  ['a name that is no gate', { PatchFrist: true }, /unknown gate PatchFrist; known: .*PatchFirst/],
  ['a name every object has', { toString: true }, /unknown gate toString/],
  ['text', { PatchFirst: 'true' }, /PatchFirst must be true or false, got true/],
  ['undefined', { PatchFirst: undefined }, /PatchFirst must be true or false, got undefined/],
])('%s is an error', (_, overrides, message) => {
  expect(() => withGates(defaultGates, overrides as Partial<Gates>)).toThrow(message);
  expect(() => upstream('1.29', overrides as Partial<Gates>)).toThrow(RangeError);
});
