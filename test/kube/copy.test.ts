import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyPodStatus } from '../../src/kube/copy.js';
import { podStatusesEqual } from '../../src/kube/equal.js';
import { KubeError } from '../../src/kube/errors.js';
import type { PodStatus } from '../../src/kube/types.js';
import { frozen, podStatus, runs } from './arbitrary.js';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Every object in it, however deep. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value === 'object' && value !== null && !found.has(value)) {
    found.add(value);
    for (const inner of Object.values(value) as unknown[]) objectsIn(inner, found);
  }
  return found;
}

test('a copy has the same JSON, is equal and shares nothing', () => {
  fc.assert(
    fc.property(podStatus, (status) => {
      const copy = copyPodStatus(frozen(status));
      expect(json(copy)).toEqual(json(status));
      expect(podStatusesEqual(copy, status)).toBe(true);
      const theirs = objectsIn(status);
      for (const object of objectsIn(copy)) expect(theirs.has(object)).toBe(false);
    }),
    runs(),
  );
});

test('all copies have the same fields in the same order', () => {
  const condition = { message: 'm', type: 'Ready' };
  const copies = [{}, { resize: '', phase: 'Running', conditions: [condition] }].map(copyPodStatus);
  expect(Object.keys(copies[0])).toEqual(Object.keys(copies[1]));
  expect(Object.keys(copies[1].conditions?.[0] ?? {})).toEqual(
    Object.keys(copyPodStatus({ conditions: [{}] }).conditions?.[0] ?? {}),
  );
});

test('nil and empty lists stay what they are', () => {
  const copy = copyPodStatus({ conditions: null, containerStatuses: [], podIPs: undefined });
  expect(copy.conditions).toBeNull();
  expect(copy.containerStatuses).toEqual([]);
  expect(copy.podIPs).toBeUndefined();
  expect(copyPodStatus({ resourceClaimStatuses: null }).resourceClaimStatuses).toBeNull();
});

test('null is the zero value, as to Go', () => {
  const copy = copyPodStatus({
    phase: null,
    conditions: [null, { type: null, reason: null }],
    containerStatuses: [null, { name: 'a', state: null, ready: null, restartCount: null, started: null }],
    podIPs: [null],
    resourceClaimStatuses: [null],
  });
  expect(json(copy)).toEqual({
    conditions: [
      { type: '', status: '' },
      { type: '', status: '' },
    ],
    containerStatuses: [{ name: '' }, { name: 'a', started: null }],
    podIPs: [{}],
    resourceClaimStatuses: [{ name: '' }],
  });
});

test('a hole in a list is a null', () => {
  const conditions: unknown[] = [];
  conditions[1] = { type: 'a' };
  expect(json(copyPodStatus({ conditions, more: [conditions] }))).toEqual({
    conditions: [
      { type: '', status: '' },
      { type: 'a', status: '' },
    ],
    more: [[null, { type: 'a' }]],
  });
});

test('unknown fields are kept at every level', () => {
  const more = { deep: [1, { x: null, y: ['é', true, -0.5] }] };
  const status = {
    more,
    conditions: [{ type: 'a', status: 'b', more }],
    hostIPs: [{ ip: '1', more }],
    podIPs: [{ ip: '1', more }],
    resourceClaimStatuses: [{ name: 'c', more }],
    containerStatuses: [
      {
        name: 'a',
        more,
        state: { more, waiting: { more }, running: { more }, terminated: { more } },
        resources: { more, claims: [{ name: 'c', request: 'r' }], limits: { cpu: 1 } },
      },
    ],
  };
  const copy = copyPodStatus(frozen(status));
  expect(json(copy)).toEqual(status);
  expect((copy as typeof status).more).not.toBe(more);
});

test('an own __proto__ is a field like any other', () => {
  const status = JSON.parse(
    `{"__proto__": {"phase": "Failed"}, "more": {"__proto__": [1]}, "containerStatuses":
      [{"name": "a", "__proto__": {"ready": true}, "allocatedResources": {"__proto__": "1", "cpu": "2"}}]}`,
  ) as PodStatus;
  const copy = copyPodStatus(status);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(copy.phase).toBeUndefined();
  expect(copy.containerStatuses?.[0].ready).toBeUndefined();
  expect(json(copy)).toEqual(json(status));
  expect(JSON.stringify(copy)).toContain('"__proto__":{"phase":"Failed"}');
  expect(({} as PodStatus).phase).toBeUndefined();
});

