/**
 * The checks on the way in: what is no object, no list or has a field of the wrong kind is refused by its path.
 *
 * Callers test by hand and come here only with what failed or is unusual, so nothing here needs to be fast, and paths
 * are put together only when there is something to say.
 */
import { type KubeError, describe } from './errors.js';
import { badStatus, checkLength, copyJson, setOwn } from './foreign-json.js';
import type { Fields } from './known-fields.js';

/** Of conditions, containers or addresses. An API server takes objects of 1.5 MB, which is fewer. */
const LONGEST_LIST = 10_000;

/** An object of T's fields about whose values nothing is known. */
export type Loose<T> = { readonly [K in keyof T]?: unknown };

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const notAnObject = (value: unknown, path: string): KubeError =>
  badStatus(path, `must be an object, got ${describe(value)}`);

/** The list, or the nil it stands for; anything else is refused. */
export function listOf(value: unknown, path: string): readonly unknown[] | null | undefined {
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value)) throw badStatus(path, `must be a list, got ${describe(value)}`);
  checkLength(value, path, LONGEST_LIST);
  return value as unknown[];
}

/** Says which of the fields is wrong, once a caller found that one is. */
export function badField(object: object, fields: Fields, path: string): KubeError {
  for (const [name, kind] of Object.entries(fields.kinds)) {
    const value: unknown = (object as Record<string, unknown>)[name];
    if (!kind.fits(value))
      return badStatus(within(path, name), `must be ${kind.what}, got ${describe(value)}`);
  }
  return badStatus(path, 'has a field of the wrong kind');
}

/** Copies what is not known from the original to its copy. */
export function addUnknown<T extends object>(copy: T, original: object, fields: Fields, path: string): T {
  for (const [name, value] of Object.entries(original)) {
    if (value !== undefined && !fields.has(name)) setOwn(copy, name, copyJson(value, within(path, name)));
  }
  return copy;
}

export const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
