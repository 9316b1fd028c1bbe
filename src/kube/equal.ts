/**
 * Equality of statuses as Go's semantic one: an empty list or map is nil, an absent field is its zero value, times are
 * instants, quantities are amounts. Where Go has a pointer, nil is not zero: `started`, the states, `resources`.
 *
 * Messages are compared as they are, so raw bytes of a cut character differ from the U+FFFD the wire has for them.
 * Fields that are not known are compared, too: they came from somewhere and go somewhere.
 */
import { indexOfPodCondition, podConditionByKubelet, podConditionSharedByKubelet } from './conditions.js';
import type { Gates } from './gates.js';
import { getOwn, jsonEqual } from './foreign-json.js';
import {
  type Fields,
  conditionFields,
  containerStatusFields,
  ipFields,
  podStatusFields,
  resourceClaimFields,
  resourcesFields,
  runningFields,
  stateFields,
  terminatedFields,
  waitingFields,
} from './known-fields.js';
import { quantitiesEqual } from './quantity.js';
import { timesEqual } from './time.js';
import type {
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  PodCondition,
  PodResourceClaimStatus,
  PodStatus,
  ResourceList,
  ResourceRequirements,
} from './types.js';

type Nil<T> = T | null | undefined;
type Conditions = Nil<readonly PodCondition[]>;

/** Whether nothing the kubelet owns differs. Both are normalized. */
export function isPodStatusByKubeletEqual(old: PodStatus, next: PodStatus, gates: Gates): boolean {
  if (!kubeletConditionsEqual(old.conditions, next.conditions, gates)) return false;
  return restEqual(old, next, !gates.IgnoreResourceClaimStatuses);
}

export function podStatusesEqual(a: PodStatus, b: PodStatus): boolean {
  return a === b || (listsEqual(a.conditions, b.conditions, conditionsEqual) && restEqual(a, b, true));
}

const textEqual = (a: Nil<string>, b: Nil<string>): boolean => a === b || (a ?? '') === (b ?? '');
const numberEqual = (a: Nil<number>, b: Nil<number>): boolean => (a ?? 0) === (b ?? 0);
const pointerEqual = <T>(a: Nil<T>, b: Nil<T>): boolean => (a ?? null) === (b ?? null);

function listsEqual<T>(a: Nil<readonly T[]>, b: Nil<readonly T[]>, equal: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  const length = a ? a.length : 0;
  if (length !== (b ? b.length : 0)) return false;
  if (!a || !b) return true;
  for (let i = 0; i < length; i++) if (a[i] !== b[i] && !equal(a[i], b[i])) return false;
  return true;
}

/** Fields that are not known; that there are none is the usual case and found out fast. */
function unknownEqual(a: object, b: object, fields: Fields): boolean {
  if (fields.coverAll(a) && fields.coverAll(b)) return true;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    if (!fields.has(name) && !jsonEqual(getOwn(a, name), getOwn(b, name))) return false;
  }
  return true;
}

/** All but the conditions. */
function restEqual(a: PodStatus, b: PodStatus, withClaims: boolean): boolean {
  return (
    textEqual(a.phase, b.phase) &&
    textEqual(a.message, b.message) &&
    textEqual(a.reason, b.reason) &&
    textEqual(a.nominatedNodeName, b.nominatedNodeName) &&
    textEqual(a.hostIP, b.hostIP) &&
    listsEqual(a.hostIPs, b.hostIPs, ipsEqual) &&
    textEqual(a.podIP, b.podIP) &&
    listsEqual(a.podIPs, b.podIPs, ipsEqual) &&
    timesEqual(a.startTime, b.startTime) &&
    listsEqual(a.initContainerStatuses, b.initContainerStatuses, containersEqual) &&
    listsEqual(a.containerStatuses, b.containerStatuses, containersEqual) &&
    textEqual(a.qosClass, b.qosClass) &&
    listsEqual(a.ephemeralContainerStatuses, b.ephemeralContainerStatuses, containersEqual) &&
    textEqual(a.resize, b.resize) &&
    (!withClaims || listsEqual(a.resourceClaimStatuses, b.resourceClaimStatuses, claimsEqual)) &&
    unknownEqual(a, b, podStatusFields)
  );
}

const ipsEqual = (a: { readonly ip?: string }, b: { readonly ip?: string }): boolean =>
  textEqual(a.ip, b.ip) && unknownEqual(a, b, ipFields);

const claimsEqual = (a: PodResourceClaimStatus, b: PodResourceClaimStatus): boolean =>
  textEqual(a.name, b.name) &&
  pointerEqual(a.resourceClaimName, b.resourceClaimName) &&
  unknownEqual(a, b, resourceClaimFields);

const conditionsEqual = (a: PodCondition, b: PodCondition): boolean =>
  textEqual(a.type, b.type) &&
  saysTheSame(a, b) &&
  timesEqual(a.lastProbeTime, b.lastProbeTime) &&
  timesEqual(a.lastTransitionTime, b.lastTransitionTime) &&
  unknownEqual(a, b, conditionFields);

