// RFC 7386, and where the API server's library differs. Checked against that library.

import { expect, test } from 'vitest';
import { type JsonObject, MAX_DEPTH } from '../../src/kube/json.js';
import { jsonMergePatch } from '../../src/kube/json-merge-patch.js';

test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{"a":"b"}', '["c",null]', '["c",null]'],
  ['{"a":1}', '{"a":[null,{"b":null}]}', '{"a":[null,{}]}'],
  ['{"a":{}}', '{"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}'],
  [
    '{"__proto__":{"x":1}}',
    '{"__proto__":{"y":2},"constructor":1}',
    '{"__proto__":{"x":1,"y":2},"constructor":1}',
  ],
])('%s and %s make %s', (original, patch, wanted) => {
  const [from, to] = [JSON.parse(original) as unknown, JSON.parse(patch) as unknown];
  expect(JSON.stringify(jsonMergePatch(from, to))).toBe(wanted);
  expect([JSON.stringify(from), JSON.stringify(to)]).toEqual([original, patch]);
});

test.each([null, 'x', 1])('%j is no merge patch', (patch) => {
  expect(() => jsonMergePatch({}, patch)).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_DOCUMENT', status: 400 }) as Error,
  );
});

test('nesting has a bound', () => {
  let patch: JsonObject = {};
  for (let i = 0; i < MAX_DEPTH; i++) patch = { a: patch };
  expect(() => jsonMergePatch({}, patch)).toThrow(
    expect.objectContaining({ code: 'ERR_PATCH_TOO_DEEP' }) as Error,
  );
});
