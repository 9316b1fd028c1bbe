// Patches as Kubernetes makes them. Expectations were checked against the real code, which refuses unknown fields.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/kube/json.js';
import { createTwoWayMergePatch } from '../../src/kube/strategic-merge-patch.js';
import { widgetSchema } from './widget-schema.js';

const create = (from: JsonObject, to: JsonObject): unknown => createTwoWayMergePatch(from, to, widgetSchema);
const parts = (...names: readonly string[]) => names.map((name) => ({ name }));

test('members that came, changed, went and stayed', () => {
  expect(
    create({ a: 1, b: 2, c: 3, inner: { name: 'x' } }, { b: 2, c: 4, d: 5, inner: { name: 'x' } }),
  ).toEqual({
    a: null,
    c: 4,
    d: 5,
  });
  expect(create({ labels: { a: '1', b: '2' } }, { labels: { b: '3' } })).toEqual({
    labels: { a: null, b: '3' },
  });
  expect(create({ a: null }, { a: null })).toEqual({});
  expect(create({ a: null }, {})).toEqual({ a: null });
  expect(create({ a: 'x' }, { a: null })).toEqual({ a: null });
});

test('a value of another type is replaced', () => {
  expect(create({ a: '1', b: {} }, { a: 1, b: [] })).toEqual({ a: 1, b: [] });
});

test('an absent member is absent, also when it says undefined', () => {
  expect(create({ a: undefined, b: 1 }, { b: 1, c: undefined })).toEqual({});
  expect(create({ a: 1 }, { a: undefined })).toEqual({ a: null });
});

test('a list that is replaced whole', () => {
  expect(create({ steps: parts('a') }, { steps: parts('a') })).toEqual({});
  expect(create({ steps: parts('a', 'b') }, { steps: parts('b', 'a') })).toEqual({ steps: parts('b', 'a') });
  expect(create({ steps: parts('a') }, { steps: [] })).toEqual({ steps: [] });
});

test('a merged list: changes in the new order, deletions after them, by key', () => {
  expect(
    create(
      { parts: [...parts('z', 'y', 'a'), { name: 'b', size: '1', color: 'red' }] },
      { parts: [{ name: 'c' }, { name: 'b', size: '2' }, { name: 'a', color: 'blue' }] },
    ),
  ).toEqual({
    '$setElementOrder/parts': parts('c', 'b', 'a'),
    parts: [
      { name: 'c' },
      { name: 'b', size: '2', color: null },
      { name: 'a', color: 'blue' },
      { $patch: 'delete', name: 'y' },
      { $patch: 'delete', name: 'z' },
    ],
  });
});

test('a merged list: nothing but the order', () => {
  expect(create({ parts: parts('a', 'b') }, { parts: parts('a', 'b') })).toEqual({});
  expect(create({ parts: parts('a', 'b') }, { parts: parts('b', 'a') })).toEqual({
    '$setElementOrder/parts': parts('b', 'a'),
  });
});

test('a merged list that is new needs no order, one that is emptied has none', () => {
  expect(create({}, { parts: parts('a') })).toEqual({ parts: parts('a') });
  expect(create({ parts: [] }, { parts: parts('a') })).toEqual({ parts: parts('a') });
  expect(create({ parts: [] }, { parts: [] })).toEqual({});
  expect(create({ parts: parts('a') }, { parts: [] })).toEqual({ parts: [{ $patch: 'delete', name: 'a' }] });
  expect(create({ parts: parts('a') }, {})).toEqual({ parts: null });
});

test('merged lists inside merged lists', () => {
  expect(
    create({ parts: [{ name: 'a', parts: parts('x', 'y') }] }, { parts: [{ name: 'a', parts: parts('y') }] }),
  ).toEqual({
    '$setElementOrder/parts': parts('a'),
    parts: [
      {
        name: 'a',
        '$setElementOrder/parts': parts('y'),
        parts: [{ $patch: 'delete', name: 'x' }],
      },
    ],
  });
});

test('a key that is a number is compared as text', () => {
  expect(create({ ports: [{ port: 80 }, { port: 9 }] }, { ports: [{ port: 100 }] })).toEqual({
    '$setElementOrder/ports': [{ port: 100 }],
    ports: [{ port: 100 }, { $patch: 'delete', port: 80 }, { $patch: 'delete', port: 9 }],
  });
});

test('of elements with one key the last is matched first', () => {
  expect(
    create({ parts: [{ name: 'a' }, { name: 'a', size: '1' }, { name: 'b' }] }, { parts: parts('a', 'b') }),
  ).toEqual({
    '$setElementOrder/parts': parts('a', 'b'),
    parts: [
      { name: 'a', size: null },
      { $patch: 'delete', name: 'a' },
    ],
  });
});

test('$retainKeys names all that a changed element keeps', () => {
  expect(
    create(
      { kept: [{ name: 'a', size: '1' }, { name: 'b' }] },
      { kept: [{ name: 'a', color: 'red', labels: null }, { name: 'b' }] },
    ),
  ).toEqual({
    '$setElementOrder/kept': parts('a', 'b'),
    kept: [{ name: 'a', size: null, color: 'red', labels: null, $retainKeys: ['color', 'name'] }],
  });
});

test('sets of plain values', () => {
  expect(create({ tags: ['a', 'b'] }, { tags: ['c', 'a'] })).toEqual({
    tags: ['c'],
    '$deleteFromPrimitiveList/tags': ['b'],
    '$setElementOrder/tags': ['c', 'a'],
  });
  expect(create({ tags: ['a'] }, { tags: [] })).toEqual({ '$deleteFromPrimitiveList/tags': ['a'] });
  expect(create({ tags: ['a', 'a', 'b', 'c'] }, { tags: ['e'] })).toEqual({
    tags: ['e'],
    '$deleteFromPrimitiveList/tags': ['a', 'c', 'b'],
    '$setElementOrder/tags': ['e'],
  });
});

test('the order of a set is judged against the sorted original, as upstream does', () => {
  expect(create({ tags: ['b', 'a'] }, { tags: ['a', 'b'] })).toEqual({});
  expect(create({ tags: ['b', 'a'] }, { tags: ['b', 'a'] })).toEqual({ '$setElementOrder/tags': ['b', 'a'] });
});

test('unknown fields: maps are merged, lists replaced', () => {
  expect(create({ later: { a: 1, b: [1] } }, { later: { a: 2, b: [1] } })).toEqual({ later: { a: 2 } });
  expect(create({ later: [{ name: 'a' }] }, { later: [{ name: 'b' }] })).toEqual({ later: [{ name: 'b' }] });
});

test.each([
  [{ parts: [{ size: '1' }] }, { parts: parts('a') }, 'ERR_PATCH_MERGE_KEY', 500],
  [{ parts: parts('a') }, { parts: ['a'] }, 'ERR_PATCH_TYPE', 500],
  [{ parts: [['a']] }, { parts: [['b']] }, 'ERR_PATCH_LIST_OF_LISTS', 422],
  [{ $patch: 'a' }, { $patch: 1 }, 'ERR_PATCH_DIRECTIVE', 500],
])('%j to %j cannot be made', (from, to, code, status) => {
  expect(() => create(from, to)).toThrow(expect.objectContaining({ code, status }) as Error);
});
