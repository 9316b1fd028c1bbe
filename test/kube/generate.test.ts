import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  generateContainersReadyCondition,
  generateContainersReadyConditionForTerminalPhase,
  generatePodInitializedCondition,
  generatePodReadyCondition,
  generatePodReadyConditionForTerminalPhase,
  generatePodReadyToStartContainersCondition,
  podScheduledCondition,
} from '../../src/kube/generate.js';
import { type PodSandboxStatus, podSandboxChanged } from '../../src/kube/sandbox.js';
import type { ContainerStatus, Pod, PodCondition, PodSpec } from '../../src/kube/types.js';
import { pod as anyPod, frozen, phase as anyPhase, runs } from './arbitrary.js';

type Short = [status: string, reason?: string, message?: string];
const short = ({ status, reason, message }: PodCondition): Short => {
  if (message !== undefined) return [status, reason, message];
  return reason === undefined ? [status] : [status, reason];
};

const spec = (...names: string[]): PodSpec => ({ containers: names.map((name) => ({ name })) });
const sidecars = (...names: string[]): PodSpec => ({
  initContainers: names.map((name) => ({ name, restartPolicy: 'Always' })),
});
const init = (...names: string[]): PodSpec => ({ initContainers: names.map((name) => ({ name })) });
const isReady = (name: string, ready = true): ContainerStatus => ({ name, ready });
const isStarted = (name: string, started: boolean | null): ContainerStatus => ({ name, started });

const NOT_READY = 'ContainersNotReady';
const unknown = 'UnknownContainerStatuses';

describe('TestGenerateContainersReadyCondition', () => {
  test.each<[string, PodSpec | null, ContainerStatus[] | null, string, Short]>([
    ['nil statuses', null, null, 'Running', ['False', unknown]],
    ['no containers', {}, [], 'Running', ['True']],
    ['no status', spec('a'), [], 'Running', ['False', NOT_READY, 'containers with unknown status: [a]']],
    ['all ready', spec('a', 'b'), [isReady('a'), isReady('b')], 'Running', ['True']],
    [
      'some unknown, some unready',
      spec('a', 'b', 'c', 'd'),
      [isReady('c', false), isReady('b'), isReady('d', false)],
      'Running',
      ['False', NOT_READY, 'containers with unknown status: [a], containers with unready status: [c d]'],
    ],
    ['succeeded', spec('a'), [isReady('a', false)], 'Succeeded', ['False', 'PodCompleted']],
    [
      'succeeded, one unknown',
      spec('a'),
      [],
      'Succeeded',
      ['False', NOT_READY, 'containers with unknown status: [a]'],
    ],
    ['failed, one unknown', spec('a'), [], 'Failed', ['False', 'PodFailed']],
    ['an init container', init('i'), [], 'Running', ['True']],
    [
      'a sidecar without status',
      sidecars('s'),
      [],
      '',
      ['False', NOT_READY, 'containers with unknown status: [s]'],
    ],
    ['a ready sidecar', sidecars('s'), [isReady('s')], 'Running', ['True']],
    [
      'an unready sidecar before an unready container',
      { ...sidecars('s'), ...spec('a') },
      [isReady('a', false), isReady('s', false)],
      'Running',
      ['False', NOT_READY, 'containers with unready status: [s a]'],
    ],
    ['two statuses of one name: the first', spec('a'), [isReady('a'), isReady('a', false)], '', ['True']],
  ])('%s', (_, podSpec, statuses, phase, want) => {
    const condition = generateContainersReadyCondition(podSpec, statuses, phase);
    expect(condition.type).toBe('ContainersReady');
    expect(short(condition)).toEqual(want);
  });
});

