import { expect, test } from 'vitest';
import { quote } from '../../src/kube/quote.js';

test.each([
  ['', '""'],
  ['plain text', '"plain text"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ["it's", `"it's"`],
  ['\0\x01\x1f\x7f', '"\\x00\\x01\\x1f\\x7f"'],
  ['\u0080\u00a0\u00ad', '"\\u0080\\u00a0\\u00ad"'],
  ['é€😀\ufffd', '"é€😀\ufffd"'],
  ['\u2028\u200b\ue000\ufeff', '"\\u2028\\u200b\\ue000\\ufeff"'],
  ['\u{e0001}\u{10ffff}', '"\\U000e0001\\U0010ffff"'],
  ['\udcc3\udc80', '"\\xc3\\x80"'],
  ['\ud800', '"\ufffd"'],
  ['__proto__ constructor', '"__proto__ constructor"'],
])('%j is quoted as Go does', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
