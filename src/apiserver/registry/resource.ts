/** What a kind of object brings to the server: its names, its shape and its rules. The rest is the same for all. */
import type { StructSchema } from '../../kube/schema.js';
import type { FieldError } from '../field-error.js';
import type { FieldReader } from '../selectors.js';
import type { ApiObject } from '../store.js';

export type Subresource = '' | 'status';

/** What an update may change, by the part of the object it goes to. */
export interface UpdateRules {
  /** Puts back what this update may not touch. */
  prepare(next: ApiObject, current: ApiObject): ApiObject;
  validate(next: ApiObject, current: ApiObject): FieldError[];
}

export interface Resource {
  readonly plural: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly isNamespaced: boolean;
  readonly schema: StructSchema;
  readonly fieldReader: FieldReader;
  /** Fills in what was not given, after every decoding. Gives back the same object if nothing was missing. */
  applyDefaults(object: ApiObject): ApiObject;
  /** On top of the defaults, for a new object or a main update. */
  admit(object: ApiObject, current: ApiObject | undefined): ApiObject;
  prepareForCreate(object: ApiObject): ApiObject;
  validate(object: ApiObject): FieldError[];
  /** What is allowed, but better not done. */
  warnings(object: ApiObject): string[];
  readonly updates: Readonly<Partial<Record<Subresource, UpdateRules>>>;
  /** The grace period in seconds for a deletion; undefined if the kind is not deleted gracefully. */
  gracePeriod(object: ApiObject, requested: number | undefined): number | undefined;
}
