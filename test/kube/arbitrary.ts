/** Random pods and statuses, for properties: small names, so that they meet; every nil, empty and zero there is. */
import fc from 'fast-check';
import type { ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from '../../src/kube/types.js';
import { seed } from '../support/seed.js';

export const runs = (): { seed: number; numRuns: number } => ({ seed: seed(), numRuns: 300 });

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const nil = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constant(null), fc.constant(undefined));

const name = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.constantFrom('', 'x', 'é', '€uro', '😀😀😀');
const time = fc.constantFrom(
  null,
  '2024-03-01T10:00:00Z',
  '2024-03-01T10:00:00.5Z',
  '2024-03-01T12:00:00+02:00',
  '0001-01-01T00:00:00Z',
);
const message = fc.oneof(
  text,
  fc.tuple(text, fc.integer({ min: 2000, max: 9000 })).map(([s, n]) => s.repeat(n)),
);
const resources = fc.dictionary(
  fc.constantFrom('cpu', 'memory', '__proto__'),
  fc.constantFrom<string | number>('1', '100m', 2),
);

const state: fc.Arbitrary<ContainerState> = fc.record(
  {
    waiting: nil(fc.record({ reason: text, message: text }, { requiredKeys: [] })),
    running: nil(fc.record({ startedAt: time }, { requiredKeys: [] })),
    terminated: nil(
      fc.record(
        { exitCode: fc.constantFrom(0, 1), reason: text, message, startedAt: time, finishedAt: time },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

const containerStatus: fc.Arbitrary<ContainerStatus> = fc.record(
  {
    name,
    state: maybe(state),
    lastState: maybe(state),
    ready: fc.boolean(),
    restartCount: fc.nat(3),
    image: text,
    containerID: fc.constantFrom('', 'x://1', 'x://2'),
    started: nil(fc.boolean()),
    allocatedResources: nil(resources),
    resources: nil(fc.record({ requests: nil(resources), limits: nil(resources) }, { requiredKeys: [] })),
    notKnown: fc.jsonValue(),
  },
  { requiredKeys: ['name'] },
);

const condition: fc.Arbitrary<PodCondition> = fc.record(
  {
    type: fc.constantFrom('Ready', 'ContainersReady', 'Initialized', 'DisruptionTarget', 'example.com/gate'),
    status: fc.constantFrom('True', 'False', 'Unknown', ''),
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: text,
    message: text,
    notKnown: fc.jsonValue(),
  },
  { requiredKeys: ['type', 'status'] },
);

const statuses = nil(fc.array(containerStatus, { maxLength: 4 }));
export const phase = fc.constantFrom('', 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown');

export const podStatus: fc.Arbitrary<PodStatus> = fc.record(
  {
    phase,
    conditions: nil(fc.array(condition, { maxLength: 5 })),
    message: text,
    podIP: text,
    podIPs: nil(fc.array(fc.record({ ip: text }, { requiredKeys: [] }), { maxLength: 2 })),
    startTime: time,
    initContainerStatuses: statuses,
    containerStatuses: statuses,
    ephemeralContainerStatuses: statuses,
    resourceClaimStatuses: nil(
      fc.array(fc.record({ name, resourceClaimName: nil(text) }, { requiredKeys: ['name'] }), {
        maxLength: 2,
      }),
    ),
    notKnown: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const container = fc.record({ name, restartPolicy: nil(fc.constant('Always')) }, { requiredKeys: ['name'] });
const containers = nil(fc.array(container, { maxLength: 4 }));

export const pod: fc.Arbitrary<Pod> = fc.record({
  metadata: fc.record({ name, namespace: name }),
  spec: fc.record(
    {
      containers,
      initContainers: containers,
      ephemeralContainers: containers,
      restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
      readinessGates: nil(fc.array(fc.record({ conditionType: fc.string() }), { maxLength: 2 })),
      hostNetwork: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  status: podStatus,
});

/** Deeply frozen: whoever writes to it, throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
