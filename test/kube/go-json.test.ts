// Text as Go's encoding/json and fmt write it.

import { expect, test } from 'vitest';
import { goFormat } from '../../src/kube/go-format.js';
import { compareUtf8, goJson, wellFormed } from '../../src/kube/go-json.js';
import { MAX_DEPTH } from '../../src/kube/json.js';

test('members are sorted, absent ones left out, no white space', () => {
  expect(goJson({ b: [1, null, true], a: { d: undefined, c: 'x' }, Z: {} })).toBe(
    '{"Z":{},"a":{"c":"x"},"b":[1,null,true]}',
  );
  expect(goJson({ ['__proto__']: 'own', constructor: 2 })).toBe('{"__proto__":"own","constructor":2}');
});

test('names are sorted by their UTF-8 bytes, not by UTF-16 units', () => {
  const names = ['\u{1f600}', '\uffee', 'z', '\ue000', 'zz', ''];
  const byBytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...names].sort(compareUtf8)).toEqual(byBytes);
  expect([...names].sort()).not.toEqual(byBytes);
  expect(Object.keys(JSON.parse(goJson({ '\uffee': 1, '\u{1f600}': 2 })) as object)).toEqual([
    '\uffee',
    '\u{1f600}',
  ]);
});

test.each([
  ['<a href="x">&</a>', '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u003c/a\\u003e"'],
  ['\u2028\u2029', '"\\u2028\\u2029"'],
  ['\b\f\n\r\t\u0000\u001f', '"\\u0008\\u000c\\n\\r\\t\\u0000\\u001f"'],
  ['\\b \\u0008', '"\\\\b \\\\u0008"'],
  ['\u007f é 😀 \ufffd', '"\u007f é 😀 \ufffd"'],
  ['\udc80\udcff<', '"\\ufffd\\ufffd\\u003c"'],
  ['\ud83dx', '"\\ufffdx"'],
])('%j is escaped as Go 1.21 does', (text, wanted) => {
  expect(goJson(text)).toBe(wanted);
  expect(goJson({ [text]: 1 })).toBe(`{${wanted}:1}`);
});

test('numbers', () => {
  expect([0, -0, 1e20, 1e21, 1e-6, 1e-7, 1.5].map(goJson)).toEqual([
    ...['0', '-0', '100000000000000000000', '1e+21', '0.000001', '1e-7', '1.5'],
  ]);
});

test('what is no JSON is refused', () => {
  for (const value of [Number.NaN, Infinity, undefined, 1n, (): void => {}]) {
    expect(() => goJson([value])).toThrow(expect.objectContaining({ code: 'ERR_NOT_JSON' }) as Error);
  }
  let deep: unknown = 1;
  for (let i = 0; i < MAX_DEPTH + 2; i++) deep = [deep];
  for (const write of [goJson, goFormat]) {
    expect(() => write(deep)).toThrow(expect.objectContaining({ code: 'ERR_JSON_TOO_DEEP' }) as Error);
  }
});

test('a lone surrogate is one U+FFFD, a pair stays', () => {
  expect(wellFormed('a\udce2\udc82b😀')).toBe('a\ufffd\ufffdb😀');
});

test('%v', () => {
  expect(goFormat({ b: [1, 'x y', null], a: { c: true, d: {} } })).toBe(
    'map[a:map[c:true d:map[]] b:[1 x y <nil>]]',
  );
  expect([1234567.5, 1e20, 0.00001234, 1.5, 100000.25, 2 ** 53].map(goFormat)).toEqual([
    ...['1.2345675e+06', '1e+20', '1.234e-05', '1.5', '100000.25', '9007199254740992'],
  ]);
});
