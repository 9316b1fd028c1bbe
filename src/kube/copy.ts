/**
 * Deep copies of a pod status, checked on the way: the door for statuses that come from outside.
 *
 * A copy shares nothing with its original. It has every known field in one fixed order, absent ones as undefined:
 * all copies have one shape, which is what makes comparing them fast. Unknown fields are kept, after the known ones,
 * at every level. What Go would not decode into a v1.PodStatus is an ERR_BAD_STATUS that names the path (quantities
 * aside, which are read only when they are compared). As Go has it, null is the zero value wherever an object or a
 * scalar belongs, also in a list.
 */
import { type CopyRule, asItIs, copyContainerStatuses, timeBy } from './copy-container.js';
import { type Loose, addUnknown, badField, isObject, listOf, notAnObject } from './door.js';
import {
  conditionFields,
  ipFields,
  isText,
  isTime,
  podStatusFields,
  resourceClaimFields,
} from './known-fields.js';
import type { ContainerStatus, PodCondition, PodResourceClaimStatus, PodStatus } from './types.js';

type PodIP = { readonly ip?: string };

/** A copy whose container statuses may still be put in order. */
export interface FreshStatus extends PodStatus {
  readonly initContainerStatuses?: ContainerStatus[] | null;
  readonly containerStatuses?: ContainerStatus[] | null;
  readonly ephemeralContainerStatuses?: ContainerStatus[] | null;
}

export function copyPodStatus(status: unknown): PodStatus {
  return copyStatusBy(asItIs, asItIs, status);
}

/** Copies and changes by the rules in one pass; ephemeral containers have one of their own. */
export function copyStatusBy(rule: CopyRule, ephemeral: CopyRule, value: unknown): FreshStatus {
  if (!isObject(value)) throw notAnObject(value, '');
  const loose = value as Loose<PodStatus>;
  const { phase, message, reason, nominatedNodeName, hostIP, podIP, startTime, qosClass, resize } = loose;
  if (
    !isText(phase) ||
    !isText(message) ||
    !isText(reason) ||
    !isText(nominatedNodeName) ||
    !isText(hostIP) ||
    !isText(podIP) ||
    !isTime(startTime) ||
    !isText(qosClass) ||
    !isText(resize)
  ) {
    throw badField(value, podStatusFields, '');
  }
  const copy: FreshStatus = {
    phase: phase ?? undefined,
    conditions: copyConditions(loose.conditions, rule),
    message: message ?? undefined,
    reason: reason ?? undefined,
    nominatedNodeName: nominatedNodeName ?? undefined,
    hostIP: hostIP ?? undefined,
    hostIPs: copyIPs(loose.hostIPs, 'hostIPs'),
    podIP: podIP ?? undefined,
    podIPs: copyIPs(loose.podIPs, 'podIPs'),
    startTime: timeBy(rule, startTime),
    initContainerStatuses: copyContainerStatuses(loose.initContainerStatuses, 'initContainerStatuses', rule),
    containerStatuses: copyContainerStatuses(loose.containerStatuses, 'containerStatuses', rule),
    qosClass: qosClass ?? undefined,
    ephemeralContainerStatuses: copyContainerStatuses(
      loose.ephemeralContainerStatuses,
      'ephemeralContainerStatuses',
      ephemeral,
    ),
    resize: resize ?? undefined,
    resourceClaimStatuses: copyResourceClaims(loose.resourceClaimStatuses),
  };
  return podStatusFields.coverAll(value) ? copy : addUnknown(copy, value, podStatusFields, '');
}

function copyConditions(value: unknown, rule: CopyRule): PodCondition[] | null | undefined {
  const conditions = listOf(value, 'conditions');
  if (!conditions) return conditions;
  const copy = new Array<PodCondition>(conditions.length);
  for (let i = 0; i < conditions.length; i++) copy[i] = copyCondition(conditions[i], i, rule);
  return copy;
}

function copyCondition(value: unknown, index: number, rule: CopyRule): PodCondition {
  const original: unknown = value ?? {};
  if (!isObject(original)) throw notAnObject(original, `conditions[${index}]`);
  const { type, status, lastProbeTime, lastTransitionTime, reason, message } =
    original as Loose<PodCondition>;
  if (
    !isText(type) ||
    !isText(status) ||
    !isTime(lastProbeTime) ||
    !isTime(lastTransitionTime) ||
    !isText(reason) ||
    !isText(message)
  ) {
    throw badField(original, conditionFields, `conditions[${index}]`);
  }
  const copy: PodCondition = {
    type: type ?? '',
    status: status ?? '',
    lastProbeTime: timeBy(rule, lastProbeTime),
    lastTransitionTime: timeBy(rule, lastTransitionTime),
    reason: reason ?? undefined,
    message: message ?? undefined,
  };
  if (conditionFields.coverAll(original)) return copy;
  return addUnknown(copy, original, conditionFields, `conditions[${index}]`);
}

function copyIPs(value: unknown, list: string): PodIP[] | null | undefined {
  const ips = listOf(value, list);
  if (!ips) return ips;
  const copy = new Array<PodIP>(ips.length);
  for (let i = 0; i < ips.length; i++) copy[i] = copyIP(ips[i], list, i);
  return copy;
}

function copyIP(value: unknown, list: string, index: number): PodIP {
  const original: unknown = value ?? {};
  if (!isObject(original)) throw notAnObject(original, `${list}[${index}]`);
  const { ip } = original as Loose<PodIP>;
  if (!isText(ip)) throw badField(original, ipFields, `${list}[${index}]`);
  const copy: PodIP = { ip: ip ?? undefined };
  return ipFields.coverAll(original) ? copy : addUnknown(copy, original, ipFields, `${list}[${index}]`);
}

function copyResourceClaims(value: unknown): PodResourceClaimStatus[] | null | undefined {
  return listOf(value, 'resourceClaimStatuses')?.map(copyResourceClaim) ?? (value as null | undefined);
}

function copyResourceClaim(value: unknown, index: number): PodResourceClaimStatus {
  const path = `resourceClaimStatuses[${index}]`;
  const original: unknown = value ?? {};
  if (!isObject(original)) throw notAnObject(original, path);
  const { name, resourceClaimName } = original as Loose<PodResourceClaimStatus>;
  if (!isText(name) || !isText(resourceClaimName)) throw badField(original, resourceClaimFields, path);
  const copy: PodResourceClaimStatus = { name: name ?? '', resourceClaimName };
  if (resourceClaimFields.coverAll(original)) return copy;
  return addUnknown(copy, original, resourceClaimFields, path);
}
