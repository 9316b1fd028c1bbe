/**
 * JSON patches (RFC 6902) with the habits of the library that API servers use: `replace` adds a member that is not
 * there, `copy` of one that is not there copies null, an index may count from the end, the whole document can be
 * replaced or tested but not added or removed, and a scalar in its place is ignored.
 *
 * A patch applies whole or not at all. Neither input is changed; the result shares with both.
 */
import { goJson } from './go-json.js';
import {
  type JsonObject,
  MAX_DEPTH,
  type MutableObject,
  getOwn,
  isList,
  isObject,
  isShallow,
  jsonEqual,
  setOwn,
} from './json.js';
import { PatchError } from './patch-error.js';

type Container = JsonObject | readonly unknown[];

export interface JsonPatchOptions {
  /** How many characters of JSON all `copy` operations together may add: copies of copies grow fast. */
  readonly copyLimit?: number;
}

const COPY_LIMIT = 3 * 1024 * 1024;

export function jsonPatch(document: unknown, patch: unknown, options: JsonPatchOptions = {}): unknown {
  const operations = decode(patch);
  if (!isShallow(document)) throw tooDeep();
  const { copyLimit = COPY_LIMIT } = options;
  let copied = 0;
  let result = document;
  for (const operation of operations) {
    if (operation.op === 'copy') {
      copied += goJson(read(result, fromOf(operation), 'copy')).length;
      if (copied > copyLimit) throw refused(`copies add more than ${copyLimit} characters; copy less`);
    }
    result = apply(result, operation);
  }
  if (!isShallow(result)) throw tooDeep();
  return result;
}

interface Operation {
  readonly op?: string | null;
  readonly path?: string | null;
  readonly from?: string | null;
  readonly value?: unknown;
}

/** Go's decoder takes null for an empty value. */
function decode(patch: unknown): readonly Operation[] {
  if (patch === null) return [];
  if (!isList(patch)) throw undecodable(patch, 'value of type []handlers.jsonPatchOp');
  if (!isShallow(patch)) throw tooDeep();
  return patch.map((operation: unknown) => {
    if (operation === null) return {};
    if (!isObject(operation)) throw undecodable(operation, 'value of type handlers.jsonPatchOp');
    for (const name of ['op', 'from', 'path']) {
      const value = getOwn(operation, name) ?? null;
      if (value !== null && typeof value !== 'string') {
        throw undecodable(value, `struct field jsonPatchOp.${name} of type string`);
      }
    }
    return operation;
  });
}

function undecodable(value: unknown, into: string): PatchError {
  const type = isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const text = `error decoding patch: json: cannot unmarshal ${type} into Go ${into}`;
  return new PatchError('ERR_PATCH_DOCUMENT', text);
}

function tooDeep(): PatchError {
  return new PatchError('ERR_PATCH_TOO_DEEP', `nested deeper than ${MAX_DEPTH}; no API object is`);
}

function refused(why: string): PatchError {
  return new PatchError('ERR_PATCH_OPERATION', why);
}

function apply(document: unknown, operation: Operation): unknown {
  const { value = null } = operation;
  switch (operation.op) {
    case 'add':
      return add(document, pathOf(operation), value);
    case 'remove':
      return remove(document, pathOf(operation));
    case 'replace':
      return replace(document, pathOf(operation), value);
    case 'test':
      return test(document, pathOf(operation), value);
    case 'copy':
      return add(document, pathOf(operation), read(document, fromOf(operation), 'copy'));
    case 'move': {
      const from = fromOf(operation);
      return add(remove(document, from), pathOf(operation), read(document, from, 'move'));
    }
    default:
      throw refused(`Unexpected kind: ${operation.op ?? 'unknown'}`);
  }
}

function pathOf({ op, path }: Operation): string {
  if (typeof path !== 'string') throw refused(`${op} operation failed to decode path: missing value`);
  return path;
}

function fromOf({ op, from }: Operation): string {
  if (typeof from !== 'string') throw refused(`${op} operation failed to decode from: missing value`);
  return from;
}

function add(document: unknown, path: string, value: unknown): unknown {
  return edit(document, path, 'add', (container, key) => {
    if (!isList(container)) return withMember(container, key, value);
    const at = key === '-' ? container.length : indexOf(key, container.length + 1, path);
    return container.toSpliced(at, 0, value);
  });
}

function remove(document: unknown, path: string): unknown {
  return edit(document, path, 'remove', (container, key) => {
    if (isList(container)) return container.toSpliced(indexOf(key, container.length, path), 1);
    if (getOwn(container, key) === undefined) throw refused(`unable to remove nonexistent key: ${key}`);
    const rest: MutableObject = { ...container };
    delete rest[key];
    return rest;
  });
}

function replace(document: unknown, path: string, value: unknown): unknown {
  if (path === '') return isList(value) || isObject(value) ? value : document;
  return edit(document, path, 'replace', (container, key) => {
    if (!isList(container)) return withMember(container, key, value);
    return container.with(indexOf(key, container.length, path), value);
  });
}

function test(document: unknown, path: string, value: unknown): unknown {
  const found = path === '' ? document : read(document, path, 'test');
  if (!jsonEqual(found, value)) throw refused(`testing value ${path} failed`);
  return document;
}

function withMember(object: JsonObject, name: string, value: unknown): JsonObject {
  const copy: MutableObject = { ...object };
  setOwn(copy, name, value);
  return copy;
}

/** The value at a path; null for a member that is not there. */
function read(document: unknown, path: string, op: string): unknown {
  const keys = keysOf(path);
  const last = keys.pop();
  let container = document;
  for (const key of keys)
    container = isList(container) || isObject(container) ? child(container, key, path) : undefined;
  if (last === undefined || !(isList(container) || isObject(container))) throw missing(op, path);
  return child(container, last, path) ?? null;
}

function child(container: Container, key: string, path: string): unknown {
  return isList(container) ? container[indexOf(key, container.length, path)] : getOwn(container, key);
}

/** A copy of the document in which the container that a path's last key is in was replaced. */
function edit(
  document: unknown,
  path: string,
  op: string,
  change: (container: Container, key: string) => Container,
): unknown {
  const keys = keysOf(path);
  const down = (value: unknown, depth: number): Container => {
    if (!(isList(value) || isObject(value)) || depth === keys.length) throw missing(op, path);
    const key = keys[depth];
    if (depth === keys.length - 1) return change(value, key);
    const below = down(child(value, key, path), depth + 1);
    return isList(value)
      ? value.with(indexOf(key, value.length, path), below)
      : withMember(value, key, below);
  };
  return down(document, 0);
}

/** None for a path that does not start with a slash: it leads nowhere. */
function keysOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function missing(op: string, path: string): PatchError {
  return refused(`${op} operation does not apply: doc is missing path: "${path}"`);
}

/** An index as strconv.Atoi reads it; a negative one counts from the end. */
function indexOf(key: string, length: number, path: string): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  const at = index < 0 ? index + length : index;
  if (!(at >= 0 && at < length)) throw refused(`no index ${key} in a list of ${length}, in ${path}`);
  return at;
}
