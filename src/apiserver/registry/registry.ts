/**
 * The same for every kind: create, get, update, with the server's own fields kept true and each kind's rules asked.
 *
 * Everything here is synchronous, so no two writes ever meet: a check and the write that follows it are one step.
 */
import { schemaOf } from '../../kube/schema.js';
import type { ObjectMeta } from '../../kube/types.js';
import { jsonEqual } from '../../kube/json.js';
import {
  StatusError,
  alreadyExists,
  badRequest,
  conflict,
  internal,
  invalid,
  notFound,
  staleResourceVersion,
} from '../status-error.js';
import type { ApiObject, Store } from '../store.js';
import { formatTime } from '../types/time.js';
import { validateMeta, validateMetaUpdate } from './metadata.js';
import type { Resource, Subresource } from './resource.js';

/** Where what is not in a request comes from. */
export interface Environment {
  now(): number;
  newUID(): string;
  /** Five characters for a generated name. */
  nameSuffix(): string;
}

export interface ObjectRef {
  readonly resource: Resource;
  /** '' for what has none. */
  readonly namespace: string;
  readonly name: string;
}

export interface WriteOptions {
  readonly dryRun: boolean;
}

export interface UpdateOptions extends WriteOptions {
  readonly subresource: Subresource;
  /** A PUT may only replace the object it was made from; a PATCH with another UID breaks a rule instead. */
  readonly expectedUID?: string;
}

const META_FIELDS = [...schemaOf('ObjectMeta').fields.keys()];

/** How much of the name a suffix leaves room for. */
const MAX_GENERATED_BASE = 58;

export const keyOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** Fields in the order of the type, absent ones left out. */
export function shapedMeta(metadata: ObjectMeta): ObjectMeta {
  const shaped: Record<string, unknown> = {};
  for (const name of META_FIELDS) {
    const value = metadata[name as keyof ObjectMeta];
    if (value !== undefined) shaped[name] = value;
  }
  return shaped;
}

export const withMeta = <T extends ApiObject>(object: T, metadata: ObjectMeta): T => ({
  ...object,
  metadata: shapedMeta({ ...object.metadata, ...metadata }),
});

export class Registry {
  readonly #store: Store;
  readonly #environment: Environment;

  constructor(store: Store, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
  }

  get(ref: ObjectRef): ApiObject {
    const object = this.#store.get(ref.resource.plural, keyOf(ref));
    if (object === undefined) throw notFound(ref.resource.plural, ref.name);
    return object;
  }

