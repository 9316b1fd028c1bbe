/** Copies of container statuses: the part of copy.ts that is about containers, under the same promises. */
import { type Loose, addUnknown, badField, isObject, listOf, notAnObject } from './door.js';
import { describe } from './errors.js';
import { badStatus, setOwn } from './foreign-json.js';
import {
  claimFields,
  containerStatusFields,
  isFlag,
  isInt32,
  isText,
  isTime,
  resourcesFields,
  runningFields,
  stateFields,
  terminatedFields,
  waitingFields,
} from './known-fields.js';
import { secondsOf } from './time.js';
import type {
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  QuantityText,
  ResourceList,
  ResourceRequirements,
  Time,
} from './types.js';
import { cutBytes, cutCharacters } from './utf8.js';

/** What is changed while copying. */
export interface CopyRule {
  /** Times are cut to whole seconds. */
  readonly seconds: boolean;
  /** The longest termination message, in bytes. */
  readonly limit: number;
  /** A message is cut between characters, not inside one. */
  readonly whole: boolean;
}

/** Nothing is changed. */
export const asItIs: CopyRule = { seconds: false, limit: Infinity, whole: true };

export function timeBy(rule: CopyRule, time: Time | undefined): Time | undefined {
  return rule.seconds ? secondsOf(time) : time;
}

export function messageBy(rule: CopyRule, message: string): string {
  return rule.whole ? cutCharacters(message, rule.limit) : cutBytes(message, rule.limit);
}

/** `list` is the name of the field they are in. */
export function copyContainerStatuses(
  value: unknown,
  list: string,
  rule: CopyRule,
): ContainerStatus[] | null | undefined {
  const statuses = listOf(value, list);
  if (!statuses) return statuses;
  const copy = new Array<ContainerStatus>(statuses.length);
  for (let i = 0; i < statuses.length; i++) copy[i] = copyContainerStatus(statuses[i], list, i, rule);
  return copy;
}

function copyContainerStatus(value: unknown, list: string, index: number, rule: CopyRule): ContainerStatus {
  const original: unknown = value ?? {};
  if (!isObject(original)) throw notAnObject(original, `${list}[${index}]`);
  const loose = original as Loose<ContainerStatus>;
  const { name, ready, restartCount, image, imageID, containerID, started } = loose;
  if (
    !isText(name) ||
    !isFlag(ready) ||
    !isInt32(restartCount) ||
    !isText(image) ||
    !isText(imageID) ||
    !isText(containerID) ||
    !isFlag(started)
  ) {
    throw badField(original, containerStatusFields, `${list}[${index}]`);
  }
  const copy: ContainerStatus = {
    name: name ?? '',
    state: copyState(loose.state, list, index, 'state', rule),
    lastState: copyState(loose.lastState, list, index, 'lastState', rule),
    ready: ready ?? undefined,
    restartCount: restartCount ?? undefined,
    image: image ?? undefined,
    imageID: imageID ?? undefined,
    containerID: containerID ?? undefined,
    started,
    allocatedResources: copyResourceList(loose.allocatedResources, list, index, 'allocatedResources'),
    resources: copyResources(loose.resources, list, index),
  };
  if (containerStatusFields.coverAll(original)) return copy;
  return addUnknown(copy, original, containerStatusFields, `${list}[${index}]`);
}

function copyState(
  value: unknown,
  list: string,
  index: number,
  field: string,
  rule: CopyRule,
): ContainerState | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw notAnObject(value, `${list}[${index}].${field}`);
  const { waiting, running, terminated } = value as Loose<ContainerState>;
  const copy: ContainerState = {
    waiting: copyWaiting(waiting, list, index, field),
    running: copyRunning(running, list, index, field, rule),
    terminated: copyTerminated(terminated, list, index, field, rule),
  };
  if (stateFields.coverAll(value)) return copy;
  return addUnknown(copy, value, stateFields, `${list}[${index}].${field}`);
}

