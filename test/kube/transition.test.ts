import { expect, test } from 'vitest';
import { checkContainerStateTransition } from '../../src/kube/transition.js';
import type { ContainerStatus, PodSpec } from '../../src/kube/types.js';

const ended = (name: string, exitCode?: number): ContainerStatus => ({
  name,
  state: { terminated: { exitCode } },
});
const runs = (name: string): ContainerStatus => ({ name, state: { running: {} } });
const regular = (...containerStatuses: ContainerStatus[]) => ({ containerStatuses });
const init = (...initContainerStatuses: ContainerStatus[]) => ({ initContainerStatuses });
const spec: PodSpec = {
  restartPolicy: 'Never',
  initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }, { name: 'j' }],
};

test('a container that ended for good does not run again', () => {
  const refusal = 'terminated container a attempted illegal transition to non-terminated state';
  expect(checkContainerStateTransition(regular(ended('a', 1)), regular(runs('a')), spec)).toBe(refusal);
  expect(checkContainerStateTransition(regular(ended('a')), regular({ name: 'a' }), spec)).toBe(refusal);
  const onFailure = { restartPolicy: 'OnFailure' };
  expect(checkContainerStateTransition(regular(ended('a')), regular(runs('a')), onFailure)).toBe(refusal);
  expect(checkContainerStateTransition(regular(ended('a', 0)), regular(runs('a')), {})).toBe(refusal);
});

test('what is allowed', () => {
  const from = regular(ended('a', 1));
  expect(checkContainerStateTransition(from, regular(runs('a')), { restartPolicy: 'Always' })).toBeNull();
  expect(checkContainerStateTransition(from, regular(runs('a')), { restartPolicy: 'OnFailure' })).toBeNull();
  expect(checkContainerStateTransition(from, regular(ended('a', 2), runs('b')), spec)).toBeNull();
  expect(checkContainerStateTransition(from, {}, spec)).toBeNull();
  expect(checkContainerStateTransition(regular(runs('a')), regular({ name: 'a' }), spec)).toBeNull();
  expect(checkContainerStateTransition({}, {}, undefined)).toBeNull();
});

test('init containers, with their own words; sidecars may start again', () => {
  expect(checkContainerStateTransition(init(ended('i')), init(runs('i')), spec)).toBe(
    'terminated init container i attempted illegal transition to non-terminated state',
  );
  expect(
    checkContainerStateTransition(init(ended('i'), ended('s')), init(ended('i'), runs('s')), spec),
  ).toBeNull();
  const failed = init(ended('i', 1));
  expect(
    checkContainerStateTransition(failed, init(runs('i')), { ...spec, restartPolicy: 'OnFailure' }),
  ).toBeNull();
});

test('old init statuses that do not line up with the spec refuse every update', () => {
  const mismatch = (name: string): string => `found mismatch between pod spec and status, container: ${name}`;
  expect(checkContainerStateTransition(init(runs('s')), {}, spec)).toBe(mismatch('s'));
  const four = init(runs('i'), runs('s'), runs('j'), runs('x'));
  expect(checkContainerStateTransition(four, {}, spec)).toBe(mismatch('x'));
  expect(checkContainerStateTransition(four, {}, { ...spec, restartPolicy: 'Always' })).toBeNull();
});
