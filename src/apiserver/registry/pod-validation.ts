/** Whether a pod may be created, or changed this way. The checks of what this server reads, not all of upstream's. */
import type { Container, Pod } from '../../kube/types.js';
import { jsonEqual } from '../../kube/json.js';
import {
  type FieldError,
  duplicate,
  forbidden,
  invalidValue,
  quote,
  required,
  unsupported,
} from '../field-error.js';
import { validateMeta, validateMetaUpdate, validateObjectMeta } from './metadata.js';
import { validateDNSLabel } from './names.js';
import type { FullPodSpec } from './pod-defaults.js';

const MIRROR = 'kubernetes.io/config.mirror';
const POLICIES = ['Always', 'OnFailure', 'Never'];

export function validatePod(pod: Pod): FieldError[] {
  return [...validateObjectMeta(pod.metadata, true), ...validateSpec(pod.spec ?? {})];
}

function validateSpec(spec: FullPodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const check = (containers: readonly Container[], path: string): void => {
    containers.forEach(({ name, image = '' }, index) => {
      const at = `${path}[${index}]`;
      if (name === '') errors.push(required(`${at}.name`));
      else {
        errors.push(
          ...validateDNSLabel(name).map((detail) => invalidValue(`${at}.name`, quote(name), detail)),
        );
      }
      if (names.has(name)) errors.push(duplicate(`${at}.name`, quote(name)));
      names.add(name);
      if (image === '') errors.push(required(`${at}.image`));
    });
  };
  if ((spec.containers ?? []).length === 0) errors.push(required('spec.containers'));
  check(spec.containers ?? [], 'spec.containers');
  check(spec.initContainers ?? [], 'spec.initContainers');
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  if (restartPolicy === '') errors.push(required('spec.restartPolicy'));
  else if (!POLICIES.includes(restartPolicy)) {
    errors.push(unsupported('spec.restartPolicy', quote(restartPolicy), POLICIES));
  }
  if (activeDeadlineSeconds !== undefined && activeDeadlineSeconds < 1) {
    errors.push(
      invalidValue(
        'spec.activeDeadlineSeconds',
        String(activeDeadlineSeconds),
        'must be between 1 and 2147483647, inclusive',
      ),
    );
  }
  return errors;
}

/** A main update: images, the active deadline and more tolerations, nothing else of the spec. */
export function validatePodUpdate(next: Pod, current: Pod): FieldError[] {
  const errors = [
    ...validateMetaUpdate(next.metadata, current.metadata),
    ...validateMeta(next.metadata, current.metadata),
    ...(next.spec === current.spec ? [] : validateSpec(next.spec ?? {})),
    ...validateMirrorAnnotation(next, current),
  ];
  if (next.spec === current.spec) return errors;
  const spec = (next.spec ?? {}) as FullPodSpec;
  const old = (current.spec ?? {}) as FullPodSpec;
  for (const name of ['containers', 'initContainers'] as const) {
    if ((spec[name]?.length ?? 0) === (old[name]?.length ?? 0)) continue;
    return [...errors, forbidden(`spec.${name}`, 'pod updates may not add or remove containers')];
  }
  errors.push(...validateDeadlineUpdate(spec.activeDeadlineSeconds, old.activeDeadlineSeconds));
  if (
    !jsonEqual(withoutUpdatable(spec, old), withoutUpdatable(old, old)) ||
    !onlyAddsTolerations(spec, old)
  ) {
    errors.push(forbidden('spec', UPDATABLE));
  }
  return errors;
}

const UPDATABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

/** The spec with what an update may change as it is in `old`. */
function withoutUpdatable(spec: FullPodSpec, old: FullPodSpec): FullPodSpec {
  const keepImages = (name: 'containers' | 'initContainers'): readonly Container[] =>
    (spec[name] ?? []).map((container, index) => ({ ...container, image: old[name]?.[index]?.image ?? '' }));
  return {
    ...spec,
    containers: keepImages('containers'),
    initContainers: keepImages('initContainers'),
    tolerations: [],
    activeDeadlineSeconds: 0,
  };
}

function onlyAddsTolerations(spec: FullPodSpec, old: FullPodSpec): boolean {
  return (old.tolerations ?? []).every((toleration) =>
    (spec.tolerations ?? []).some((kept) =>
      jsonEqual({ ...kept, tolerationSeconds: 0 }, { ...toleration, tolerationSeconds: 0 }),
    ),
  );
}

function validateDeadlineUpdate(next: number | undefined, old: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (old === undefined || next === old) return [];
  if (next === undefined) {
    return [invalidValue(field, 'null', 'must not update from a positive integer to nil value')];
  }
  if (next < old) return [];
  return [invalidValue(field, String(next), 'must be less than or equal to previous value')];
}

function validateMirrorAnnotation(next: Pod, current: Pod): FieldError[] {
  const before = current.metadata.annotations?.[MIRROR];
  const after = next.metadata.annotations?.[MIRROR];
  if (before === after) return [];
  const verb = before === undefined ? 'add' : after === undefined ? 'remove' : 'update';
  return [forbidden(`metadata.annotations[${MIRROR}]`, `may not ${verb} mirror pod annotation`)];
}
