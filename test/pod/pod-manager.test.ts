import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MirrorPodUID, Pod, PodUID } from '../../src/kube/types.js';
import { BasicPodManager, isMirrorPodOf } from '../../src/pod/pod-manager.js';
import { seed } from '../support/seed.js';

const SOURCE = 'kubernetes.io/config.source';
const MIRROR = 'kubernetes.io/config.mirror';
const HASH = 'kubernetes.io/config.hash';

const pod = (uid: string, name: string, annotations?: Record<string, string>): Pod => ({
  metadata: { uid, name, namespace: 'ns', ...(annotations && { annotations }) },
});
const fileStatic = (uid: string, name: string): Pod => pod(uid, name, { [SOURCE]: 'file', [HASH]: 'h1' });
const mirror = (uid: string, name: string): Pod => pod(uid, name, { [SOURCE]: 'api', [MIRROR]: 'h1' });

const uid = (text: string): PodUID => text as PodUID;
const mirrorUID = (text: string): MirrorPodUID => text as MirrorPodUID;

function managerOf(...pods: Pod[]): BasicPodManager {
  const manager = new BasicPodManager();
  for (const one of pods) manager.addPod(one);
  return manager;
}

test('TestGetSetPods: what was set comes back, mirrors apart from pods', () => {
  const shown = mirror('m1', 'shown');
  const orphan = mirror('m2', 'orphan');
  const own = fileStatic('s1', 'shown');
  const normal = [pod('u1', 'first'), pod('u2', 'second', { [SOURCE]: 'api' })];
  const manager = managerOf(pod('old', 'old'), fileStatic('s0', 'gone'), mirror('m0', 'gone'));
  manager.setPods([shown, orphan, own, ...normal]);

  expect(manager.getPods()).toEqual([own, ...normal]);
  expect(manager.getPodsAndMirrorPods()).toEqual({
    pods: [own, ...normal],
    mirrorPods: [shown, orphan],
    orphanedMirrorPodNames: ['orphan_ns'],
  });
  expect(manager.getPodByUID(uid('u1'))).toBe(normal[0]);
  expect(manager.getPodByUID(uid('m1'))).toBeUndefined();
  expect(manager.getPodByUID(uid('old'))).toBeUndefined();
  expect(manager.getPodByFullName('second_ns')).toBe(normal[1]);
  expect(manager.getPodByName('ns', 'shown')).toBe(own);
  expect(manager.getPodByName('other', 'shown')).toBeUndefined();
  expect(manager.getMirrorPodByPod(own)).toBe(shown);
  expect(manager.getPodByMirrorPod(shown)).toBe(own);
  expect(manager.getPodByMirrorPod(orphan)).toBeUndefined();
  expect(manager.getPodAndMirrorPod(shown)).toEqual({ pod: own, mirrorPod: shown, wasMirror: true });
  expect(manager.getPodAndMirrorPod(own)).toEqual({ pod: own, mirrorPod: shown, wasMirror: false });
  expect(manager.translatePodUID('m1')).toBe('s1');
  expect(manager.translatePodUID('m0')).toBe('m0');
  expect(manager.translatePodUID('u1')).toBe('u1');
});

test('TestRemovePods: what was removed is gone, a mirror with its translation', () => {
  const shown = mirror('m1', 'shown');
  const own = fileStatic('s1', 'shown');
  const manager = managerOf(shown, own, pod('u1', 'first'));
  manager.removePod(pod('u1', 'first'));
  expect(manager.getPods()).toEqual([own]);
  expect(manager.getPodByName('ns', 'first')).toBeUndefined();
  manager.removePod({ metadata: shown.metadata });
  expect(manager.getPodsAndMirrorPods()).toEqual({
    pods: [own],
    mirrorPods: [],
    orphanedMirrorPodNames: [],
  });
  expect(manager.translatePodUID('m1')).toBe('m1');
  expect(manager.hasTranslation(mirrorUID('m1'))).toBe(false);
  expect(manager.getMirrorUID(uid('s1'))).toBe('');
});

