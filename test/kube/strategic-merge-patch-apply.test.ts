// Patches as an API server applies them. Expectations were checked against the real code, which refuses unknown fields.

import { expect, test } from 'vitest';
import { type JsonObject, MAX_DEPTH } from '../../src/kube/json.js';
import { podSchema } from '../../src/kube/schema.js';
import { strategicMergePatch } from '../../src/kube/strategic-merge-patch.js';
import { widgetSchema } from './widget-schema.js';

const apply = (original: JsonObject, patch: unknown): unknown =>
  strategicMergePatch(original, patch, widgetSchema);
const parts = (...names: readonly string[]) => names.map((name) => ({ name }));

test('members are added, replaced and taken away; maps are merged', () => {
  expect(
    apply(
      { a: 1, b: 2, c: 3, labels: { x: '1', y: '2' }, inner: { name: 'n', tags: ['t'] } },
      { b: null, c: 4, d: 5, none: null, labels: { x: null, z: '3' }, inner: { name: 'm' } },
    ),
  ).toEqual({ a: 1, c: 4, d: 5, labels: { y: '2', z: '3' }, inner: { name: 'm', tags: ['t'] } });
});

test('what is new comes without nulls and without maps that hold a directive', () => {
  expect(
    apply(
      { name: 'text' },
      {
        inner: { name: null, labels: { a: null, b: '1' }, inner: { $patch: 'delete', name: 'x' } },
        parts: [{ name: 'a', size: null }, { name: 'b', $patch: 'delete' }, { $patch: 'replace' }],
        name: { a: null },
      },
    ),
  ).toEqual({ inner: { labels: { b: '1' } }, parts: [{ name: 'a' }], name: {} });
  expect(apply({ name: 'text' }, { name: { $patch: 'delete' } })).toEqual({});
});

test('an element that is new to a merged list comes as it is', () => {
  expect(apply({ parts: parts('z') }, { parts: [{ name: 'a', size: null }] })).toEqual({
    parts: [{ name: 'a', size: null }, { name: 'z' }],
  });
});

test('$patch in a map', () => {
  const original = { inner: { name: 'n', tags: ['t'] } };
  expect(apply(original, { inner: { $patch: 'replace', name: 'm' } })).toEqual({ inner: { name: 'm' } });
  expect(apply(original, { inner: { $patch: 'delete', name: 'm' } })).toEqual({ inner: {} });
  expect(apply(original, { $patch: 'replace', name: 'm' })).toEqual({ name: 'm' });
  expect(apply(original, { $patch: 'delete' })).toEqual({});
});

test('a merged list: matched by key, new ones first, unless they follow a matched one', () => {
  const original = { parts: [{ name: 'a', size: '1' }, { name: 'b' }, { name: 'c' }] };
  expect(apply(original, { parts: [{ name: 'n' }] })).toEqual({ parts: [{ name: 'n' }, ...original.parts] });
  expect(apply(original, { parts: [{ name: 'b', size: '2' }, { name: 'n' }] })).toEqual({
    parts: [{ name: 'a', size: '1' }, { name: 'b', size: '2' }, { name: 'n' }, { name: 'c' }],
  });
  expect(apply(original, { parts: [] })).toEqual(original);
  expect(apply(original, { parts: null })).toEqual({});
  expect(apply({ parts: [] }, { parts: [] })).toEqual({ parts: [] });
});

test('$patch in a merged list', () => {
  const original = { parts: [...parts('a', 'b', 'a', 'c')] };
  expect(apply(original, { parts: [{ $patch: 'delete', name: 'a' }] })).toEqual({ parts: parts('b', 'c') });
  expect(apply(original, { parts: [{ $patch: 'delete', name: 'none' }] })).toEqual({
    parts: parts('a', 'a', 'b', 'c'),
  });
  expect(apply(original, { parts: [{ name: 'x' }, { $patch: 'replace' }, { name: 'y' }] })).toEqual({
    parts: parts('x', 'y'),
  });
  expect(apply(original, { parts: [{ $patch: 'replace' }] })).toEqual({ parts: [] });
});

