/** Whether a pod's status may become another. */
import { isIP, isIPv4 } from 'node:net';
import type { ContainerStatus, Pod, PodSpec, PodStatus } from '../../kube/types.js';
import { type FieldError, duplicate, forbidden, invalidValue, quote } from '../field-error.js';
import { validateMetaUpdate } from './metadata.js';
import { validateQualifiedName, validateSubdomain } from './names.js';

export function validatePodStatusUpdate(next: Pod, current: Pod): FieldError[] {
  const status = next.status ?? {};
  const old = current.status ?? {};
  const spec = current.spec ?? {};
  return [
    ...validateMetaUpdate(next.metadata, current.metadata),
    ...validateConditions(status),
    ...validateNominatedNode(status),
    ...validateTransitions(
      status.containerStatuses ?? [],
      old.containerStatuses ?? [],
      spec.restartPolicy,
      'containerStatuses',
    ),
    ...validateInitTransitions(status, old, spec),
    ...validateIPs(status.podIPs ?? [], 'podIPs', 'core.PodIP'),
    ...validateHostIPs(status),
  ];
}

function validateConditions(status: PodStatus): FieldError[] {
  return (status.conditions ?? []).flatMap(({ type }, index) =>
    // The path is upstream's.
    validateQualifiedName(type).map((detail) =>
      invalidValue(`metadata.conditions[${index}].Type`, quote(type), detail),
    ),
  );
}

function validateNominatedNode({ nominatedNodeName = '' }: PodStatus): FieldError[] {
  if (nominatedNodeName === '') return [];
  return validateSubdomain(nominatedNodeName).map((detail) =>
    invalidValue('status.nominatedNodeName', quote(nominatedNodeName), detail),
  );
}

/** A container that ended for good stays ended. Taking its entry away first gets around it, upstream too. */
function validateTransitions(
  statuses: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  restartPolicy: string | undefined,
  field: string,
): FieldError[] {
  if (restartPolicy === 'Always') return [];
  const errors: FieldError[] = [];
  for (const { name, state } of old) {
    if (!state?.terminated) continue;
    if (state.terminated.exitCode !== 0 && restartPolicy === 'OnFailure') continue;
    statuses.forEach((status, index) => {
      if (status.name === name && !status.state?.terminated) {
        errors.push(
          forbidden(`status.${field}[${index}].state`, 'may not be transitioned to non-terminated state'),
        );
      }
    });
  }
  return errors;
}

/** Init containers restart on failure under every policy but Never; sidecars always do. */
function validateInitTransitions(status: PodStatus, old: PodStatus, spec: PodSpec): FieldError[] {
  const sidecars = new Set(
    (spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always').map(({ name }) => name),
  );
  return validateTransitions(
    status.initContainerStatuses ?? [],
    (old.initContainerStatuses ?? []).filter(({ name }) => !sidecars.has(name)),
    spec.restartPolicy,
    'initContainerStatuses',
  );
}

function validateIPs(ips: readonly { readonly ip?: string }[], field: string, go: string): FieldError[] {
  const errors: FieldError[] = [];
  ips.forEach(({ ip = '' }, index) => {
    if (isIP(ip) !== 0) return;
    const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    errors.push(invalidValue(`status.${field}[${index}]`, quote(ip), detail));
  });
  if (errors.length > 0) return errors;
  const shown = (ip: string): string => `${go}{IP:${quote(ip)}}`;
  const families = ips.map(({ ip = '' }) => isIPv4(ip));
  if (ips.length > 1 && (ips.length > 2 || families[0] === families[1])) {
    const all = `[]${go}{${ips.map(({ ip = '' }) => shown(ip)).join(', ')}}`;
    errors.push(invalidValue(`status.${field}`, all, 'may specify no more than one IP for each IP family'));
  }
  const seen = new Set<string>();
  ips.forEach(({ ip = '' }, index) => {
    if (seen.has(ip)) errors.push(duplicate(`status.${field}[${index}]`, shown(ip)));
    seen.add(ip);
  });
  return errors;
}

function validateHostIPs({ hostIP = '', hostIPs }: PodStatus): FieldError[] {
  const ips = hostIPs ?? [];
  if (ips.length === 0) return [];
  const first = ips[0]?.ip ?? '';
  if (first === hostIP) return validateIPs(ips, 'hostIPs', 'core.HostIP');
  return [
    invalidValue('status.hostIPs[0].ip', quote(first), 'must be equal to `hostIP`'),
    ...validateIPs(ips, 'hostIPs', 'core.HostIP'),
  ];
}
