/** Rules for metadata, the same for every kind. */
import type { ObjectMeta, OwnerReference } from '../../kube/types.js';
import { jsonEqual } from '../../kube/json.js';
import { type FieldError, forbidden, invalidValue, quote, required, tooLong } from '../field-error.js';
import { validateLabelValue, validateQualifiedName, validateSubdomain } from './names.js';

const MAX_ANNOTATIONS = 262_144;
const MAX_NAME = 253;

/** Of a new object. */
export function validateObjectMeta(metadata: ObjectMeta, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', generateName = '' } = metadata;
  if (generateName.length > MAX_NAME) {
    errors.push(
      invalidValue(
        'metadata.generateName',
        quote(generateName),
        `must be no more than ${MAX_NAME} characters`,
      ),
    );
  } else if (generateName !== '') {
    // A dash at its end is fine: the suffix follows it.
    for (const detail of validateSubdomain(generateName.replace(/-$/, 'a'))) {
      errors.push(invalidValue('metadata.generateName', quote(generateName), detail));
    }
  }
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else
    for (const detail of validateSubdomain(name)) {
      errors.push(invalidValue('metadata.name', quote(name), detail));
    }
  if (isNamespaced && (metadata.namespace ?? '') === '') errors.push(required('metadata.namespace'));
  errors.push(...validateMeta(metadata));
  return errors;
}

/** Labels, annotations, owners and finalizers. What is as it was in `previous` was looked at then. */
export function validateMeta(metadata: ObjectMeta, previous?: ObjectMeta): FieldError[] {
  const errors = validateMaps(metadata, previous);
  if (metadata.finalizers !== previous?.finalizers) {
    for (const finalizer of metadata.finalizers ?? []) {
      for (const detail of validateQualifiedName(finalizer)) {
        errors.push(invalidValue('metadata.finalizers', quote(finalizer), detail));
      }
    }
  }
  return errors;
}

function validateMaps(metadata: ObjectMeta, previous?: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.labels !== previous?.labels) errors.push(...validateLabels(metadata.labels ?? {}));
  if (metadata.annotations !== previous?.annotations) {
    errors.push(...validateAnnotations(metadata.annotations ?? {}));
  }
  if (metadata.ownerReferences !== previous?.ownerReferences) {
    errors.push(...validateOwners(metadata.ownerReferences ?? []));
  }
  return errors;
}

function validateLabels(labels: Readonly<Record<string, string>>): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of validateQualifiedName(key)) {
      errors.push(invalidValue('metadata.labels', quote(key), detail));
    }
    for (const detail of validateLabelValue(value)) {
      errors.push(invalidValue('metadata.labels', quote(value), detail));
    }
  }
  return errors;
}

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const detail of validateQualifiedName(key.toLowerCase())) {
      errors.push(invalidValue('metadata.annotations', quote(key), detail));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_ANNOTATIONS) errors.push(tooLong('metadata.annotations', MAX_ANNOTATIONS));
  return errors;
}

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  return owners.flatMap((owner, index) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((name) => owner[name] === '')
      .map((name) =>
        invalidValue(
          `metadata.ownerReferences[${index}].${name}`,
          quote(''),
          `${name === 'apiVersion' ? 'version' : name} must not be empty`,
        ),
      ),
  );
}

/** What no update may change. */
export function validateMetaUpdate(next: ObjectMeta, current: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (current.deletionTimestamp) {
    const before = new Set(current.finalizers ?? []);
    const added = (next.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
    if (added.length > 0) {
      const shown = `[]string{${added.map(quote).join(', ')}}`;
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
        ),
      );
    }
  }
  const immutable = (name: keyof ObjectMeta, value: string): void => {
    if (!jsonEqual(next[name], current[name])) {
      errors.push(invalidValue(`metadata.${name}`, value, 'field is immutable'));
    }
  };
  immutable('name', quote(next.name ?? ''));
  immutable('namespace', quote(next.namespace ?? ''));
  immutable('uid', quote(next.uid ?? ''));
  immutable('deletionTimestamp', goTime(next.deletionTimestamp));
  immutable('deletionGracePeriodSeconds', String(next.deletionGracePeriodSeconds));
  errors.push(...validateMaps(next, current));
  return errors;
}

/** As Go prints a time that is part of a message. */
const goTime = (time: string | null | undefined): string =>
  time ? `${time.slice(0, 10)} ${time.slice(11, 19)} +0000 UTC` : 'null';
