// RFC 6902, and the habits of the API server's library. Checked against that library.

import { expect, test } from 'vitest';
import { type JsonObject, MAX_DEPTH } from '../../src/kube/json.js';
import { jsonPatch } from '../../src/kube/json-patch.js';

test.each<[string, unknown, readonly JsonObject[], unknown]>([
  ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: { c: null } }], { a: 1, b: { c: null } }],
  ['adds null for no value', { a: 1 }, [{ op: 'add', path: '/a' }], { a: null }],
  ['adds under an empty name', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
  ['inserts', { a: [1, 2] }, [{ op: 'add', path: '/a/1', value: 3 }], { a: [1, 3, 2] }],
  ['appends', { a: [1, 2] }, [{ op: 'add', path: '/a/-', value: 3 }], { a: [1, 2, 3] }],
  ['appends at the length', { a: [1] }, [{ op: 'add', path: '/a/1', value: 3 }], { a: [1, 3] }],
  [
    'inserts counting from the end',
    { a: [1, 2] },
    [{ op: 'add', path: '/a/-3', value: 3 }],
    { a: [3, 1, 2] },
  ],
  ['reads an index as Atoi does', { a: [1, 2] }, [{ op: 'add', path: '/a/+01', value: 3 }], { a: [1, 3, 2] }],
  ['goes through lists', { a: [[1]] }, [{ op: 'add', path: '/a/-1/0', value: 2 }], { a: [[2, 1]] }],
  [
    'removes',
    { a: 1, b: [1, 2] },
    [
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/b/-1' },
    ],
    { b: [1] },
  ],
  ['removes null', { a: null }, [{ op: 'remove', path: '/a' }], {}],
  ['replaces', { a: 1, b: [1, 2] }, [{ op: 'replace', path: '/b/1', value: 3 }], { a: 1, b: [1, 3] }],
  ['replaces what is not there', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
  ['replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
  ['does not replace the document by a scalar', { a: 1 }, [{ op: 'replace', path: '', value: 2 }], { a: 1 }],
  ['moves', { a: { b: 1 }, c: [2] }, [{ op: 'move', from: '/a/b', path: '/c/0' }], { a: {}, c: [1, 2] }],
  ['moves in a list', { a: [1, 2] }, [{ op: 'move', from: '/a/0', path: '/a/1' }], { a: [2, 1] }],
  ['copies', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
  ['copies null for what is not there', {}, [{ op: 'copy', from: '/a', path: '/c' }], { c: null }],
  [
    'tests',
    { a: { b: [1, null] } },
    [{ op: 'test', path: '/a', value: { b: [1, null] } }],
    { a: { b: [1, null] } },
  ],
  ['tests the document', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
  ['tests that there is nothing', { a: 1 }, [{ op: 'test', path: '/b', value: null }], { a: 1 }],
  [
    'unescapes',
    { 'a/b': 1, 'c~d': 2, '~1': 3 },
    [
      { op: 'remove', path: '/a~1b' },
      { op: 'remove', path: '/c~0d' },
      { op: 'remove', path: '/~01' },
    ],
    {},
  ],
  ['takes a list', [1], [{ op: 'add', path: '/0', value: 0 }], [0, 1]],
])('%s', (_, document, patch, wanted) => {
  const before = JSON.stringify([document, patch]);
  expect(jsonPatch(document, patch)).toEqual(wanted);
  expect(JSON.stringify([document, patch])).toBe(before);
});

test('null and [] change nothing', () => {
  const document = { a: 1 };
  expect(jsonPatch(document, null)).toBe(document);
  expect(jsonPatch(document, [])).toBe(document);
});

test.each<[JsonObject | null]>([
  [{ op: 'add', path: '', value: {} }],
  [{ op: 'add', path: 'a', value: 1 }],
  [{ op: 'add', path: '/none/b', value: 1 }],
  [{ op: 'add', path: '/text/b', value: 1 }],
  [{ op: 'add', path: '/null/b', value: 1 }],
  [{ op: 'add', path: '/list/3', value: 1 }],
  [{ op: 'add', path: '/list/-4', value: 1 }],
  [{ op: 'add', path: '/list/x', value: 1 }],
  [{ op: 'add', value: 1 }],
  [{ op: 'remove', path: '' }],
  [{ op: 'remove', path: '/none' }],
  [{ op: 'remove', path: '/toString' }],
  [{ op: 'remove', path: '/list/-' }],
  [{ op: 'remove', path: '/list/2' }],
  [{ op: 'replace', path: '/list/2', value: 1 }],
  [{ op: 'test', path: '/text', value: 'other' }],
  [{ op: 'test', path: '/text', value: null }],
  [{ op: 'test', path: '/list/7', value: null }],
  [{ op: 'test', path: '/none/b', value: null }],
  [{ op: 'move', from: '/none', path: '/b' }],
  [{ op: 'move', from: '/map', path: '/map/b' }],
  [{ op: 'move', path: '/b' }],
  [{ op: 'copy', from: '', path: '/b' }],
  [{ op: 'copy', from: '/list/7', path: '/b' }],
  [{ op: 'bogus', path: '/text' }],
  [{ path: '/text' }],
  [null],
])('%j does not apply', (operation) => {
  const document = { text: 'x', null: null, list: [1, 2], map: { b: 1 } };
  expect(() => jsonPatch(document, [operation])).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_OPERATION', status: 422 }) as Error,
  );
});

test.each<[unknown, string]>([
  [{}, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
  ['x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
  [[5], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
  [
    [{ op: 'add', path: true }],
    'json: cannot unmarshal bool into Go struct field jsonPatchOp.path of type string',
  ],
  [[{ op: [] }], 'json: cannot unmarshal array into Go struct field jsonPatchOp.op of type string'],
])('%j is no JSON patch', (patch, why) => {
  expect(() => jsonPatch({}, patch)).toThrow(
    expect.objectContaining({
      code: 'ERR_PATCH_DOCUMENT',
      status: 400,
      message: `error decoding patch: ${why}`,
    }) as Error,
  );
});

test('copies of copies have a bound', () => {
  const patch = Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/a/-' })).map(
    (operation) => ({
      ...operation,
      from: '/a',
    }),
  );
  expect(() => jsonPatch({ a: [1] }, patch)).toThrow(/copy less/);
  expect(() => jsonPatch({ a: 'long' }, [{ op: 'copy', from: '/a', path: '/b' }], { copyLimit: 5 })).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_OPERATION' }) as Error,
  );
});

test('nesting has a bound, also when it grows', () => {
  let deep: unknown = 1;
  for (let i = 0; i < MAX_DEPTH - 1; i++) deep = { a: deep };
  expect(() => jsonPatch({ a: 1 }, [{ op: 'add', path: '/a', value: deep }])).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_TOO_DEEP', status: 400 }) as Error,
  );
  expect(() => jsonPatch({ a: deep, b: [] }, [{ op: 'move', from: '/a', path: '/b/0' }])).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_TOO_DEEP' }) as Error,
  );
});

test('names that mean something to JavaScript mean nothing here', () => {
  const patched = jsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]) as JsonObject;
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":1}}');
  expect(patched.polluted).toBeUndefined();
});