const saysTheSame = (a: PodCondition, b: PodCondition): boolean =>
  textEqual(a.status, b.status) && textEqual(a.reason, b.reason) && textEqual(a.message, b.message);

const containersEqual = (a: ContainerStatus, b: ContainerStatus): boolean =>
  textEqual(a.name, b.name) &&
  statesEqual(a.state, b.state) &&
  statesEqual(a.lastState, b.lastState) &&
  (a.ready ?? false) === (b.ready ?? false) &&
  numberEqual(a.restartCount, b.restartCount) &&
  textEqual(a.image, b.image) &&
  textEqual(a.imageID, b.imageID) &&
  textEqual(a.containerID, b.containerID) &&
  pointerEqual(a.started, b.started) &&
  resourceListsEqual(a.allocatedResources, b.allocatedResources) &&
  presentEqual(a.resources, b.resources, resourcesEqual) &&
  unknownEqual(a, b, containerStatusFields);

/** What Go has a pointer to: nil is equal to nil only. */
function presentEqual<T>(a: Nil<T>, b: Nil<T>, equal: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  return a && b ? equal(a, b) : !a && !b;
}

const EMPTY: ContainerState = {};

function statesEqual(one: Nil<ContainerState>, other: Nil<ContainerState>): boolean {
  if (one === other) return true;
  const a = one ?? EMPTY;
  const b = other ?? EMPTY;
  return (
    presentEqual(a.waiting, b.waiting, waitingEqual) &&
    presentEqual(a.running, b.running, runningEqual) &&
    presentEqual(a.terminated, b.terminated, terminatedEqual) &&
    unknownEqual(a, b, stateFields)
  );
}

const waitingEqual = (a: ContainerStateWaiting, b: ContainerStateWaiting): boolean =>
  textEqual(a.reason, b.reason) && textEqual(a.message, b.message) && unknownEqual(a, b, waitingFields);

const runningEqual = (a: ContainerStateRunning, b: ContainerStateRunning): boolean =>
  timesEqual(a.startedAt, b.startedAt) && unknownEqual(a, b, runningFields);

const terminatedEqual = (a: ContainerStateTerminated, b: ContainerStateTerminated): boolean =>
  numberEqual(a.exitCode, b.exitCode) &&
  numberEqual(a.signal, b.signal) &&
  textEqual(a.reason, b.reason) &&
  textEqual(a.message, b.message) &&
  timesEqual(a.startedAt, b.startedAt) &&
  timesEqual(a.finishedAt, b.finishedAt) &&
  textEqual(a.containerID, b.containerID) &&
  unknownEqual(a, b, terminatedFields);

const resourcesEqual = (a: ResourceRequirements, b: ResourceRequirements): boolean =>
  resourceListsEqual(a.requests, b.requests) &&
  resourceListsEqual(a.limits, b.limits) &&
  listsEqual(a.claims, b.claims, jsonEqual) &&
  unknownEqual(a, b, resourcesFields);

function resourceListsEqual(one: Nil<ResourceList>, other: Nil<ResourceList>): boolean {
  if (one === other || (!one && !other)) return true;
  const a = one ?? {};
  const b = other ?? {};
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && quantitiesEqual(a[name], b[name]));
}

const isKubelets = (type: string, gates: Gates): boolean =>
  podConditionByKubelet(type, gates) || podConditionSharedByKubelet(type, gates);

/**
 * Status, reason and message of the conditions the kubelet writes, in whatever order. Upstream looks up each of the
 * new ones among the old, so one that disappears is no change; the gate looks both ways.
 */
function kubeletConditionsEqual(old: Conditions, next: Conditions, gates: Gates): boolean {
  if (old === next && gates.SymmetricConditionEquality) return true;
  if (gates.SymmetricConditionEquality) return sameKubeletConditions(old ?? [], next ?? [], gates);
  for (const condition of next ?? []) {
    if (!isKubelets(condition.type, gates)) continue;
    const index = indexOfPodCondition(old, condition.type);
    if (!old || index < 0 || !saysTheSame(old[index], condition)) return false;
  }
  return true;
}

/** Where a type occurs more than once, the first is compared with the first, the second with the second. */
function sameKubeletConditions(
  a: readonly PodCondition[],
  b: readonly PodCondition[],
  gates: Gates,
): boolean {
  let i = 0;
  while (i < a.length && i < b.length && a[i].type === b[i].type) {
    if (isKubelets(a[i].type, gates) && !saysTheSame(a[i], b[i])) return false;
    i++;
  }
  if (i === a.length && i === b.length) return true;
  const left = a.slice(i).filter(({ type }) => isKubelets(type, gates));
  const right = b.slice(i).filter(({ type }) => isKubelets(type, gates));
  if (left.length !== right.length) return false;
  for (const condition of left) {
    const index = indexOfPodCondition(right, condition.type);
    if (index < 0 || !saysTheSame(condition, right[index])) return false;
    right.splice(index, 1);
  }
  return true;
}