test('of several elements of one key the first is changed', () => {
  expect(apply({ parts: parts('a', 'a') }, { parts: [{ name: 'a', size: '1' }] })).toEqual({
    parts: [{ name: 'a', size: '1' }, { name: 'a' }],
  });
});

test('a list that is replaced whole, directives and all', () => {
  expect(apply({ steps: parts('a', 'b') }, { steps: [{ name: 'c', $patch: 'delete', size: null }] })).toEqual(
    {
      steps: [{ name: 'c', $patch: 'delete', size: null }],
    },
  );
  expect(apply({ steps: parts('a') }, { steps: [] })).toEqual({ steps: [] });
});

test('$setElementOrder: what it lists goes in its order, the rest stays where it was', () => {
  const original = { parts: parts('a', 'b', 'c') };
  const order = (...names: readonly string[]): unknown =>
    (apply(original, { '$setElementOrder/parts': parts(...names) }) as typeof original).parts.map(
      ({ name }) => name,
    );
  expect(order('c', 'a', 'b')).toEqual(['c', 'a', 'b']);
  expect(order('c', 'a')).toEqual(['b', 'c', 'a']);
  expect(order('b')).toEqual(['a', 'b', 'c']);
  expect(order('x', 'c')).toEqual(['a', 'b', 'c']);
  expect(order()).toEqual(['a', 'b', 'c']);
});

test('$setElementOrder with changes, additions and deletions', () => {
  expect(
    apply(
      { parts: parts('a', 'server', 'b') },
      {
        '$setElementOrder/parts': parts('new', 'b'),
        parts: [{ name: 'new' }, { name: 'b', size: '1' }, { $patch: 'delete', name: 'a' }],
      },
    ),
  ).toEqual({ parts: [{ name: 'server' }, { name: 'new' }, { name: 'b', size: '1' }] });
  expect(apply({}, { '$setElementOrder/parts': parts('a'), parts: [{ name: 'a', size: null }] })).toEqual({
    parts: [{ name: 'a', size: null }],
  });
  expect(apply({}, { '$setElementOrder/parts': parts('a') })).toEqual({});
});

test('$setElementOrder that lists nothing turns new elements around, as upstream does', () => {
  expect(apply({ parts: parts('a', 'b') }, { '$setElementOrder/parts': [], parts: parts('c', 'd') })).toEqual(
    { parts: parts('a', 'b', 'd', 'c') },
  );
});

test('$setElementOrder of a list that is replaced', () => {
  const original = { ports: [{ port: 443 }, { port: 9 }] };
  const patch = {
    '$setElementOrder/ports': [],
    ports: [{ port: 8 }, { port: 443, name: 'x' }, { $patch: 'replace' }],
  };
  expect(apply(original, patch)).toEqual({ ports: [{ port: 443, name: 'x' }, { port: 8 }] });
});

test('$retainKeys', () => {
  const original = { kept: [{ name: 'a', size: '1', labels: { x: '1' } }] };
  expect(
    apply(original, { kept: [{ name: 'a', color: 'red', size: null, $retainKeys: ['color', 'name'] }] }),
  ).toEqual({ kept: [{ name: 'a', color: 'red' }] });
  expect(
    apply({ a: 1, tags: ['t'], b: 2 }, { $retainKeys: ['a', 'tags'], '$setElementOrder/tags': ['t'] }),
  ).toEqual({
    a: 1,
    tags: ['t'],
  });
});

test('sets of plain values', () => {
  expect(apply({ tags: ['a', 'b', 'c'] }, { tags: ['d', 'b', 'd'] })).toEqual({ tags: ['d', 'a', 'b', 'c'] });
  expect(apply({ tags: ['a', 'b', 'c'] }, { '$deleteFromPrimitiveList/tags': ['b', 'x'] })).toEqual({
    tags: ['a', 'c'],
  });
  expect(
    apply(
      { tags: ['a', 'b'] },
      { '$setElementOrder/tags': ['c', 'a'], tags: ['c'], '$deleteFromPrimitiveList/tags': ['b'] },
    ),
  ).toEqual({ tags: ['c', 'a'] });
  expect(apply({}, { '$deleteFromPrimitiveList/tags': ['b'] })).toEqual({});
  expect(apply({ tags: ['a'] }, { '$deleteFromPrimitiveList/tags': null })).toEqual({});
});

