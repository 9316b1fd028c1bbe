/**
 * Lists whose elements a strategic merge patch matches: what making and applying one share.
 *
 * Elements are objects matched by the value of their merge key, or plain values ('' for the key) matched by
 * themselves. Of several that match, the first counts.
 */
import { goFormat } from './go-format.js';
import { isList, isObject } from './json.js';
import { PatchError } from './patch-error.js';

type List = readonly unknown[];

/** What a list's elements are, all of them, as Go's reflection names it. */
export type ElementKind = 'map' | 'scalar';

/** Lists whose elements are of several types, or lists themselves, cannot be merged. */
export function elementKindOf(...lists: readonly List[]): ElementKind {
  let kind: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      const found = typeName(element);
      if (found !== (kind ??= found)) {
        throw new PatchError('ERR_PATCH_TYPE', `list element types are not identical: ${goFormat(lists)}`);
      }
    }
  }
  if (kind === undefined) throw new PatchError('ERR_PATCH_TYPE', 'no elements in any of the given slices');
  if (kind === 'list') throw new PatchError('ERR_PATCH_LIST_OF_LISTS', 'lists of lists are not supported');
  if (kind === 'null') throw new PatchError('ERR_PATCH_TYPE', 'a list of nulls cannot be merged');
  return kind === 'map' ? 'map' : 'scalar';
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return isList(value) ? 'list' : typeof value === 'object' ? 'map' : typeof value;
}

/** What an element is matched by. */
export function matchedBy(element: unknown, mergeKey: string): unknown {
  const value = mergeKey === '' ? element : mergeKeyOf(element, mergeKey);
  if (typeof value === 'object' && value !== null) {
    throw new PatchError('ERR_PATCH_MERGE_KEY', `cannot match elements by ${goFormat(value)}`);
  }
  return value;
}

function mergeKeyOf(element: unknown, mergeKey: string): unknown {
  if (!isObject(element)) throw badType('map[string]interface {}', element);
  const value = element[mergeKey];
  if (value === undefined) {
    const text = `map: ${goFormat(element)} does not contain declared merge key: ${mergeKey}`;
    throw new PatchError('ERR_PATCH_MERGE_KEY', text);
  }
  return value;
}

export function badType(wanted: string, got: unknown): PatchError {
  const type = {
    list: '[]interface {}',
    map: 'map[string]interface {}',
    null: '%!s(<nil>)',
    boolean: 'bool',
    number: Number.isInteger(got) ? 'int64' : 'float64',
  }[typeName(got)];
  return new PatchError('ERR_PATCH_TYPE', `expected a ${wanted}, but received a ${type ?? typeName(got)}`);
}

/** Where each of a list's elements first is. */
export function positionsOf(list: List, mergeKey: string): ReadonlyMap<unknown, number> {
  const positions = new Map<unknown, number>();
  for (let i = 0; i < list.length; i++) {
    if (mergeKey !== '' && !isObject(list[i])) {
      throw new PatchError('ERR_PATCH_TYPE', `value for key ${i} is not a map`);
    }
    const by = matchedBy(list[i], mergeKey);
    if (!positions.has(by)) positions.set(by, i);
  }
  return positions;
}

/**
 * The elements in the order of another list, given as its positions.
 *
 * That list may lack some of them, when $setElementOrder is empty: Go then sorts by a comparison that calls what is
 * not listed less than everything, and everything less than it. Up to 20 elements it does so by insertion, as done
 * here; for longer lists what is not listed comes last.
 */
export function inOrderOf(positions: ReadonlyMap<unknown, number>, elements: List, mergeKey: string): List {
  const ranked = elements.map((element) => ({
    element,
    position: positions.get(matchedBy(element, mergeKey)) ?? UNLISTED,
  }));
  if (ranked.length <= GO_INSERTS && ranked.some(({ position }) => position === UNLISTED)) {
    sortByInsertion(ranked);
  } else {
    ranked.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
  }
  return ranked.map(({ element }) => element);
}

const UNLISTED = Infinity;
const GO_INSERTS = 20;

function sortByInsertion(ranked: { readonly position: number }[]): void {
  for (let i = 1; i < ranked.length; i++) {
    for (let j = i; j > 0; j--) {
      const [before, after] = [ranked[j - 1], ranked[j]];
      const unlisted = before.position === UNLISTED || after.position === UNLISTED;
      if (!unlisted && after.position >= before.position) break;
      [ranked[j - 1], ranked[j]] = [after, before];
    }
  }
}

/**
 * A merged list in its final order: what the patch named in the patch's order, what only the server has in the
 * server's, and the two woven together so that a server-only element stays before what it preceded on the server.
 * Where the server's order says nothing, the patch's element comes first.
 */
export function normalizeElementOrder(
  merged: List,
  patchOrder: List,
  serverOrder: List,
  mergeKey: string,
): List {
  const keys = merged.map((element) => matchedBy(element, mergeKey));
  const inPatch = positionsOf(patchOrder, mergeKey);
  const onServer = positionsOf(serverOrder, mergeKey);
  const patched = inOrderOf(
    inPatch,
    merged.filter((_, i) => inPatch.has(keys[i])),
    mergeKey,
  );
  const serverOnly = inOrderOf(
    onServer,
    merged.filter((_, i) => !inPatch.has(keys[i])),
    mergeKey,
  );
  const all: unknown[] = [];
  let next = 0;
  for (const element of patched) {
    const limit = onServer.get(matchedBy(element, mergeKey)) ?? -1;
    for (; next < serverOnly.length; next++) {
      const position = onServer.get(matchedBy(serverOnly[next], mergeKey)) ?? Infinity;
      if (position >= limit) break;
      all.push(serverOnly[next]);
    }
    all.push(element);
  }
  return all.concat(serverOnly.slice(next));
}