describe('translations', () => {
  test('a static pod without a mirror stands with the empty UID, a normal pod not at all', () => {
    const manager = managerOf(fileStatic('s1', 'a'), pod('u1', 'b'), pod('u2', 'c', { [SOURCE]: 'api' }));
    expect(manager.getUIDTranslations()).toEqual({
      podToMirror: new Map([['s1', '']]),
      mirrorToPod: new Map(),
    });
    expect(manager.getMirrorUID(uid('s1'))).toBe('');
    expect(manager.getMirrorUID(uid('u1'))).toBeUndefined();
    expect(manager.getMirrorUID(uid('u2'))).toBeUndefined();
  });

  test('a mirror of the same full name translates to a pod that is not static, too', () => {
    const manager = managerOf(pod('u1', 'a'), mirror('m1', 'a'));
    expect(manager.getMirrorUID(uid('u1'))).toBe('m1');
    expect(manager.translatePodUID('m1')).toBe('u1');
  });

  test('the empty UID translates to itself', () => {
    const manager = managerOf(fileStatic('s1', 'a'), mirror('', 'a'));
    expect(manager.translatePodUID('')).toBe('');
    expect(manager.getMirrorUID(uid('s1'))).toBe('');
  });

  test('a pod that goes leaves its translation behind', () => {
    const manager = managerOf(fileStatic('s1', 'a'), mirror('m1', 'a'));
    manager.removePod(fileStatic('s1', 'a'));
    expect(manager.translatePodUID('m1')).toBe('s1');
    expect(manager.getMirrorUID(uid('s1'))).toBe('m1');
    expect(manager.hasTranslation(mirrorUID('m1'))).toBe(true);
  });

  test('a mirror goes over to the pod that took the name', () => {
    const manager = managerOf(fileStatic('s1', 'a'), mirror('m1', 'a'), fileStatic('s2', 'a'));
    expect(manager.getMirrorUID(uid('s1'))).toBe('');
    expect(manager.getMirrorUID(uid('s2'))).toBe('m1');
  });

  test('of several mirrors the one written last counts', () => {
    const manager = managerOf(fileStatic('s1', 'a'), mirror('m1', 'a'), mirror('m2', 'a'));
    expect(manager.getMirrorUID(uid('s1'))).toBe('m2');
    manager.updatePod(mirror('m1', 'a'));
    expect(manager.getMirrorUID(uid('s1'))).toBe('m1');
    manager.removePod(mirror('m1', 'a'));
    expect(manager.getMirrorUID(uid('s1'))).toBe('m2');
  });

  test('only a mirror that has a pod is a translation: neither an orphan is one, nor a pod', () => {
    const manager = managerOf(mirror('m1', 'a'), pod('u1', 'b'));
    expect(manager.hasTranslation(mirrorUID('m1'))).toBe(false);
    expect(manager.hasTranslation(mirrorUID('u1'))).toBe(false);
    manager.addPod(fileStatic('s1', 'a'));
    expect(manager.hasTranslation(mirrorUID('m1'))).toBe(true);
  });
});

test('removing frees the full name even if another UID has it by now', () => {
  const manager = managerOf(pod('u1', 'a'), pod('u2', 'a'), mirror('m1', 'a'), mirror('m2', 'a'));
  manager.removePod(pod('u1', 'a'));
  expect(manager.getPods()).toEqual([pod('u2', 'a')]);
  expect(manager.getPodByName('ns', 'a')).toBeUndefined();
  manager.removePod(mirror('m1', 'a'));
  expect(manager.getMirrorPodByPod(pod('u2', 'a'))).toBeUndefined();
  expect(manager.getPodsAndMirrorPods().mirrorPods).toEqual([mirror('m2', 'a')]);
});

