/** Calls pure functions of src/kube as the Go ones were called (FORMAT.md, section 5). */
import { canBeDeleted } from '../../../src/kube/can-be-deleted.js';
import {
  podConditionByKubelet,
  podConditionSharedByKubelet,
  replaceOrAppendPodCondition,
  updateLastTransitionTime,
  updatePodCondition,
} from '../../../src/kube/conditions.js';
import {
  findContainerStatus,
  hasPodInitialized,
  initializedContainers,
} from '../../../src/kube/container-status.js';
import { encodePodStatus } from '../../../src/kube/encode.js';
import { isPodStatusByKubeletEqual } from '../../../src/kube/equal.js';
import { type Gates, upstream } from '../../../src/kube/gates.js';
import {
  generateContainersReadyCondition,
  generateContainersReadyConditionForTerminalPhase,
  generatePodInitializedCondition,
  generatePodReadyCondition,
  generatePodReadyConditionForTerminalPhase,
  generatePodReadyToStartContainersCondition,
} from '../../../src/kube/generate.js';
import { mergePodStatus } from '../../../src/kube/merge.js';
import { normalizeStatus } from '../../../src/kube/normalize.js';
import { needToReconcilePodReadiness } from '../../../src/kube/readiness.js';
import type { RuntimePodStatus } from '../../../src/kube/sandbox.js';
import { podSchema } from '../../../src/kube/schema.js';
import { preparePatchBytesForPodStatus } from '../../../src/kube/status-patch.js';
import { strategicMergePatch } from '../../../src/kube/strategic-merge-patch.js';
import { checkContainerStateTransition } from '../../../src/kube/transition.js';
import type { ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from '../../../src/kube/types.js';
import type { Verdict } from '../kind.js';
import { NowMask, deepFreeze, firstDifference } from './difference.js';
import type { FunctionCase } from './format.js';

const NOW = Date.UTC(2030, 0, 1);
const mask = new NowMask(NOW);

type Nil<T> = T | null;
type Statuses = Nil<readonly ContainerStatus[]>;
type Conditions = Nil<readonly PodCondition[]>;

interface Callable {
  readonly arity: number;
  run(gates: Gates, args: readonly unknown[]): unknown;
}

const fn = <A extends readonly unknown[]>(
  arity: A['length'],
  call: (gates: Gates, ...args: A) => unknown,
): Callable => ({ arity, run: (gates, args) => call(gates, ...(args as unknown as A)) });

const encodeConditions = (conditions: Conditions): unknown =>
  encodePodStatus({ conditions }).conditions ?? [];
const encodeCondition = (condition: PodCondition): unknown =>
  encodePodStatus({ conditions: [condition] }).conditions?.[0];

const functions: Readonly<Record<string, Callable>> = {
  GenerateContainersReadyCondition: fn(3, (_, spec: Nil<PodSpec>, statuses: Statuses, phase: string) =>
    encodeCondition(generateContainersReadyCondition(spec, statuses, phase)),
  ),
  GeneratePodReadyCondition: fn(
    4,
    (_, spec: Nil<PodSpec>, conditions: Conditions, statuses: Statuses, phase: string) =>
      encodeCondition(generatePodReadyCondition(spec, conditions, statuses, phase)),
  ),
  GeneratePodInitializedCondition: fn(3, (_, spec: Nil<PodSpec>, statuses: Statuses, phase: string) =>
    encodeCondition(generatePodInitializedCondition(spec, statuses, phase)),
  ),
  GeneratePodReadyToStartContainersCondition: fn(2, (_, pod: Pod, status: RuntimePodStatus) =>
    encodeCondition(generatePodReadyToStartContainersCondition(pod, status)),
  ),
  generateContainersReadyConditionForTerminalPhase: fn(1, (_, phase: string) =>
    encodeCondition(generateContainersReadyConditionForTerminalPhase(phase)),
  ),
  generatePodReadyConditionForTerminalPhase: fn(1, (_, phase: string) =>
    encodeCondition(generatePodReadyConditionForTerminalPhase(phase)),
  ),
  mergePodStatus: fn(3, (gates, old: PodStatus, next: PodStatus, couldHaveRunning: boolean) => {
    const { merged, restamped } = mergePodStatus(old, next, couldHaveRunning, NOW, gates);
    return {
      result: encodePodStatus(merged),
      oldAfter: encodePodStatus(old),
      newAfter: encodePodStatus(restamped ?? next),
    };
  }),
  hasPodInitialized: fn(1, (_, pod: Pod) => hasPodInitialized(pod)),
  initializedContainers: fn(1, (_, statuses: Statuses) => {
    const initialized = initializedContainers(statuses);
    return initialized === null
      ? null
      : (encodePodStatus({ containerStatuses: initialized }).containerStatuses ?? []);
  }),
  updateLastTransitionTime: fn(3, (_, status: PodStatus, old: PodStatus, type: string) =>
    encodePodStatus(updateLastTransitionTime(status, old, type, NOW)),
  ),
  normalizeStatus: fn(2, (gates, pod: Pod, status: PodStatus) =>
    encodePodStatus(normalizeStatus(pod, status, gates)),
  ),
  isPodStatusByKubeletEqual: fn(2, (gates, old: PodStatus, next: PodStatus) =>
    isPodStatusByKubeletEqual(old, next, gates),
  ),
  'statusutil.preparePatchBytesForPodStatus': fn(
    5,
    (_, namespace: string, name: string, uid: string, old: PodStatus, next: PodStatus) => {
      const { patch, bytes, unchanged } = preparePatchBytesForPodStatus(namespace, name, uid, old, next);
      const pod = { metadata: { namespace, name, uid }, status: encodePodStatus(old) };
      return { patch, bytes, unchanged, ...applied(pod, patch) };
    },
  ),
  checkContainerStateTransition: fn(3, (_, old: PodStatus, next: PodStatus, spec: Nil<PodSpec>) =>
    checkContainerStateTransition(old, next, spec),
  ),
  findContainerStatus: fn(2, (_, status: PodStatus, id: string) => {
    const { index, init, found } = findContainerStatus(status, id);
    return { index, init, ok: found };
  }),
  'statusutil.ReplaceOrAppendPodCondition': fn(2, (_, conditions: Conditions, condition: PodCondition) =>
    encodeConditions(replaceOrAppendPodCondition(conditions, condition)),
  ),
  // The status is an argument that upstream does not look at.
  canBeDeleted: fn(3, (_, pod: Pod, _status: PodStatus, finished: boolean) => canBeDeleted(pod, finished)),
  NeedToReconcilePodReadiness: fn(1, (gates, pod: Pod) => needToReconcilePodReadiness(pod, gates)),
  'podutil.UpdatePodCondition': fn(2, (_, status: PodStatus, condition: PodCondition) => {
    const updated = updatePodCondition(status, condition, NOW);
    return {
      changed: updated.changed,
      status: encodePodStatus(updated.status),
      condition: encodeCondition(updated.condition),
    };
  }),
  'kubetypes.PodConditionByKubelet': fn(1, (gates, type: string) => podConditionByKubelet(type, gates)),
  'kubetypes.PodConditionSharedByKubelet': fn(1, (gates, type: string) =>
    podConditionSharedByKubelet(type, gates),
  ),
};

/** That a patch cannot be applied is compared, not the words for it: Go prints whole maps there. */
const REFUSED = '(refused)';

function applied(pod: object, patch: unknown): { applied: unknown } | { applyError: string } {
  try {
    const patched = strategicMergePatch(pod, patch, podSchema) as Pod;
    return { applied: encodePodStatus(patched.status ?? {}) };
  } catch {
    return { applyError: REFUSED };
  }
}

function wanted(want: unknown): unknown {
  const isRefusal = typeof want === 'object' && want !== null && 'applyError' in want;
  return isRefusal ? { ...want, applyError: REFUSED } : want;
}

export function runFunctionCase({ fn, gates = {}, args, want }: FunctionCase): Verdict {
  const callable = Object.hasOwn(functions, fn) ? functions[fn] : undefined;
  const known = callable === undefined ? 'no such function here' : `a function of ${callable.arity}`;
  if (callable?.arity !== args.length)
    return { is: 'failed', step: fn, expected: `a call with ${args.length} arguments`, got: known };
  let got: unknown;
  try {
    got = callable.run(upstream('1.29', gates), deepFreeze(args));
  } catch (error) {
    return { is: 'failed', step: fn, expected: 'a result', got: (error as Error).stack ?? String(error) };
  }
  const difference = firstDifference(wanted(want), got, mask);
  if (difference === null) return { is: 'passed' };
  return {
    is: 'failed',
    step: `${fn}: ${difference.path}`,
    expected: difference.expected,
    got: difference.got,
  };
}