  create(resource: Resource, namespace: string, given: ApiObject, { dryRun }: WriteOptions): ApiObject {
    checkNamespace(given.metadata, namespace);
    if (resource.isNamespaced && this.#store.get('namespaces', namespace) === undefined) {
      throw notFound('namespaces', namespace);
    }
    const { name, resourceVersion } = given.metadata;
    const generated = name ?? this.#generateName(given.metadata.generateName ?? '');
    let object = withMeta(given, {
      ...(generated === '' ? {} : { name: generated }),
      ...(namespace === '' ? {} : { namespace }),
      uid: this.#environment.newUID(),
      resourceVersion: undefined,
      creationTimestamp: formatTime(this.#environment.now()),
      deletionTimestamp: undefined,
      deletionGracePeriodSeconds: undefined,
    });
    object = resource.prepareForCreate(resource.admit(resource.applyDefaults(object), undefined));
    const errors = resource.validate(object);
    if (errors.length > 0) throw invalid(resource.kind, generated, errors);
    if (resourceVersion !== undefined && resourceVersion !== '0') {
      throw internal('resourceVersion should not be set on objects to be created');
    }
    const key = keyOf({ namespace, name: generated });
    const existing = this.#store.get(resource.plural, key);
    if (existing !== undefined) {
      throw alreadyExists(resource.plural, generated, Boolean(existing.metadata.deletionTimestamp));
    }
    if (dryRun) return object;
    return this.#store.put(resource.plural, key, (version) => withMeta(object, { resourceVersion: version }));
  }

  /** `change` makes the new object from the current one. Gives back what is stored after it, or would be. */
  update(ref: ObjectRef, change: (current: ApiObject) => ApiObject, options: UpdateOptions): ApiObject {
    const { resource, name } = ref;
    const rules = resource.updates[options.subresource];
    if (rules === undefined) throw new Error(`${resource.plural} has no update of '${options.subresource}'`);
    const key = keyOf(ref);
    const found = this.#store.get(resource.plural, key);
    const { expectedUID = '' } = options;
    if (expectedUID !== '' && expectedUID !== found?.metadata.uid) {
      throw conflict(resource.plural, name, wrongUID(ref, expectedUID, found?.metadata.uid ?? ''));
    }
    const current = this.get(ref);
    const given = change(current);
    checkName(given.metadata, name);
    checkNamespace(given.metadata, ref.namespace);
    checkVersion(given.metadata.resourceVersion ?? '', current, ref);
    const complete = resource.applyDefaults(given);
    const admitted = options.subresource === '' ? resource.admit(complete, current) : complete;
    const prepared = rules.prepare(admitted, current);
    const next = withServerFields(prepared, current);
    // Each layer of the real server asks again, and each answer is a cause of its own.
    const errors = [
      ...validateMeta(next.metadata, current.metadata),
      ...validateMetaUpdate(next.metadata, current.metadata),
      ...rules.validate(next, current),
    ];
    if (errors.length > 0) throw invalid(resource.kind, name, errors);
    if (jsonEqual(next, current)) return current;
    if (options.dryRun) return next;
    if (lostItsLastFinalizer(next, current)) {
      this.#store.delete(resource.plural, key);
      return next;
    }
    return this.#store.put(resource.plural, key, (version) => withMeta(next, { resourceVersion: version }));
  }

  #generateName(base: string): string {
    return base === '' ? '' : base.slice(0, MAX_GENERATED_BASE) + this.#environment.nameSuffix();
  }
}

function checkName(metadata: ObjectMeta, name: string): void {
  const given = metadata.name ?? '';
  if (given === name) return;
  throw badRequest(
    given === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${given}) does not match the name on the URL (${name})`,
  );
}

function checkNamespace(metadata: ObjectMeta, namespace: string): void {
  if ((metadata.namespace ?? namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** None, and 0, is a write whatever the object's version is. */
function checkVersion(given: string, current: ApiObject, ref: ObjectRef): void {
  if (given === '' || given === '0' || given === current.metadata.resourceVersion) return;
  if (!/^\d+$/.test(given)) {
    throw new StatusError(
      500,
      undefined,
      `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`,
    );
  }
  throw staleResourceVersion(ref.resource.plural, ref.name);
}

function wrongUID({ resource, namespace, name }: ObjectRef, expected: string, found: string): string {
  const key = `/registry/${resource.plural}/${keyOf({ namespace, name })}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${expected}, UID in object meta: ${found}`;
}

/** What only the server sets is as it was; where a client may say it too, it may also leave it out. */
function withServerFields(next: ApiObject, current: ApiObject): ApiObject {
  const { metadata } = next;
  const old = current.metadata;
  return {
    ...next,
    metadata: shapedMeta({
      ...metadata,
      namespace: old.namespace,
      uid: metadata.uid ?? old.uid,
      resourceVersion: old.resourceVersion,
      generation: old.generation,
      creationTimestamp: old.creationTimestamp,
      deletionTimestamp: metadata.deletionTimestamp ?? old.deletionTimestamp,
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    }),
  };
}

/** It waited for nothing else: the grace period was over. */
function lostItsLastFinalizer(next: ApiObject, current: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = next.metadata;
  return (
    Boolean(deletionTimestamp) &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    (finalizers ?? []).length === 0 &&
    (current.metadata.finalizers ?? []).length > 0
  );
}
