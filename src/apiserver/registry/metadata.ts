/** Rules for metadata, the same for every kind. */
import type { ObjectMeta } from '../../kube/types.js';
import { jsonEqual } from '../../kube/json.js';
import {
  type FieldError,
  forbidden,
  invalidValue,
  quote,
  required,
  tooLong,
} from '../field-error.js';
import { validateLabelValue, validateQualifiedName, validateSubdomain } from './names.js';

const MAX_ANNOTATIONS = 262_144;
const MAX_NAME = 253;

/** Of a new object. */
export function validateObjectMeta(metadata: ObjectMeta, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', generateName = '' } = metadata;
  if (generateName.length > MAX_NAME) {
    errors.push(
      invalidValue('metadata.generateName', quote(generateName), `must be no more than ${MAX_NAME} characters`),
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
  errors.push(...validateMaps(metadata), ...validateFinalizers(metadata));
  return errors;
}

/** Of labels, annotations and owners. */
export function validateMaps(metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    for (const detail of validateQualifiedName(key)) {
      errors.push(invalidValue('metadata.labels', quote(key), detail));
    }
    for (const detail of validateLabelValue(value)) {
      errors.push(invalidValue('metadata.labels', quote(value), detail));
    }
  }
  let size = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    for (const detail of validateQualifiedName(key.toLowerCase())) {
      errors.push(invalidValue('metadata.annotations', quote(key), detail));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_ANNOTATIONS) errors.push(tooLong('metadata.annotations', MAX_ANNOTATIONS));
  (metadata.ownerReferences ?? []).forEach((owner, index) => {
    for (const name of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (owner[name] !== '') continue;
      const field = `metadata.ownerReferences[${index}].${name}`;
      errors.push(
        name === 'apiVersion'
          ? invalidValue(field, quote(''), 'version must not be empty')
          : invalidValue(field, quote(''), `${name} must not be empty`),
      );
    }
  });
  return errors;
}

function validateFinalizers(metadata: ObjectMeta): FieldError[] {
  return (metadata.finalizers ?? []).flatMap((finalizer) =>
    validateQualifiedName(finalizer).map((detail) =>
      invalidValue('metadata.finalizers', quote(finalizer), detail),
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
  errors.push(...validateMaps(next));
  return errors;
}

/** As Go prints a time that is part of a message. */
const goTime = (time: string | null | undefined): string =>
  time ? `${time.slice(0, 10)} ${time.slice(11, 19)} +0000 UTC` : 'null';
