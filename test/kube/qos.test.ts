import { expect, test } from 'vitest';
import { computePodQOS } from '../../src/kube/qos.js';
import type { Container, ResourceRequirements } from '../../src/kube/types.js';

const container = (resources?: ResourceRequirements): Container => ({
  name: 'c',
  ...(resources === undefined ? {} : { resources }),
});
const full = { cpu: '100m', memory: '64Mi' };
const same = { cpu: '0.1', memory: '65536Ki' };

test.each<[string, Container[], Container[], string]>([
  ['nothing', [container()], [], 'BestEffort'],
  ['zeros', [container({ requests: { cpu: '0' }, limits: { memory: 0 } })], [], 'BestEffort'],
  ['other resources only', [container({ limits: { 'example.com/gpu': 1 } })], [], 'BestEffort'],
  ['all limits asked for', [container({ requests: full, limits: full })], [], 'Guaranteed'],
  ['the same in other words', [container({ requests: same, limits: full })], [], 'Guaranteed'],
  ['a request', [container({ requests: { cpu: '1' } })], [], 'Burstable'],
  ['a limit missing', [container({ requests: full, limits: { cpu: '100m' } })], [], 'Burstable'],
  ['less than the limit', [container({ requests: { ...full, cpu: '50m' }, limits: full })], [], 'Burstable'],
  ['one container without', [container({ requests: full, limits: full }), container()], [], 'Burstable'],
  ['an init container without', [container({ requests: full, limits: full })], [container()], 'Burstable'],
])('%s', (_, containers, initContainers, expected) => {
  expect(computePodQOS({ metadata: {}, spec: { containers, initContainers } })).toBe(expected);
});
