/** That the runner fails where it should: on a difference, and on whatever it does not know. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MalformedCase, type Stage, type Verdict } from '../kind.js';
import type { StatusCase } from './format.js';
import { statusKind } from './status-kind.js';

let stage: Stage<StatusCase>;
beforeAll(async () => {
  stage = await statusKind.open('');
});
afterAll(() => stage.close());

const run = (line: object): Promise<Verdict> => stage.run(statusKind.parse({ name: 'one', ...line }));
const sequence = (steps: object[], want: object[], gates = {}): Promise<Verdict> =>
  run({ gates, steps, want });

const pod = { metadata: { namespace: 'ns', name: 'web', uid: 'u1' }, status: {} };
const add = { op: 'podManager.addPod', pod };
const set = { op: 'setPodStatus', pod, status: { phase: 'Running' } };
const cached = {
  atSet: true,
  podIsFinished: false,
  podName: 'web',
  podNamespace: 'ns',
  status: { phase: 'Running', startTime: '$NOW' },
  version: 1,
};

test('a sequence passes if every step does', async () => {
  const want = [{ signal: false }, { signal: true, cache: { u1: cached } }];
  expect(await sequence([add, set], want)).toEqual({ is: 'passed' });
});

test('what was seen at one step must still be true at the next', async () => {
  const want = [
    { signal: true, cache: { u1: cached } },
    { signal: true, cache: { u1: null } },
  ];
  expect(await sequence([set, add], want)).toMatchObject({
    is: 'failed',
    step: 'step 1: podManager.addPod {"pod":"ns/web","uid":"u1"}\n    at cache.u1',
    expected: 'nothing',
  });
});

test.each<[string, object[], object[], string]>([
  ['an operation', [{ op: 'sing' }], [{ signal: false }], 'unknown operation sing'],
  ['an inherited name', [{ op: 'toString' }], [{ signal: false }], 'unknown operation toString'],
  [
    'an argument',
    [{ ...add, loud: true }],
    [{ signal: false }],
    'unknown argument loud of podManager.addPod',
  ],
  ['an observation', [add], [{ signal: false, smell: 1 }], 'unknown observation smell'],
])('%s that is not known fails', async (_, steps, want, message) => {
  const verdict = await sequence(steps, want);
  expect(verdict).toMatchObject({ is: 'failed', expected: 'no error' });
  expect((verdict as { got: string }).got).toContain(message);
});

test('a gate that is not known fails', async () => {
  const verdict = await sequence([add], [{ signal: false }], { Shiny: true });
  expect((verdict as { got: string }).got).toContain('unknown gate Shiny');
});

test('a function passes, fails by a difference, and fails if it is not known', async () => {
  const call = { fn: 'kubetypes.PodConditionByKubelet', args: ['Ready'], want: true };
  expect(await run(call)).toEqual({ is: 'passed' });
  expect(await run({ ...call, want: false })).toMatchObject({ is: 'failed', expected: 'false', got: 'true' });
  expect(await run({ ...call, args: ['Ready', 1] })).toMatchObject({ is: 'failed', got: 'a function of 1' });
  expect(await run({ ...call, fn: 'sing' })).toMatchObject({ is: 'failed', got: 'no such function here' });
  expect(await run({ ...call, fn: 'toString' })).toMatchObject({ is: 'failed' });
});

test.each<[string, unknown, string]>([
  ['a number', 1, 'not an object'],
  ['no name', { fn: 'f' }, 'no name'],
  ['no arguments', { name: 'x', fn: 'f', want: 1 }, 'f x: no args or want'],
  ['nothing wanted', { name: 'x', fn: 'f', args: [] }, 'f x: no args or want'],
  ['no steps', { name: 'x', want: [] }, 'x: no steps or want'],
  ['less wanted than done', { name: 'x', steps: [1], want: [] }, 'x: 1 steps, but 0 wanted outcomes'],
])('%s is no case', (_, line, message) => {
  expect(() => statusKind.parse(line)).toThrow(MalformedCase);
  expect(() => statusKind.parse(line)).toThrow(message);
});