test.each([
  ['the same hash', mirror('m', 'a'), fileStatic('s', 'a'), true],
  ['another hash', pod('m', 'a', { [MIRROR]: 'h2' }), fileStatic('s', 'a'), false],
  ['another name', mirror('m', 'b'), fileStatic('s', 'a'), false],
  [
    'another namespace',
    { metadata: { ...mirror('m', 'a').metadata, namespace: 'x' } },
    fileStatic('s', 'a'),
    false,
  ],
  ['no hash on either side', pod('m', 'a'), pod('s', 'a'), false],
  ['an empty mirror annotation and no hash', pod('m', 'a', { [MIRROR]: '' }), pod('s', 'a'), true],
])('isMirrorPodOf: %s', (_, mirrorPod, own, is) => {
  expect(isMirrorPodOf(mirrorPod, own)).toBe(is);
});

describe('onMirrorChange', () => {
  test('tells after the change, until it is ended', () => {
    const manager = new BasicPodManager();
    const told: unknown[] = [];
    const listen = (uid: PodUID): void => void told.push([uid, manager.getMirrorUID(uid)]);
    const [end, endTwin] = [manager.onMirrorChange(listen), manager.onMirrorChange(listen)];
    manager.addPod(fileStatic('s1', 'a'));
    expect(told.splice(0)).toEqual([
      ['s1', ''],
      ['s1', ''],
    ]);
    endTwin();
    manager.addPod(mirror('m1', 'a'));
    manager.addPod(mirror('m1', 'a'));
    manager.addPod(pod('u1', 'b'));
    expect(told.splice(0)).toEqual([['s1', 'm1']]);
    manager.setPods([fileStatic('s2', 'a')]);
    expect(told.splice(0)).toEqual([
      ['s1', undefined],
      ['s2', ''],
    ]);
    end();
    manager.setPods([]);
    expect(told).toEqual([]);
  });

  const UIDS = ['', 'a', 'b', 'c', 'd'];
  const anyPod = fc
    .record({
      uid: fc.constantFrom(...UIDS),
      name: fc.constantFrom('x', 'y'),
      make: fc.constantFrom(pod, fileStatic, mirror),
    })
    .map(({ uid, name, make }) => make(uid, name));
  const anyOp = fc.oneof(
    { weight: 6, arbitrary: anyPod.map((one) => ({ op: 'updatePod' as const, one })) },
    { weight: 4, arbitrary: anyPod.map((one) => ({ op: 'removePod' as const, one })) },
    {
      weight: 1,
      arbitrary: fc.array(anyPod, { maxLength: 4 }).map((all) => ({ op: 'setPods' as const, all })),
    },
  );

  test('getMirrorUID agrees with getUIDTranslations, and every change of it is told, once', () => {
    fc.assert(
      fc.property(fc.array(anyOp, { maxLength: 30 }), (ops) => {
        const manager = new BasicPodManager();
        const told: string[] = [];
        manager.onMirrorChange((uid) => told.push(uid));
        let before: ReadonlyMap<string, string> = new Map();
        for (const op of ops) {
          if (op.op === 'setPods') manager.setPods(op.all);
          else manager[op.op](op.one);
          const { podToMirror, mirrorToPod } = manager.getUIDTranslations();
          const after: ReadonlyMap<string, string> = podToMirror;
          for (const uid of UIDS) {
            expect(manager.getMirrorUID(uid as PodUID)).toBe(after.get(uid));
            expect(manager.hasTranslation(uid as MirrorPodUID)).toBe(mirrorToPod.has(uid as MirrorPodUID));
            if (uid !== '')
              expect(manager.translatePodUID(uid)).toBe(mirrorToPod.get(uid as MirrorPodUID) ?? uid);
          }
          expect(told.splice(0).sort()).toEqual(UIDS.filter((uid) => before.get(uid) !== after.get(uid)));
          before = after;
        }
      }),
      { seed: seed(), numRuns: 1000 },
    );
  });
});
