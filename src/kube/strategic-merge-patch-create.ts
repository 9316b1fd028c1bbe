/**
 * The strategic merge patch that turns one object into another, as Kubernetes makes it (CreateTwoWayMergePatch).
 *
 * Only differences are in it. null takes a field away. A merged list holds the changed elements in the new list's
 * order, then `{$patch: delete}` for those that are gone, and beside it `$setElementOrder` has all keys of the new list.
 * Other lists are replaced whole.
 *
 * The patch shares sub-objects with what was compared; neither is ever changed.
 */
import { goFormat } from './go-format.js';
import { compareUtf8 } from './go-json.js';
import {
  type JsonObject,
  MAX_DEPTH,
  type MutableObject,
  getOwn,
  isList,
  isObject,
  jsonEqual,
  setOwn,
  tooDeep,
} from './json.js';
import { PatchError } from './patch-error.js';
import type { FieldSchema, StructSchema } from './schema.js';
import { elementKindOf, inOrderOf, matchedBy, positionsOf } from './strategic-merge-patch-lists.js';

type List = readonly unknown[];

/** `original` and `modified` are encoded objects of that type (encode.ts). */
export function createTwoWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: StructSchema,
): JsonObject {
  return diffMaps(original, modified, schema, false, 0);
}

function diffMaps(
  original: JsonObject,
  modified: JsonObject,
  schema: StructSchema | undefined,
  retainKeys: boolean,
  depth: number,
): MutableObject {
  if (depth > MAX_DEPTH) throw tooDeep();
  const patch: MutableObject = {};
  const names = Object.keys(modified);
  const before = Object.keys(original);
  let inBoth = 0;
  for (const name of names) {
    const to = modified[name];
    if (to === undefined) continue;
    const from = getOwn(original, name);
    if (from === undefined) {
      setOwn(patch, name, to);
      continue;
    }
    inBoth++;
    if (from !== to || typeof to === 'object') {
      diffMember(name, from, to, schema?.fields.get(name), patch, depth);
    }
  }
  if (before.length > inBoth) {
    for (const name of before) {
      if (original[name] !== undefined && getOwn(modified, name) === undefined) setOwn(patch, name, null);
    }
  }
  if (retainKeys && !isEmpty(patch)) {
    const retained = names.filter((name) => modified[name] !== undefined && modified[name] !== null);
    if (retained.length > 0) patch.$retainKeys = retained.sort(compareUtf8);
  }
  return patch;
}

function isEmpty(patch: JsonObject): boolean {
  return Object.keys(patch).length === 0;
}

function diffMember(
  name: string,
  from: unknown,
  to: unknown,
  field: FieldSchema | undefined,
  patch: MutableObject,
  depth: number,
): void {
  if (name === '$patch' && !(typeof from === 'string' && typeof to === 'string')) {
    throw new PatchError('ERR_PATCH_DIRECTIVE', 'invalid value for special key: $patch');
  }
  if (isObject(from) && isObject(to)) {
    const struct = field?.kind === 'struct' ? field.struct : undefined;
    const changes = diffMaps(from, to, struct, false, depth + 1);
    if (!isEmpty(changes)) setOwn(patch, name, changes);
  } else if (field?.strategy === 'merge' && isList(from) && isList(to)) {
    diffLists(field, from, to, patch, depth + 1);
  } else if (!jsonEqual(from, to)) {
    setOwn(patch, name, to);
  }
}

/** Writes up to three members for one list. */
function diffLists(
  field: FieldSchema,
  original: List,
  modified: List,
  patch: MutableObject,
  depth: number,
): void {
  if (original.length === 0) {
    if (modified.length > 0) patch[field.name] = modified;
    return;
  }
  if (elementKindOf(original, modified) === 'map') diffListsOfMaps(field, original, modified, patch, depth);
  else diffListsOfScalars(field, original, modified, patch);
}

function diffListsOfMaps(
  field: FieldSchema,
  original: List,
  modified: List,
  patch: MutableObject,
  depth: number,
): void {
  const { name, mergeKey, struct, retainKeys } = field;
  const before = sortedByKey(original, mergeKey);
  const after = sortedByKey(modified, mergeKey);
  const changed: JsonObject[] = [];
  const deleted: JsonObject[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const old = before[i];
    const now = after[j];
    const order = old === undefined ? 1 : now === undefined ? -1 : compareUtf8(old.text, now.text);
    if (order === 0) {
      const changes = diffMaps(old.element, now.element, struct, retainKeys, depth + 1);
      if (!isEmpty(changes)) {
        changes[mergeKey] = now.key;
        changed.push(changes);
      }
    } else if (order > 0) {
      changed.push(now.element);
    } else {
      deleted.push({ $patch: 'delete', [mergeKey]: old.key });
    }
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  if (changed.length > 0 || deleted.length > 0) {
    patch[name] = [...inOrderOf(positionsOf(modified, mergeKey), changed, mergeKey), ...deleted];
  } else if (isOrderSame(original, modified, mergeKey)) {
    return;
  }
  if (modified.length > 0) {
    patch[`$setElementOrder/${name}`] = modified.map((element) => ({
      [mergeKey]: (element as JsonObject)[mergeKey],
    }));
  }
}

function isOrderSame(original: List, modified: List, mergeKey: string): boolean {
  return (
    original.length === modified.length &&
    original.every((element, i) => matchedBy(element, mergeKey) === matchedBy(modified[i], mergeKey))
  );
}

interface Keyed {
  readonly element: JsonObject;
  readonly key: unknown;
  /** What Go compares. */
  readonly text: string;
}

/**
 * Elements of one key come in reverse. Kubernetes sorts with a comparison that calls equals less, which does that to up
 * to 12 elements; what it does to longer lists that hold a key twice is up to Go's sort, and not copied.
 */
function sortedByKey(list: List, mergeKey: string): readonly Keyed[] {
  const keyed: Keyed[] = [];
  for (let i = list.length - 1; i >= 0; i--) {
    const key = matchedBy(list[i], mergeKey);
    const text = typeof key === 'string' ? key : goFormat(key);
    keyed.push({ element: list[i] as JsonObject, key, text });
  }
  return keyed.sort((a, b) => compareUtf8(a.text, b.text));
}

/** Go sorts the original in place and then compares it with the new list: an order that was not sorted is told anew. */
function diffListsOfScalars(
  { name }: FieldSchema,
  original: List,
  modified: List,
  patch: MutableObject,
): void {
  const before = sortedScalars(original);
  const after = sortedScalars(modified);
  const added: unknown[] = [];
  const deleted: unknown[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const order =
      i === before.length
        ? 1
        : j === after.length
          ? -1
          : compareUtf8(goFormat(before[i]), goFormat(after[j]));
    if (order > 0) added.push(after[j]);
    if (order < 0) deleted.push(before[i]);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  if (added.length > 0) patch[name] = inOrderOf(positionsOf(modified, ''), added, '');
  if (deleted.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = deduplicated(deleted);
  if (modified.length > 0 && (deleted.length > 0 || !jsonEqual(before, modified))) {
    patch[`$setElementOrder/${name}`] = modified;
  }
}

function sortedScalars(list: List): List {
  return [...list].sort((a, b) => compareUtf8(goFormat(a), goFormat(b)));
}

/** As Go does it: a repeated value's place is taken by the last one. */
function deduplicated(list: unknown[]): List {
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) {
      if (list[i] !== list[j]) continue;
      const last = list.pop();
      if (j < list.length) list[j] = last;
      j--;
    }
  }
  return list;
}