describe('TestGeneratePodReadyCondition', () => {
  const gates = (...types: string[]): PodSpec => ({
    readinessGates: types.map((conditionType) => ({ conditionType })),
  });
  const missing = (gate: string): string =>
    `corresponding condition of pod readiness gate "${gate}" does not exist.`;
  const not = (gate: string, status: string): string =>
    `the status of pod readiness gate "${gate}" is not "True", but ${status}`;
  const is = (type: string, status: string): PodCondition => ({ type, status });
  const GATES = 'ReadinessGatesNotReady';

  test.each<[string, PodSpec | null, PodCondition[] | null, ContainerStatus[] | null, Short]>([
    ['nil statuses', null, null, null, ['False', unknown]],
    ['no gates', {}, [], [], ['True']],
    ['no condition', gates('g1'), null, [], ['False', GATES, missing('g1')]],
    ['a false one', gates('g1'), [is('g1', 'False')], [], ['False', GATES, not('g1', 'False')]],
    ['one without status', gates('g1'), [is('g1', '')], [], ['False', GATES, not('g1', '')]],
    ['a true one', gates('g1'), [is('g1', 'True')], [], ['True']],
    [
      'two gates',
      gates('g1', 'g2', 'g3'),
      [is('g1', 'True'), is('g3', 'Unknown')],
      [],
      ['False', GATES, `${missing('g2')}, ${not('g3', 'Unknown')}`],
    ],
    ['a name to quote', gates('a"\n'), [], [], ['False', GATES, missing('a\\"\\n')]],
    [
      'containers come first',
      { ...gates('g1'), ...spec('a') },
      [is('g1', 'True')],
      [isReady('a', false)],
      ['False', NOT_READY, 'containers with unready status: [a]'],
    ],
  ])('%s', (_, podSpec, conditions, statuses, want) => {
    const condition = generatePodReadyCondition(podSpec, conditions, statuses, 'Running');
    expect(condition.type).toBe('Ready');
    expect(short(condition)).toEqual(want);
  });
});

describe('TestGeneratePodInitializedCondition', () => {
  const INCOMPLETE = 'ContainersNotInitialized';
  const running: ContainerStatus = { name: 'a', state: { running: {} } };

  test.each<[string, PodSpec, ContainerStatus[] | null, string, Short]>([
    ['nil statuses, no init containers', spec('a'), null, 'Running', ['True']],
    ['nil statuses', init('i'), null, 'Running', ['False', unknown]],
    ['no init containers', {}, [], 'Running', ['True']],
    ['no status', init('i'), [], '', ['False', INCOMPLETE, 'containers with unknown status: [i]']],
    ['all ready', init('i', 'j'), [isReady('i'), isReady('j')], '', ['True']],
    [
      'unknown and incomplete',
      init('i', 'j'),
      [isReady('j', false)],
      '',
      ['False', INCOMPLETE, 'containers with unknown status: [i], containers with incomplete status: [j]'],
    ],
    ['succeeded', init('i'), [isReady('i', false)], 'Succeeded', ['True', 'PodCompleted']],
    [
      'succeeded, one unknown',
      init('i'),
      [],
      'Succeeded',
      ['False', INCOMPLETE, 'containers with unknown status: [i]'],
    ],
    ['a sidecar that started', sidecars('s'), [isStarted('s', true)], '', ['True']],
    [
      'a sidecar that is ready, not started',
      sidecars('s'),
      [{ name: 's', ready: true, started: null }],
      '',
      ['False', INCOMPLETE, 'containers with incomplete status: [s]'],
    ],
    ['a running container proves it', { ...init('i'), ...spec('a') }, [running], '', ['True']],
    [
      'so does an ended one',
      { ...sidecars('s'), ...spec('a') },
      [isStarted('s', false), { name: 'a', state: { terminated: {} } }],
      '',
      ['True'],
    ],
    [
      'a waiting one does not, nor one the spec does not name',
      { ...init('i'), ...spec('b') },
      [running, { name: 'b', state: { waiting: {} } }],
      '',
      ['False', INCOMPLETE, 'containers with unknown status: [i]'],
    ],
  ])('%s', (_, podSpec, statuses, phase, want) => {
    const condition = generatePodInitializedCondition(podSpec, statuses, phase);
    expect(condition.type).toBe('Initialized');
    expect(short(condition)).toEqual(want);
  });
});

