import { describe, expect, test } from 'vitest';
import {
  buildPodFullName,
  configMirrorAnnotation,
  configSourceAnnotation,
  getPodFullName,
  isCriticalPod,
  isMirrorPod,
  isPodPhaseTerminal,
  isRestartableInitContainer,
  isStaticPod,
  parsePodFullName,
} from '../../src/kube/pod.js';
import type { Pod } from '../../src/kube/types.js';

const annotated = (annotations?: Record<string, string> | null): Pod => ({ metadata: { annotations } });

test('a pod is static by a source that is not the API', () => {
  expect(isStaticPod(annotated({ [configSourceAnnotation]: 'file' }))).toBe(true);
  expect(isStaticPod(annotated({ [configSourceAnnotation]: '' }))).toBe(true);
  expect(isStaticPod(annotated({ [configSourceAnnotation]: 'api' }))).toBe(false);
  expect(isStaticPod(annotated({}))).toBe(false);
  expect(isStaticPod(annotated(null))).toBe(false);
  expect(isStaticPod(annotated())).toBe(false);
});

test('a pod is a mirror by the annotation alone', () => {
  expect(isMirrorPod(annotated({ [configMirrorAnnotation]: '' }))).toBe(true);
  expect(isMirrorPod(annotated({}))).toBe(false);
});

test('static, mirror and system-critical pods are critical', () => {
  expect(isCriticalPod(annotated({ [configSourceAnnotation]: 'http' }))).toBe(true);
  expect(isCriticalPod(annotated({ [configMirrorAnnotation]: 'x' }))).toBe(true);
  const withPriority = (priority?: number | null): Pod => ({ metadata: {}, spec: { priority } });
  expect(isCriticalPod(withPriority(2_000_000_000))).toBe(true);
  expect(isCriticalPod(withPriority(1_999_999_999))).toBe(false);
  expect(isCriticalPod(withPriority(null))).toBe(false);
  expect(isCriticalPod({ metadata: {} })).toBe(false);
});

describe('full names', () => {
  test('TestParsePodFullName: a name and a namespace', () => {
    expect(parsePodFullName('bar_foo')).toEqual({ name: 'bar', namespace: 'foo' });
    expect(parsePodFullName('bar.org_foo.com')).toEqual({ name: 'bar.org', namespace: 'foo.com' });
    expect(parsePodFullName('bar-bar_foo')).toEqual({ name: 'bar-bar', namespace: 'foo' });
  });

  test.each(['barfoo', 'bar_foo_foo', '', 'bar_', '_foo', '_'])('TestParsePodFullName: not %j', (text) => {
    expect(() => parsePodFullName(text)).toThrow(
      expect.objectContaining({ code: 'ERR_BAD_POD_FULL_NAME' }) as Error,
    );
  });

  test('are built of what is there', () => {
    expect(buildPodFullName('bar', 'foo')).toBe('bar_foo');
    expect(getPodFullName({ metadata: { name: 'bar', namespace: 'foo' } })).toBe('bar_foo');
    expect(getPodFullName({ metadata: {} })).toBe('_');
  });
});

test('only the policy Always makes a sidecar', () => {
  expect(isRestartableInitContainer({ name: 'a', restartPolicy: 'Always' })).toBe(true);
  expect(isRestartableInitContainer({ name: 'a', restartPolicy: 'OnFailure' })).toBe(false);
  expect(isRestartableInitContainer({ name: 'a', restartPolicy: null })).toBe(false);
  expect(isRestartableInitContainer(undefined)).toBe(false);
});

test('two phases are terminal', () => {
  expect(['Failed', 'Succeeded'].every(isPodPhaseTerminal)).toBe(true);
  expect(['', 'Pending', 'Running', 'Unknown', 'failed', undefined].some(isPodPhaseTerminal)).toBe(false);
});