describe('what Go would not decode is refused by its path', () => {
  const container = (more: object): unknown => ({
    containerStatuses: [{ name: 'a' }, { name: 'b', ...more }],
  });
  const loop: unknown[] = [];
  loop.push({ loop });
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { d: deep(levels - 1) });

  test.each<[unknown, RegExp]>([
    [undefined, /^pod status must be an object, got undefined/],
    [null, /^pod status must be an object, got null/],
    ['Running', /^pod status must be an object, got "Running"/],
    [[], /^pod status must be an object, got a list of 0/],
    [() => 1, /^pod status must be an object, got function/],
    [{ phase: 1 }, /^pod status: phase must be a string, got number 1/],
    [{ startTime: 'now' }, /^pod status: startTime must be an RFC 3339 time or null, got "now"/],
    [{ startTime: new Date(0) }, /^pod status: startTime must be .* got \[object Date\]/],
    [{ conditions: {} }, /^pod status: conditions must be a list, got \[object Object\]/],
    [{ conditions: 'Ready' }, /conditions must be a list/],
    [{ conditions: ['Ready'] }, /conditions\[0\] must be an object, got "Ready"/],
    [{ conditions: [{}, { status: true }] }, /conditions\[1\]\.status must be a string, got boolean true/],
    [{ conditions: [{ lastProbeTime: 5 }] }, /conditions\[0\]\.lastProbeTime must be an RFC 3339 time/],
    [{ podIPs: ['10.0.0.1'] }, /podIPs\[0\] must be an object/],
    [{ hostIPs: [{ ip: 10 }] }, /hostIPs\[0\]\.ip must be a string/],
    [{ resourceClaimStatuses: [1] }, /resourceClaimStatuses\[0\] must be an object/],
    [{ resourceClaimStatuses: [{ name: 1 }] }, /resourceClaimStatuses\[0\]\.name must be a string/],
    [{ ephemeralContainerStatuses: 1 }, /ephemeralContainerStatuses must be a list/],
    [{ initContainerStatuses: [[]] }, /initContainerStatuses\[0\] must be an object, got a list of 0/],
    [container({ ready: 'yes' }), /containerStatuses\[1\]\.ready must be true or false, got "yes"/],
    [container({ started: 0 }), /containerStatuses\[1\]\.started must be true or false/],
    [container({ restartCount: 1.5 }), /restartCount must be a 32-bit integer, got number 1\.5/],
    [container({ restartCount: 2 ** 31 }), /restartCount must be a 32-bit integer/],
    [container({ restartCount: NaN }), /restartCount must be a 32-bit integer/],
    [container({ restartCount: 1n }), /restartCount must be a 32-bit integer, got bigint 1/],
    [container({ state: 'running' }), /containerStatuses\[1\]\.state must be an object, got "running"/],
    [
      container({ lastState: { running: 1 } }),
      /containerStatuses\[1\]\.lastState\.running must be an object/,
    ],
    [container({ state: { waiting: [] } }), /containerStatuses\[1\]\.state\.waiting must be an object/],
    [container({ state: { waiting: { reason: 1 } } }), /state\.waiting\.reason must be a string/],
    [container({ state: { running: { startedAt: '' } } }), /state\.running\.startedAt must be an RFC 3339/],
    [container({ state: { terminated: 'x' } }), /state\.terminated must be an object/],
    [container({ state: { terminated: { message: {} } } }), /state\.terminated\.message must be a string/],
    [container({ state: { terminated: { exitCode: '1' } } }), /state\.terminated\.exitCode must be a 32-bit/],
    [container({ allocatedResources: [] }), /containerStatuses\[1\]\.allocatedResources must be an object/],
    [
      container({ allocatedResources: { cpu: null } }),
      /allocatedResources\.cpu must be a quantity, got null/,
    ],
    [container({ resources: 'none' }), /containerStatuses\[1\]\.resources must be an object/],
    [container({ resources: { limits: { cpu: {} } } }), /resources\.limits\.cpu must be a quantity/],
    [container({ resources: { claims: {} } }), /resources\.claims must be a list/],
    [container({ resources: { claims: ['c'] } }), /resources\.claims\[0\] must be an object, got "c"/],
    [container({ resources: { claims: [{ name: 1 }] } }), /resources\.claims\[0\]\.name must be a string/],
    [{ more: () => 1 }, /^pod status: more is not JSON: function/],
    [{ more: [{ x: Symbol('s') }] }, /more\[0\]\.x is not JSON: symbol Symbol\(s\)/],
    [{ more: 1n }, /more is not JSON: bigint 1/],
    [{ more: NaN }, /more is not JSON: number NaN/],
    [{ more: new Map() }, /more is not JSON: \[object Map\]/],
    [{ more: loop }, /more\[0\]\.loop contains itself/],
    [{ more: deep(65) }, /more(\.d){64} is more than 64 levels deep/],
    [container({ more: { x: loop } }), /containerStatuses\[1\]\.more\.x\[0\]\.loop contains itself/],
  ])('%#', (status, message) => {
    const attempt = (): unknown => copyPodStatus(status);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(KubeError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'ERR_BAD_STATUS' }) as Error);
  });

  test('an endless list is not walked', () => {
    const endless = new Array<unknown>(4e9);
    expect(() => copyPodStatus({ conditions: endless })).toThrow(
      'conditions has 4000000000 elements; the most is 10000',
    );
    expect(() => copyPodStatus({ more: [endless] })).toThrow('more[0] has 4000000000 elements');
  });

  test('64 levels are not too deep', () => {
    expect(json(copyPodStatus({ more: deep(64) }))).toEqual({ more: deep(64) });
  });

  test('a small input that stands for a huge one is refused', () => {
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value, b: value };
    expect(() => copyPodStatus({ more: value })).toThrow(/more[.ab]+ is one of more than 100000 values/);
  });

  test('an object may occur twice, as long as it does not contain itself', () => {
    const twice = { x: [1] };
    const copy = copyPodStatus({ more: [twice, twice] }) as { more: object[] };
    expect(copy.more).toEqual([twice, twice]);
    expect(copy.more[0]).not.toBe(copy.more[1]);
  });

  test('no JSON at all makes it throw anything else', () => {
    const field = fc.constantFrom(
      'phase',
      'conditions',
      'containerStatuses',
      'podIPs',
      'startTime',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (status) => {
        try {
          copyPodStatus(status);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_BAD_STATUS' });
        }
      }),
      runs(),
    );
  });
});
