/** What the server fills into a pod's spec: the API's defaults, and what the admission plugins add. */
import type { Container, PodSpec } from '../../kube/types.js';

interface Port {
  readonly protocol?: string;
}

interface FullContainer extends Container {
  readonly ports?: readonly Port[];
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface FullPodSpec extends PodSpec {
  readonly dnsPolicy?: string;
  readonly securityContext?: unknown;
  readonly schedulerName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  readonly tolerations?: readonly Toleration[];
  readonly activeDeadlineSeconds?: number;
  readonly serviceAccountName?: string;
}

/** The result is in no particular field order: it is decoded once more. */
export function defaultPodSpec(spec: FullPodSpec): FullPodSpec {
  return {
    ...spec,
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(defaultContainer) } : {}),
    containers: spec.containers?.map(defaultContainer) ?? null,
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    securityContext: spec.securityContext ?? {},
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    enableServiceLinks: spec.enableServiceLinks ?? true,
  };
}

function defaultContainer(container: FullContainer): FullContainer {
  return {
    ...container,
    ...(container.ports ? { ports: container.ports.map((port) => ({ protocol: 'TCP', ...port })) } : {}),
    resources: defaultResources(container.resources),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    imagePullPolicy: container.imagePullPolicy ?? defaultPullPolicy(container.image ?? ''),
  };
}

/** What is limited and not asked for is asked for in full. */
function defaultResources(resources: Container['resources']): NonNullable<Container['resources']> {
  if (!resources?.limits) return resources ?? {};
  return { ...resources, requests: { ...resources.limits, ...resources.requests } };
}

function defaultPullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/** The plugins Priority and DefaultTolerationSeconds, and the strategy's word on a negative grace period. */
export function admitPodSpec(spec: FullPodSpec, current: FullPodSpec | undefined): FullPodSpec {
  const tolerations = [...(spec.tolerations ?? [])];
  for (const key of TAINTS) {
    const isTolerated = (spec.tolerations ?? []).some(
      (toleration) =>
        ((toleration.key ?? '') === '' || toleration.key === key) &&
        ((toleration.effect ?? '') === '' || toleration.effect === 'NoExecute'),
    );
    if (!isTolerated) {
      tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
    }
  }
  const grace = spec.terminationGracePeriodSeconds ?? 30;
  return {
    ...spec,
    tolerations,
    priority: spec.priority ?? current?.priority ?? 0,
    preemptionPolicy: spec.preemptionPolicy ?? current?.preemptionPolicy ?? 'PreemptLowerPriority',
    terminationGracePeriodSeconds: grace < 0 ? 1 : grace,
  };
}
