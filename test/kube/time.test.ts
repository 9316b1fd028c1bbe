import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KubeError } from '../../src/kube/errors.js';
import { isTimeText, isZeroTime, secondsOf, timeOf, timesEqual } from '../../src/kube/time.js';
import { runs } from './arbitrary.js';

const refused = expect.objectContaining({ code: 'ERR_BAD_TIME_TEXT' }) as Error;

describe('secondsOf', () => {
  test.each([
    ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00Z'],
    ['2024-03-01T10:00:00.999999999Z', '2024-03-01T10:00:00Z'],
    ['2024-03-01T10:00:00,5Z', '2024-03-01T10:00:00Z'],
    ['2024-03-01T00:30:00.5+02:00', '2024-02-29T22:30:00Z'],
    ['2024-12-31T23:59:59-00:30', '2025-01-01T00:29:59Z'],
    ['0050-01-01T00:00:00.1Z', '0050-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00.5Z', '0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.5Z', '9999-12-31T23:59:59Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
    ['0001-01-01T00:00:01Z', '0001-01-01T00:00:01Z'],
  ])('%s is written as %s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
    expect(secondsOf(text)).toBe(seconds);
  });

  test('nil is the zero time', () => {
    expect(secondsOf(undefined)).toBeNull();
    expect(secondsOf(null)).toBeNull();
  });

  test.each([
    '',
    'now',
    '2024-03-01',
    '2024-03-01 10:00:00Z',
    '2024-03-01T10:00:00',
    '2024-03-01t10:00:00z',
    '2024-03-01T10:00:00.Z',
    '2024-13-01T10:00:00Z',
    '2024-00-01T10:00:00Z',
    '2023-02-29T10:00:00Z',
    '1900-02-29T10:00:00Z',
    '2024-04-31T10:00:00Z',
    '2024-04-00T10:00:00Z',
    '2024-03-01T24:00:00Z',
    '2024-03-01T10:60:00Z',
    '2024-03-01T10:00:60Z',
    '2024-03-01T10:00:00+24:00',
    '2024-03-01T10:00:00+02:60',
    '2024-03-01T10:00:00+0200',
    '2024-03-01T10:00:00ZZ',
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00+00:01',
    '202x-03-01T10:00:00Z',
    '2024/03/01T10:00:00Z',
    '２024-03-01T10:00:00Z',
    ' 2024-03-01T10:00:00Z',
  ])('%j is no time', (text) => {
    expect(() => secondsOf(text)).toThrow(refused);
    expect(() => secondsOf(text)).toThrow(KubeError);
    expect(isTimeText(text)).toBe(false);
  });

  test('leap days are days', () => {
    expect(secondsOf('2024-02-29T00:00:00Z')).toBe('2024-02-29T00:00:00Z');
    expect(secondsOf('2000-02-29T00:00:00.5Z')).toBe('2000-02-29T00:00:00Z');
  });

  test('an error shows the start of a long text only', () => {
    expect(() => secondsOf('x'.repeat(1e6))).toThrow(/^.{0,200}$/);
  });
});

test('isZeroTime', () => {
  for (const zero of [
    undefined,
    null,
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00.0Z',
    '0001-01-01T02:00:00+02:00',
  ]) {
    expect(isZeroTime(zero)).toBe(true);
  }
  for (const time of ['1970-01-01T00:00:00Z', '0001-01-01T00:00:00.1Z', '0001-01-01T00:00:00-02:00']) {
    expect(isZeroTime(time)).toBe(false);
  }
});

test('timesEqual compares instants', () => {
  expect(timesEqual('2024-03-01T10:00:00Z', '2024-03-01T12:00:00+02:00')).toBe(true);
  expect(timesEqual('2024-03-01T10:00:00.5Z', '2024-03-01T10:00:00.500Z')).toBe(true);
  expect(timesEqual('2024-03-01T10:00:00.5Z', '2024-03-01T10:00:00Z')).toBe(false);
  expect(timesEqual('2024-03-01T10:00:00.000000001Z', '2024-03-01T10:00:00Z')).toBe(false);
  expect(timesEqual('2024-03-01T10:00:00.0000000001Z', '2024-03-01T10:00:00Z')).toBe(true);
  expect(timesEqual('2024-03-01T10:00:00Z', '2024-03-01T10:00:01Z')).toBe(false);
  expect(timesEqual(null, undefined)).toBe(true);
  expect(timesEqual(null, '0001-01-01T00:00:00Z')).toBe(true);
  expect(timesEqual(null, '2024-03-01T10:00:00Z')).toBe(false);
  expect(timesEqual('2024-03-01T10:00:00Z', undefined)).toBe(false);
  expect(() => timesEqual('2024-03-01T10:00:00Z', 'soon')).toThrow(refused);
});

describe('timeOf', () => {
  test('cuts milliseconds off, before 1970 too', () => {
    expect(timeOf(1_709_287_200_000)).toBe('2024-03-01T10:00:00Z');
    expect(timeOf(1_709_287_200_999.9)).toBe('2024-03-01T10:00:00Z');
    expect(timeOf(1_709_287_201_000)).toBe('2024-03-01T10:00:01Z');
    expect(timeOf(-1)).toBe('1969-12-31T23:59:59Z');
  });

  test('a clock that is broken is an error', () => {
    for (const ms of [NaN, Infinity, 1e15]) {
      expect(() => timeOf(ms)).toThrow(expect.objectContaining({ code: 'ERR_BAD_TIME' }) as Error);
    }
  });

  test('is the inverse of reading', () => {
    fc.assert(
      fc.property(fc.integer({ min: -6e10, max: 2.5e11 }), (seconds) => {
        const text = timeOf(seconds * 1000);
        expect(Date.parse(text)).toBe(seconds * 1000);
        expect(secondsOf(text)).toBe(text);
        expect(secondsOf(text.replace('Z', '.25+00:00'))).toBe(text);
      }),
      runs(),
    );
  });
});