function copyWaiting(
  value: unknown,
  list: string,
  index: number,
  field: string,
): ContainerStateWaiting | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) throw notAnObject(value, `${list}[${index}].${field}.waiting`);
  const { reason, message } = value as Loose<ContainerStateWaiting>;
  if (!isText(reason) || !isText(message)) {
    throw badField(value, waitingFields, `${list}[${index}].${field}.waiting`);
  }
  const copy: ContainerStateWaiting = { reason: reason ?? undefined, message: message ?? undefined };
  if (waitingFields.coverAll(value)) return copy;
  return addUnknown(copy, value, waitingFields, `${list}[${index}].${field}.waiting`);
}

function copyRunning(
  value: unknown,
  list: string,
  index: number,
  field: string,
  rule: CopyRule,
): ContainerStateRunning | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) throw notAnObject(value, `${list}[${index}].${field}.running`);
  const { startedAt } = value as Loose<ContainerStateRunning>;
  if (!isTime(startedAt)) throw badField(value, runningFields, `${list}[${index}].${field}.running`);
  const copy: ContainerStateRunning = { startedAt: timeBy(rule, startedAt) };
  if (runningFields.coverAll(value)) return copy;
  return addUnknown(copy, value, runningFields, `${list}[${index}].${field}.running`);
}

function copyTerminated(
  value: unknown,
  list: string,
  index: number,
  field: string,
  rule: CopyRule,
): ContainerStateTerminated | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) throw notAnObject(value, `${list}[${index}].${field}.terminated`);
  const { exitCode, signal, reason, message, startedAt, finishedAt, containerID } =
    value as Loose<ContainerStateTerminated>;
  if (
    !isInt32(exitCode) ||
    !isInt32(signal) ||
    !isText(reason) ||
    !isText(message) ||
    !isTime(startedAt) ||
    !isTime(finishedAt) ||
    !isText(containerID)
  ) {
    throw badField(value, terminatedFields, `${list}[${index}].${field}.terminated`);
  }
  const copy: ContainerStateTerminated = {
    exitCode: exitCode ?? undefined,
    signal: signal ?? undefined,
    reason: reason ?? undefined,
    message: typeof message === 'string' ? messageBy(rule, message) : undefined,
    startedAt: timeBy(rule, startedAt),
    finishedAt: timeBy(rule, finishedAt),
    containerID: containerID ?? undefined,
  };
  if (terminatedFields.coverAll(value)) return copy;
  return addUnknown(copy, value, terminatedFields, `${list}[${index}].${field}.terminated`);
}

function copyResourceList(
  value: unknown,
  list: string,
  index: number,
  field: string,
): ResourceList | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) throw notAnObject(value, `${list}[${index}].${field}`);
  const copy: Record<string, QuantityText> = {};
  for (const [name, quantity] of Object.entries(value) as [string, unknown][]) {
    if (quantity === undefined) continue;
    if (typeof quantity !== 'string' && !Number.isFinite(quantity)) {
      throw badStatus(`${list}[${index}].${field}.${name}`, `must be a quantity, got ${describe(quantity)}`);
    }
    setOwn(copy, name, quantity);
  }
  return copy;
}

function copyResources(value: unknown, list: string, index: number): ResourceRequirements | null | undefined {
  if (value === undefined || value === null) return value;
  const path = `${list}[${index}].resources`;
  if (!isObject(value)) throw notAnObject(value, path);
  const { limits, requests, claims } = value as Loose<ResourceRequirements>;
  const copy: ResourceRequirements = {
    limits: copyResourceList(limits, list, index, 'resources.limits'),
    requests: copyResourceList(requests, list, index, 'resources.requests'),
    claims: copyClaims(claims, `${path}.claims`),
  };
  return resourcesFields.coverAll(value) ? copy : addUnknown(copy, value, resourcesFields, path);
}

function copyClaims(value: unknown, list: string): ResourceRequirements['claims'] {
  const claims = listOf(value, list);
  if (!claims) return claims;
  return Array.from(claims, (claim, i) => {
    const original: unknown = claim ?? {};
    const path = `${list}[${i}]`;
    if (!isObject(original)) throw notAnObject(original, path);
    const { name } = original as { readonly name?: unknown };
    if (!isText(name)) throw badField(original, claimFields, path);
    return addUnknown({ name: name ?? '' }, original, claimFields, path);
  });
}
