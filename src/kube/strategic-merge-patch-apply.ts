/**
 * Applying a strategic merge patch as an API server does (StrategicMergePatch).
 *
 * Maps are merged member by member, null takes one away, lists are merged or replaced as the schema says, and directives
 * are obeyed:
 *
 *     $patch: replace | delete     in a map: it becomes the rest of this map, or {}
 *     {$patch: delete, key: …}     in a merged list: the elements of that key go; {$patch: replace}: all go
 *     $retainKeys                  the members that stay
 *     $setElementOrder/list        the order of a merged list
 *     $deleteFromPrimitiveList/list    values that go from a list of plain values
 *
 * What is new to the object comes without its nulls and without maps that hold `$patch`; what is replaced whole comes as
 * it is. Neither input is changed; the result shares with both.
 */
import { goFormat } from './go-format.js';
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
import type { FieldSchema, StructSchema } from './schema.js';
import {
  badType,
  elementKindOf,
  matchedBy,
  normalizeElementOrder,
  positionsOf,
} from './strategic-merge-patch-lists.js';

type List = readonly unknown[];

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const SET_ELEMENT_ORDER = '$setElementOrder';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

export function strategicMergePatch<T extends object>(original: T, patch: unknown, schema: StructSchema): T {
  if (!isObject(patch)) throw new PatchError('ERR_PATCH_DOCUMENT', 'invalid JSON document');
  if (!isShallow(patch) || !isShallow(original)) {
    throw new PatchError('ERR_PATCH_TOO_DEEP', `nested deeper than ${MAX_DEPTH}; no API object is`);
  }
  return mergeMap(original as JsonObject, patch, schema) as T;
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: StructSchema | undefined): JsonObject {
  const directive = getOwn(patch, DIRECTIVE);
  if (directive !== undefined) return obey(directive, patch);
  const merged = retained(original, patch);
  const ordered = mergeOrderedLists(merged, patch, schema);
  for (const name of Object.keys(patch)) {
    if (name === RETAIN_KEYS || name.startsWith(SET_ELEMENT_ORDER) || ordered.has(name)) continue;
    const isDeletion = name.startsWith(DELETE_FROM_LIST);
    const target = isDeletion ? targetOf(name, DELETE_FROM_LIST) : name;
    mergeMember(merged, target, patch[name], schema?.fields.get(target), isDeletion);
  }
  return merged;
}

function obey(directive: unknown, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive === 'replace') {
    const { [DIRECTIVE]: _, ...rest } = patch;
    return rest;
  }
  throw badDirective(directive, patch);
}

function badDirective(directive: unknown, patch: JsonObject): PatchError {
  const shown = typeof directive === 'string' ? directive : `%!s(${goTyped(directive)})`;
  return new PatchError('ERR_PATCH_DIRECTIVE', `unknown patch type: ${shown} in map: ${goFormat(patch)}`);
}

