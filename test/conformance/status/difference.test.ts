import { describe, expect, test } from 'vitest';
import { NowMask, deepFreeze, firstDifference } from './difference.js';

const START = Date.UTC(2030, 0, 1);
const mask = new NowMask(START);

test.each([
  ['2030-01-01T00:00:00Z', '$NOW'],
  ['2030-01-01T00:01:05Z', '$NOW+65'],
  ['2030-01-01T00:00:00.5Z', '2030-01-01T00:00:00.5Z'],
  ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'],
  ['2030-01-01T01:00:00+01:00', '2030-01-01T01:00:00+01:00'],
  ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00Z'],
  ['text', 'text'],
  ['', ''],
])('a time of the clock has a name: %j is %j', (text, name) => {
  expect(mask.of(text)).toBe(name);
});

test('on a flat clock every time is the same', () => {
  expect(new NowMask(START, true).of('2030-01-01T00:00:10Z')).toBe('$NOW');
});

describe('the first difference', () => {
  test.each<[string, unknown, unknown]>([
    [
      'times under their names',
      { a: ['$NOW', '$NOW+1'] },
      { a: ['2030-01-01T00:00:00Z', '2030-01-01T00:00:01Z'] },
    ],
    ['an undefined property', { a: 1 }, { a: 1, b: undefined }],
    ['the order of properties', { a: 1, b: null }, { b: null, a: 1 }],
  ])('%s: none', (_, expected, got) => {
    expect(firstDifference(expected, got, mask)).toBeNull();
  });

  test.each<[string, unknown, unknown, string, string, string]>([
    ['a value', { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b[1]', '2', '3'],
    ['a missing property', { a: 1 }, {}, 'a', '1', 'nothing'],
    ['one too many', {}, { a: 1 }, 'a', 'nothing', '1'],
    ['a null instead of nothing', {}, { a: null }, 'a', 'nothing', 'null'],
    ['a longer list', [1], [1, 2], '[1]', 'nothing', '2'],
    ['a shorter list', [1, 2], [1], '[1]', '2', 'nothing'],
    ['a list instead of an object', { a: {} }, { a: [] }, 'a', '{}', '[]'],
    ['another time of the clock', '$NOW', '2030-01-01T00:00:02Z', '', '"$NOW"', '"$NOW+2"'],
    ['a time from elsewhere', '$NOW', '2024-01-01T00:00:00Z', '', '"$NOW"', '"2024-01-01T00:00:00Z"'],
  ])('%s', (_, expected, got, path, left, right) => {
    expect(firstDifference(expected, got, mask)).toEqual({ path, expected: left, got: right });
  });

  test('long texts are cut to where they differ', () => {
    const equal = 'x'.repeat(10_000);
    const { expected, got } = firstDifference(`${equal}a${equal}`, `${equal}b`, mask)!;
    expect(expected).toMatch(/^…x{100}ax+…$/);
    expect(got).toMatch(/^…x{100}b"$/);
  });
});

test('what is frozen cannot be changed', () => {
  const value = deepFreeze({ list: [{ a: 1 }] });
  expect(() => (value.list[0].a = 2)).toThrow(TypeError);
  expect(() => value.list.push({ a: 2 })).toThrow(TypeError);
});
