/**
 * JSON merge patches (RFC 7386) as an API server applies them: null takes a member away, objects are merged, everything
 * else is replaced. Nulls also vanish from objects inside a list, which the RFC would keep, unless it replaces an object.
 *
 * Neither input is changed; the result shares with both.
 */
import {
  type JsonObject,
  MAX_DEPTH,
  type MutableObject,
  getOwn,
  isList,
  isObject,
  isShallow,
  setOwn,
} from './json.js';
import { PatchError } from './patch-error.js';

export function jsonMergePatch(original: unknown, patch: unknown): unknown {
  if (!isObject(patch) && !isList(patch)) throw new PatchError('ERR_PATCH_DOCUMENT', 'Invalid JSON Patch');
  if (!isShallow(patch) || !isShallow(original)) {
    throw new PatchError('ERR_PATCH_TOO_DEEP', `nested deeper than ${MAX_DEPTH}; no API object is`);
  }
  return merge(original, patch);
}

function merge(original: unknown, patch: unknown): unknown {
  if (!isObject(original)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(original, patch) : patch;
}

function mergeObjects(original: JsonObject, patch: JsonObject): JsonObject {
  const merged: MutableObject = { ...original };
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete merged[name];
    else if (value !== undefined) setOwn(merged, name, merge(getOwn(merged, name), value));
  }
  return merged;
}

function withoutNulls(value: unknown): unknown {
  if (isList(value)) return value.map(withoutNulls);
  return isObject(value) ? mergeObjects({}, value) : value;
}