/** A value where Go's `%s` met no string. */
function goTyped(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'boolean') return `bool=${value}`;
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'int64' : 'float64'}=${goFormat(value)}`;
  return goFormat(value);
}

/** A copy of the original, without what $retainKeys does not list. */
function retained(original: JsonObject, patch: JsonObject): MutableObject {
  const keys = getOwn(patch, RETAIN_KEYS);
  if (keys === undefined) return { ...original };
  if (!isList(keys)) throw badRetainKeys();
  const kept = new Set(keys);
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    const isDirective =
      name === RETAIN_KEYS || name.startsWith(SET_ELEMENT_ORDER) || name.startsWith(DELETE_FROM_LIST);
    if (value !== null && value !== undefined && !isDirective && !kept.has(name)) throw badRetainKeys();
  }
  const copy: MutableObject = {};
  for (const name of Object.keys(original)) if (kept.has(name)) setOwn(copy, name, original[name]);
  return copy;
}

function badRetainKeys(): PatchError {
  return new PatchError('ERR_PATCH_FORMAT', 'invalid patch format of retainKeys');
}

/** The list a directive is about: what follows `prefix/`. */
function targetOf(name: string, prefix: typeof SET_ELEMENT_ORDER | typeof DELETE_FROM_LIST): string {
  if (name.startsWith('/', prefix.length)) return name.slice(prefix.length + 1);
  const what = prefix === SET_ELEMENT_ORDER ? 'setElementOrder list' : 'primitive list';
  throw new PatchError('ERR_PATCH_FORMAT', `invalid patch format of ${what}`);
}

/** Merges every list that has its order told. Returns their names. */
function mergeOrderedLists(
  merged: MutableObject,
  patch: JsonObject,
  schema: StructSchema | undefined,
): ReadonlySet<string> {
  const done = new Set<string>();
  for (const name of Object.keys(patch)) {
    if (!name.startsWith(SET_ELEMENT_ORDER)) continue;
    const target = targetOf(name, SET_ELEMENT_ORDER);
    const order = listOf(patch[name]);
    const server = getOwn(merged, target);
    const given = getOwn(patch, target);
    const current = server === undefined ? undefined : listOf(server);
    const changes = given === undefined ? undefined : listOf(given);
    const field = schema?.fields.get(target);
    if (field === undefined) throw unknownField(schema, target);
    checkOrder(changes ?? [], order, field.mergeKey);
    if (current === undefined && changes === undefined) continue;
    setOwn(merged, target, inToldOrder(field, current, changes, order));
    done.add(target);
  }
  return done;
}

function listOf(value: unknown): List {
  if (!isList(value)) throw badType('[]interface {}', value);
  return value;
}

function unknownField(schema: StructSchema | undefined, name: string): PatchError {
  const where = schema === undefined ? 'a map' : `struct ${schema.name}`;
  return new PatchError(
    'ERR_PATCH_FIELD',
    `unable to find api field in ${where} for the json field "${name}"`,
  );
}

/**
 * What is patched must be listed, and in that order; an empty list says nothing. Elements to delete do not count, nor do
 * other directives, unless they come after all that is listed.
 */
function checkOrder(changes: List, order: List, mergeKey: string): void {
  if (order.length === 0) return;
  const kept = mergeKey === '' ? changes : changes.filter((element) => directiveOf(element) !== 'delete');
  let next = 0;
  for (let i = 0; i < order.length && next < kept.length;) {
    if (mergeKey !== '' && directiveOf(kept[next]) !== undefined) next++;
    else if (matchedBy(kept[next], mergeKey) === matchedBy(order[i++], mergeKey)) next++;
  }
  if (next === kept.length) return;
  throw new PatchError(
    'ERR_PATCH_ELEMENT_ORDER',
    `The order in patch list:\n${goFormat(changes)}\n doesn't match $setElementOrder list:\n${goFormat(order)}\n`,
  );
}

function directiveOf(element: unknown): unknown {
  if (!isObject(element)) throw badType('map[string]interface {}', element);
  return getOwn(element, DIRECTIVE);
}

function inToldOrder(
  field: FieldSchema,
  current: List | undefined,
  changes: List | undefined,
  order: List,
): List {
  const { list, serverOrder } =
    changes === undefined || current === undefined
      ? { list: current ?? (withoutDirectives(changes, false) as List), serverOrder: current ?? [] }
      : mergeLists(field, current, changes, false);
  // Called for what it refuses: no elements at all, elements of several types.
  elementKindOf(current ?? [], changes ?? []);
  return normalizeElementOrder(list, order, serverOrder, field.mergeKey);
}

function mergeMember(
  merged: MutableObject,
  name: string,
  value: unknown,
  field: FieldSchema | undefined,
  isDeletion: boolean,
): void {
  if (value === undefined) return;
  if (value === null) {
    delete merged[name];
    return;
  }
  const current = getOwn(merged, name);
  if (isObject(current) && isObject(value)) {
    setOwn(merged, name, mergeMap(current, value, field?.kind === 'struct' ? field.struct : undefined));
  } else if (isList(current) && isList(value)) {
    setOwn(merged, name, mergeLists(field, current, value, isDeletion).list);
  } else if (!isDeletion) {
    const added = withoutDirectives(value, true);
    if (added === undefined) delete merged[name];
    else setOwn(merged, name, added);
  }
}

