// What holds for every patch, whatever is in it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePodStatus } from '../../src/kube/encode.js';
import type { JsonObject } from '../../src/kube/json.js';
import { jsonMergePatch } from '../../src/kube/json-merge-patch.js';
import { jsonPatch } from '../../src/kube/json-patch.js';
import { PatchError } from '../../src/kube/patch-error.js';
import { podSchema } from '../../src/kube/schema.js';
import { preparePatchBytesForPodStatus } from '../../src/kube/status-patch.js';
import { createTwoWayMergePatch, strategicMergePatch } from '../../src/kube/strategic-merge-patch.js';
import type { PodStatus } from '../../src/kube/types.js';
import { seed } from '../support/seed.js';
import { widgetSchema } from './widget-schema.js';

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { seed: seed(), numRuns: 500 });

/** All members may be absent, but for the given ones. */
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }, ...required: (keyof T)[]) =>
  fc.record<T, keyof T>(members, { requiredKeys: required });
const by = <T>(element: fc.Arbitrary<T>, key: keyof T): fc.Arbitrary<T[]> =>
  fc.uniqueArray(element, { selector: (value) => value[key], maxLength: 6 });

const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', '<&>', '\udc80'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const time = fc.constantFrom(
  null,
  '2024-03-01T10:00:00Z',
  '2024-03-01T10:00:00.5Z',
  '2024-03-01T12:00:00+02:00',
);
const name = fc.constantFrom('a', 'b', 'c', 'd', '\uffee', '\u{1f600}', '__proto__', 'constructor');

const containerState = some({
  waiting: some({ reason: text, message: text }),
  running: some({ startedAt: time }),
  terminated: some({ exitCode: fc.nat(2), signal: fc.nat(1), reason: text, finishedAt: time }),
});
const containerStatuses = fc.option(
  fc.array(
    some(
      {
        name,
        state: containerState,
        lastState: containerState,
        ready: fc.boolean(),
        restartCount: fc.nat(2),
        containerID: text,
        started: fc.option(fc.boolean()),
        allocatedResources: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2Gi')),
      },
      'name',
    ),
    { maxLength: 3 },
  ),
);
const addresses = by(fc.record({ ip: name }), 'ip');
const podStatus: fc.Arbitrary<PodStatus> = some({
  phase: text,
  message: text,
  startTime: time,
  podIPs: addresses,
  hostIPs: fc.option(addresses),
  conditions: fc.option(
    by(
      some(
        { type: name, status: text, lastProbeTime: time, lastTransitionTime: time, reason: text },
        'type',
        'status',
      ),
      'type',
    ),
  ),
  initContainerStatuses: containerStatuses,
  containerStatuses,
  resourceClaimStatuses: fc.option(by(some({ name, resourceClaimName: fc.option(text) }, 'name'), 'name')),
});

const { widget } = fc.letrec<{ widget: JsonObject; part: JsonObject }>((tie) => {
  const parts = by(tie('part'), 'name');
  const labels = fc.dictionary(name, text, { maxKeys: 3 });
  return {
    part: some(
      { name, size: text, color: text, labels, parts: fc.option(parts, { depthSize: 'small', nil: [] }) },
      'name',
    ),
    widget: some({
      name: text,
      labels,
      parts,
      kept: parts,
      ports: by(some({ port: fc.nat(20), name: text }, 'port'), 'port'),
      steps: fc.array(tie('part'), { maxLength: 2 }),
      later: fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('null')),
    }),
  };
});

/** JSON in which members of a Widget and directives are likely, and right types are not. */
const { garbage } = fc.letrec<{ garbage: unknown }>((tie) => {
  const key = fc.constantFrom(
    ...[
      'name',
      'labels',
      'tags',
      'parts',
      'kept',
      'ports',
      'steps',
      'inner',
      'size',
      'port',
      '__proto__',
      'toString',
    ],
    ...[
      '$patch',
      '$retainKeys',
      '$setElementOrder/parts',
      '$setElementOrder/tags',
      '$deleteFromPrimitiveList/tags',
    ],
    ...['$setElementOrder', '$deleteFromPrimitiveList', '$setElementOrder/steps'],
  );
  const scalar = fc.constantFrom<unknown[]>(null, 0, 1.5, true, '', 'a', 'delete', 'replace', 'merge');
  return {
    garbage: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      scalar,
      fc.dictionary(key, tie('garbage'), { maxKeys: 5 }),
      fc.array(tie('garbage'), { maxLength: 4 }),
    ),
  };
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

test('a status’ patch, applied, gives the new status', () => {
  check(fc.tuple(podStatus, podStatus), ([from, to]) => {
    const { bytes, patch } = preparePatchBytesForPodStatus('ns', 'n', 'u', frozen(from), frozen(to));
    const applied = strategicMergePatch(
      frozen({ metadata: { uid: 'u' }, status: encodePodStatus(from) as JsonObject }),
      frozen(JSON.parse(bytes)),
      podSchema,
    );
    expect(encodePodStatus(applied.status as PodStatus)).toEqual(encodePodStatus(to));
    expect(JSON.parse(bytes)).toEqual(patch);
  });
});

test('between a status and itself there is nothing', () => {
  check(podStatus, (status) => {
    expect(preparePatchBytesForPodStatus('ns', 'n', 'u', status, structuredClone(status)).unchanged).toBe(
      true,
    );
  });
});

test('so it is for any type', () => {
  check(fc.tuple(widget, widget), ([from, to]) => {
    const patch = frozen(createTwoWayMergePatch(frozen(from), frozen(to), widgetSchema));
    expect(strategicMergePatch(from, patch, widgetSchema)).toEqual(to);
    expect(createTwoWayMergePatch(to, structuredClone(to), widgetSchema)).toEqual({});
  });
});

test('garbage is merged or refused, and changes nothing', () => {
  const objects = garbage.filter((value): value is JsonObject => typeof value === 'object' && value !== null);
  const refusedAtMost = (run: () => unknown): void => {
    try {
      frozen(run());
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
    }
  };
  check(fc.tuple(objects, fc.oneof(widget, objects)), ([patch, original]) => {
    frozen(patch);
    frozen(original);
    refusedAtMost(() => strategicMergePatch(original, patch, widgetSchema));
    refusedAtMost(() => createTwoWayMergePatch(original, patch, widgetSchema));
    refusedAtMost(() => jsonMergePatch(original, patch));
    refusedAtMost(() => jsonPatch(original, [{ op: 'add', path: '/parts/0', value: patch }]));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
