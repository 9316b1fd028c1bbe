// Telling JSON values apart.

import { expect, test } from 'vitest';
import { type JsonObject, MAX_DEPTH, getOwn, isShallow, jsonEqual, setOwn } from '../../src/kube/json.js';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
};

test('equality', () => {
  const value = { a: [1, { b: null }], c: 'x' };
  expect(jsonEqual(value, { c: 'x', a: [1, { b: null }] })).toBe(true);
  expect(jsonEqual(value, { ...value, d: undefined })).toBe(true);
  expect(jsonEqual({ ...value, d: undefined }, value)).toBe(true);
  for (const other of [
    ...[{ ...value, d: 1 }, { a: value.a }, { ...value, c: 'y' }, { ...value, a: [1] }, { ...value, a: {} }],
    ...[{ ...value, a: [1, { b: undefined }] }, [], null, 'x'],
  ]) {
    expect([jsonEqual(value, other), jsonEqual(other, value)]).toEqual([false, false]);
  }
  expect(jsonEqual({ toString: 1 }, {})).toBe(false);
  expect(jsonEqual([], {})).toBe(false);
});

test('only own members count', () => {
  expect(getOwn({}, 'toString')).toBeUndefined();
  expect(getOwn(JSON.parse('{"__proto__":1}') as JsonObject, '__proto__')).toBe(1);
  const object: Record<string, unknown> = {};
  setOwn(object, '__proto__', { a: 1 });
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1}}');
});

test('depth is counted, not tried', () => {
  expect(isShallow(nested(MAX_DEPTH))).toBe(true);
  expect(isShallow(nested(MAX_DEPTH + 1))).toBe(false);
  expect(isShallow(nested(1_000_000))).toBe(false);
  expect(() => jsonEqual(nested(MAX_DEPTH + 2), nested(MAX_DEPTH + 2))).toThrow(
    expect.objectContaining({ code: 'ERR_JSON_TOO_DEEP' }) as Error,
  );
});