/** undefined for a map that holds `$patch`, which is left out wherever it is. */
function withoutDirectives(value: unknown, dropNulls: boolean): unknown {
  if (isList(value)) {
    return value
      .map((element) => withoutDirectives(element, dropNulls))
      .filter((element) => element !== undefined);
  }
  if (!isObject(value)) return value;
  const directive = getOwn(value, DIRECTIVE);
  if (directive !== undefined && !(dropNulls && directive === null)) return undefined;
  const kept: MutableObject = {};
  for (const name of Object.keys(value)) {
    if (dropNulls && value[name] === null) continue;
    const member = withoutDirectives(value[name], dropNulls);
    if (member !== undefined) setOwn(kept, name, member);
  }
  return kept;
}

interface Merged {
  readonly list: List;
  /** The order that counts as the server's if $setElementOrder tells another. */
  readonly serverOrder: List;
}

function mergeLists(
  field: FieldSchema | undefined,
  original: List,
  patch: List,
  isDeletion: boolean,
): Merged {
  const mergeKey = field?.mergeKey ?? '';
  const serverOrder = original;
  if (field?.strategy !== 'merge' && !isDeletion) return { list: patch, serverOrder };
  if (original.length === 0 && patch.length === 0) return { list: original, serverOrder };
  if (elementKindOf(original, patch) === 'map') return mergeListsOfMaps(field, original, patch, mergeKey);
  if (isDeletion) {
    const gone = new Set(patch);
    return { list: original.filter((element) => !gone.has(element)), serverOrder };
  }
  // If the server's own list repeats a value, Go may leave another order: it drops repeats in place.
  const all = [...new Set([...original, ...patch])];
  return { list: normalizeElementOrder(all, patch, original, mergeKey), serverOrder };
}

function mergeListsOfMaps(
  field: FieldSchema | undefined,
  original: List,
  patch: List,
  mergeKey: string,
): Merged {
  if (mergeKey === '') {
    const type = field?.element ?? 'map';
    throw new PatchError('ERR_PATCH_MERGE_KEY', `cannot merge lists without merge key for ${type}`);
  }
  const { server, changes, replaced } = obeyElements(
    original as readonly JsonObject[],
    patch as readonly JsonObject[],
    mergeKey,
  );
  const merged: JsonObject[] = [...server];
  const positions = new Map(positionsOf(server, mergeKey));
  for (const change of changes) {
    const key = matchedBy(change, mergeKey);
    const position = positions.get(key);
    if (position === undefined) positions.set(key, merged.push(change) - 1);
    else merged[position] = mergeMap(merged[position], change, field?.struct);
  }
  return {
    list: normalizeElementOrder(merged, changes, server, mergeKey),
    // Go deletes and appends in the memory of the original list: an added element takes over a deleted one's place.
    serverOrder: replaced ? original : merged.slice(0, original.length),
  };
}

interface Obeyed {
  readonly server: readonly JsonObject[];
  readonly changes: readonly JsonObject[];
  readonly replaced: boolean;
}

/** Takes the elements with `$patch` out of the patch and does what they say. */
function obeyElements(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): Obeyed {
  const changes: JsonObject[] = [];
  const gone = new Set<unknown>();
  let replaced = false;
  for (const element of patch) {
    const directive = getOwn(element, DIRECTIVE);
    if (directive === undefined) changes.push(element);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'delete') gone.add(matchedBy(element, mergeKey));
    else if (directive === 'merge') {
      throw new PatchError('ERR_PATCH_DIRECTIVE', 'merging lists cannot yet be specified in the patch');
    } else throw badDirective(directive, element);
  }
  if (replaced) return { server: changes, changes: [], replaced };
  return { server: original.filter((element) => !gone.has(getOwn(element, mergeKey))), changes, replaced };
}