describe('TestGeneratePodReadyToStartContainersCondition', () => {
  const pod = (hostNetwork = false): Pod => ({ metadata: {}, spec: { hostNetwork } });
  const sandbox = (more: Partial<PodSandboxStatus> = {}): PodSandboxStatus => ({
    id: 'new',
    attempt: 3,
    state: 'SANDBOX_READY',
    ip: '10.0.0.1',
    networkNamespace: 'POD',
    ...more,
  });
  const dead = sandbox({ id: 'old', attempt: 2, state: 'SANDBOX_NOTREADY' });

  test.each<[string, Pod, PodSandboxStatus[] | null, boolean, number, string]>([
    ['no sandbox', pod(), null, true, 0, ''],
    ['an empty list', pod(), [], true, 0, ''],
    ['ready, with an address', pod(), [sandbox(), dead], false, 3, 'new'],
    ['not ready', pod(), [sandbox({ state: 'SANDBOX_NOTREADY' })], true, 4, 'new'],
    ['two ready', pod(), [sandbox(), sandbox({ id: 'old' })], true, 4, 'new'],
    ['ready, no address', pod(), [sandbox({ ip: '' })], true, 4, 'new'],
    ['ready, nothing said of the network', pod(), [sandbox({ ip: null })], false, 3, 'new'],
    ['no namespace counts as POD', pod(), [sandbox({ networkNamespace: null })], false, 3, 'new'],
    ['another network namespace', pod(), [sandbox({ networkNamespace: 'NODE' })], true, 4, ''],
    ['host network, no address', pod(true), [sandbox({ networkNamespace: 'NODE', ip: '' })], false, 3, 'new'],
    ['host network in POD', pod(true), [sandbox()], true, 4, ''],
  ])('%s', (_, thePod, sandboxStatuses, changed, attempt, sandboxID) => {
    expect(podSandboxChanged(thePod, { sandboxStatuses })).toEqual({ changed, attempt, sandboxID });
    const condition = generatePodReadyToStartContainersCondition(thePod, { sandboxStatuses });
    expect(condition.type).toBe('PodReadyToStartContainers');
    expect(short(condition)).toEqual([changed ? 'False' : 'True']);
  });

  test('a pod the runtime says nothing about', () => {
    expect(podSandboxChanged(pod(), undefined).changed).toBe(true);
  });
});

test('a pod that ended is not ready, with the reason of its phase', () => {
  for (const generate of [
    generateContainersReadyConditionForTerminalPhase,
    generatePodReadyConditionForTerminalPhase,
  ]) {
    expect(short(generate('Failed'))).toEqual(['False', 'PodFailed']);
    expect(short(generate('Succeeded'))).toEqual(['False', 'PodCompleted']);
    expect(short(generate('Running'))).toEqual(['False']);
    expect(short(generate(undefined))).toEqual(['False']);
  }
  expect(generateContainersReadyConditionForTerminalPhase('').type).toBe('ContainersReady');
  expect(generatePodReadyConditionForTerminalPhase('').type).toBe('Ready');
});

test('a pod the kubelet has is scheduled', () => {
  expect(podScheduledCondition()).toMatchObject({ type: 'PodScheduled', status: 'True' });
});

test('no pod makes a generator throw, and none is changed', () => {
  fc.assert(
    fc.property(anyPod, anyPhase, (pod, phase) => {
      const { spec: podSpec, status } = frozen(pod);
      for (const statuses of [status?.containerStatuses, status?.initContainerStatuses]) {
        const ready = generatePodReadyCondition(podSpec, status?.conditions, statuses, phase);
        const containers = generateContainersReadyCondition(podSpec, statuses, phase);
        expect(['True', 'False']).toContain(generatePodInitializedCondition(podSpec, statuses, phase).status);
        if (ready.status === 'True') expect(containers.status).toBe('True');
        if (phase === 'Failed' && statuses) expect(ready.reason).toBe('PodFailed');
      }
    }),
    runs(),
  );
});