test('unknown fields: maps are merged, lists replaced', () => {
  expect(apply({ later: { a: 1, l: [1] } }, { later: { b: 2, l: [2] } })).toEqual({
    later: { a: 1, b: 2, l: [2] },
  });
});

test.each<[string, JsonObject, unknown, string, number, string]>([
  ['a list', {}, [], 'ERR_PATCH_DOCUMENT', 400, 'invalid JSON document'],
  ['null', {}, null, 'ERR_PATCH_DOCUMENT', 400, 'invalid JSON document'],
  [
    'retainKeys of no list',
    {},
    { $retainKeys: 'x' },
    'ERR_PATCH_FORMAT',
    400,
    'invalid patch format of retainKeys',
  ],
  [
    'retainKeys that lacks what is patched',
    {},
    { $retainKeys: ['a'], b: 1 },
    'ERR_PATCH_FORMAT',
    400,
    'invalid patch format of retainKeys',
  ],
  [
    'setElementOrder of nothing',
    {},
    { $setElementOrder: [] },
    'ERR_PATCH_FORMAT',
    400,
    'invalid patch format of setElementOrder list',
  ],
  [
    'deleteFromPrimitiveList of nothing',
    {},
    { $deleteFromPrimitiveListx: [] },
    'ERR_PATCH_FORMAT',
    400,
    'invalid patch format of primitive list',
  ],
  [
    'a list of lists',
    { tags: [['a']] },
    { tags: [['b']] },
    'ERR_PATCH_LIST_OF_LISTS',
    422,
    'lists of lists are not supported',
  ],
  [
    'an element without its key',
    { parts: parts('a') },
    { parts: [{ size: '1' }] },
    'ERR_PATCH_MERGE_KEY',
    500,
    'map: map[size:1] does not contain declared merge key: name',
  ],
  [
    'a deletion without a key',
    { parts: parts('a') },
    { parts: [{ $patch: 'delete' }] },
    'ERR_PATCH_MERGE_KEY',
    500,
    'map: map[$patch:delete] does not contain declared merge key: name',
  ],
  [
    'merging by directive',
    { parts: parts('a') },
    { parts: [{ $patch: 'merge', name: 'a' }] },
    'ERR_PATCH_DIRECTIVE',
    500,
    'merging lists cannot yet be specified in the patch',
  ],
  [
    'an unknown directive',
    { parts: parts('a') },
    { parts: [{ $patch: 'x', name: 'a' }] },
    'ERR_PATCH_DIRECTIVE',
    500,
    'unknown patch type: x in map: map[$patch:x name:a]',
  ],
  [
    'a directive that is a number',
    {},
    { $patch: 5, a: 2 },
    'ERR_PATCH_DIRECTIVE',
    500,
    'unknown patch type: %!s(int64=5) in map: map[$patch:5 a:2]',
  ],
  [
    'a directive that is null',
    {},
    { $patch: null },
    'ERR_PATCH_DIRECTIVE',
    500,
    'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]',
  ],
  [
    'an order without what is patched',
    { parts: parts('a') },
    { '$setElementOrder/parts': parts('a'), parts: [{ name: 'q', size: null }] },
    'ERR_PATCH_ELEMENT_ORDER',
    500,
    "The order in patch list:\n[map[name:q size:<nil>]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    'another order than the patch’s',
    { tags: ['a'] },
    { '$setElementOrder/tags': ['c', 'b'], tags: ['b', 'c'] },
    'ERR_PATCH_ELEMENT_ORDER',
    500,
    "The order in patch list:\n[b c]\n doesn't match $setElementOrder list:\n[c b]\n",
  ],
  [
    'an order of no list',
    {},
    { '$setElementOrder/tags': 'x' },
    'ERR_PATCH_TYPE',
    500,
    'expected a []interface {}, but received a string',
  ],
  [
    'an order of a list that is empty',
    { parts: [] },
    { '$setElementOrder/parts': parts('a') },
    'ERR_PATCH_TYPE',
    500,
    'no elements in any of the given slices',
  ],
  [
    'an order of plain values for elements',
    { parts: parts('a') },
    { '$setElementOrder/parts': ['a'] },
    'ERR_PATCH_TYPE',
    500,
    'value for key 0 is not a map',
  ],
  [
    'an order of an unknown list',
    {},
    { '$setElementOrder/nope': [] },
    'ERR_PATCH_FIELD',
    500,
    'unable to find api field in struct Widget for the json field "nope"',
  ],
  [
    'elements of another type',
    { parts: parts('a') },
    { parts: ['a'] },
    'ERR_PATCH_TYPE',
    500,
    'list element types are not identical: [[map[name:a]] [a]]',
  ],
  [
    'plain values for elements',
    { parts: ['a'] },
    { parts: ['b'] },
    'ERR_PATCH_TYPE',
    500,
    'expected a map[string]interface {}, but received a string',
  ],
  [
    'elements for plain values',
    { tags: [{ a: '1' }] },
    { tags: [{ a: '2' }] },
    'ERR_PATCH_MERGE_KEY',
    500,
    'cannot merge lists without merge key for string',
  ],
])('%s is refused', (_, original, patch, code, status, message) => {
  expect(() => apply(original, patch)).toThrow(expect.objectContaining({ code, status, message }) as Error);
});

