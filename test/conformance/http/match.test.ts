// A matcher that sees no difference proves nothing: each of these must be noticed.
import { expect, test } from 'vitest';
import { Matcher } from './match.js';

const NOW = Date.UTC(2024, 0, 2, 3, 4, 5);
const UID = '11111111-2222-3333-4444-555555555555';
const OTHER = '11111111-2222-3333-4444-666666666666';

const compare = (expected: unknown, got: unknown, exact: string[] = [], absent: string[] = []) =>
  new Matcher(() => NOW).compare(expected, got, exact, absent)?.path;

test.each<[string, unknown, unknown, string[], string[], string | undefined]>([
  ['a subset', { a: 1 }, { a: 1, b: 2 }, [], [], undefined],
  ['another value', { a: { b: 1 } }, { a: { b: 2 } }, [], [], 'a.b'],
  ['a missing key', { a: null }, {}, [], [], 'a'],
  ['an extra key where all must be equal', { a: 1 }, { a: 1, b: 2 }, [''], [], 'b'],
  ['an extra key in a part that must be equal', { s: { a: 1 } }, { s: { a: 1, b: 2 } }, ['s'], [], 's.b'],
  ['a key that must not be there', {}, { a: { b: 0 } }, [], ['a.b'], 'a.b'],
  ['a longer list', [1], [1, 2], [], [], ''],
  ['another order', [1, 2], [2, 1], [], [], '[0]'],
  ['what a list contains', { $contains: [{ a: 1 }] }, [{ a: 2 }, { a: 1, b: 1 }], [], [], undefined],
  ['what a list lacks', { $contains: [{ a: 3 }] }, [{ a: 1 }], [], [], ''],
  ['a number for a string', { a: '1' }, { a: 1 }, [], [], 'a'],
  ['a uid', '$uid1', UID, [], [], undefined],
  ['no uid', '$uid1', 'abc', [], [], ''],
  ['a time', '$time', '2024-01-02T03:04:05Z', [], [], undefined],
  ['a time with a fraction', '$time', '2024-01-02T03:04:05.1Z', [], [], ''],
  ['in ten seconds', '$time+10', '2024-01-02T03:04:14Z', [], [], undefined],
  ['not in ten seconds', '$time+10', '2024-01-02T03:04:05Z', [], [], ''],
  ['masks inside a text', 'pod-$gen1 ($rv1)', 'pod-abcde (17)', [], [], undefined],
  ['a text around a mask', 'pod-$gen1', 'pot-abcde', [], [], ''],
  ['the same uid twice', ['$uid1', '$uid1'], [UID, OTHER], [], [], '[1]'],
  ['two uids that are one', ['$uid1', '$uid2'], [UID, UID], [], [], '[1]'],
])('%s', (_, expected, got, exact, absent, path) => {
  expect(compare(expected, got, exact, absent)).toBe(path);
});

test('versions grow with their numbers', () => {
  const matcher = new Matcher(() => NOW);
  expect(matcher.compare(['$rv2', '$rv1'], ['5', '7'], [], [])).toBeUndefined();
  expect(matcher.checkOrder()?.path).toBe('$rv2');
});

test('a list is not older than what was seen before it', () => {
  const matcher = new Matcher(() => NOW);
  matcher.compare('$rv1', '17', [], []);
  matcher.nextStep();
  expect(matcher.compare('$lrv1', '17', [], [])).toBeUndefined();
  expect(matcher.compare('$lrv2', '16', [], [])?.got).toBe('"16"');
  matcher.listVersionsAreFree = true;
  expect(matcher.compare('$lrv3', '1', [], [])).toBeUndefined();
});