test('nesting has a bound', () => {
  const nested = (depth: number): JsonObject => {
    let value: JsonObject = { end: 1 };
    for (let i = 1; i < depth; i++) value = { inner: value };
    return value;
  };
  expect(apply(nested(MAX_DEPTH), nested(MAX_DEPTH))).toEqual(nested(MAX_DEPTH));
  for (const [original, patch] of [
    [{}, nested(MAX_DEPTH + 1)],
    [nested(100_000), {}],
  ]) {
    expect(() => apply(original, patch)).toThrow(
      expect.objectContaining({ code: 'ERR_PATCH_TOO_DEEP', status: 400 }) as Error,
    );
  }
});

test('names that mean something to JavaScript mean nothing here', () => {
  const patch = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ) as JsonObject;
  const merged = apply(JSON.parse('{"__proto__":{"a":1},"toString":{}}') as JsonObject, patch) as JsonObject;
  expect(JSON.stringify(merged)).toBe(
    '{"__proto__":{"a":1,"polluted":1},"toString":{},"constructor":{"prototype":{"polluted":1}}}',
  );
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(({} as JsonObject).polluted).toBeUndefined();
  expect(apply({ a: 1 }, JSON.parse('{"__proto__":null,"hasOwnProperty":null}'))).toEqual({ a: 1 });
});

test('a long list is no problem', () => {
  const long = Array.from({ length: 200_000 }, (_, i) => ({ name: `n${i}` }));
  const merged = apply({ parts: long }, { parts: [{ name: 'new' }] }) as { readonly parts: unknown[] };
  expect(merged.parts.length).toBe(200_001);
});

test('a pod: finalizers and owners', () => {
  const pod = { metadata: { finalizers: ['e.com/a'], ownerReferences: [{ uid: '1', name: 'o1' }] } };
  expect(
    strategicMergePatch(
      pod,
      { metadata: { finalizers: ['e.com/b'], ownerReferences: [{ uid: '2', name: 'o2' }] } },
      podSchema,
    ),
  ).toEqual({
    metadata: {
      finalizers: ['e.com/b', 'e.com/a'],
      ownerReferences: [
        { uid: '2', name: 'o2' },
        { uid: '1', name: 'o1' },
      ],
    },
  });
});
