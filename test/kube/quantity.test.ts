import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  BadQuantityError,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantitiesEqual,
} from '../../src/kube/quantity.js';
import { dumpQuantity } from '../../src/state/v129-dump.js';
import { inRepository } from '../support/repository.js';

interface Sample {
  readonly a: string;
  readonly b: string;
  readonly error?: string;
  readonly canonical?: string;
  readonly dump?: string;
  readonly cmp?: number;
}

const lines = gunzipSync(readFileSync(inRepository('test/kube/quantity-samples.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
// The first line says how the others were recorded.
const samples = lines.slice(1).map((line) => JSON.parse(line) as Sample);

function seen({ a, b, cmp }: Sample): Sample {
  try {
    const quantity = parseQuantity(a);
    const parsed = { a, b, canonical: formatQuantity(quantity), dump: dumpQuantity(quantity) };
    return cmp === undefined ? parsed : { ...parsed, cmp: compareQuantities(a, b) };
  } catch (error) {
    if (error instanceof BadQuantityError) return { a, b, error: error.reason };
    throw error;
  }
}

test('quantities are read, written, dumped and compared as the real Go code did', () => {
  expect(samples.length).toBeGreaterThan(1000);
  for (const sample of samples) expect(seen(sample)).toEqual(sample);
});

test('comparing is symmetric, and equality agrees with it', () => {
  for (const { a, b, cmp } of samples) {
    if (cmp === undefined) continue;
    expect([a, b, compareQuantities(b, a) + cmp]).toEqual([a, b, 0]);
    expect([a, b, quantitiesEqual(a, b)]).toEqual([a, b, cmp === 0]);
  }
});

test('what is canonical stays as it is', () => {
  for (const { canonical } of samples) {
    // Beyond E upstream loses the suffix, and what it writes is another number.
    if (canonical !== undefined)
      expect(canonicalQuantity(canonicalQuantity(canonical))).toBe(canonicalQuantity(canonical));
  }
});

describe('equality', () => {
  test.each([
    ['1', '1000m', true],
    ['1Gi', '1024Mi', true],
    [1, '1', true],
    [0.5, '500m', true],
    [1e21, '1e21', true],
    [' 1 ', '1', true],
    [null, '0', true],
    ['1', '1001m', false],
    ['1G', '1Gi', false],
    ['-1', '1', false],
  ])('%j and %j: %j', (a, b, equal) => {
    expect(quantitiesEqual(a, b)).toBe(equal);
    expect(quantitiesEqual(b, a)).toBe(equal);
  });

  test('a text that is no quantity equals only itself', () => {
    expect(quantitiesEqual('lots', 'lots')).toBe(true);
    expect(quantitiesEqual('lots', 'Lots')).toBe(false);
    expect(quantitiesEqual('lots', '0')).toBe(false);
    expect(quantitiesEqual('0', 'lots')).toBe(false);
  });
});

test('a text that is no quantity is a typed error, and has no other canonical form', () => {
  expect(() => parseQuantity('100Q')).toThrow(
    expect.objectContaining({ code: 'ERR_BAD_QUANTITY', text: '100Q' }),
  );
  expect(canonicalQuantity('100Q')).toBe('100Q');
});

test("white space is Go's", () => {
  expect(parseQuantity('\u00851\u3000').s).toBe('1');
  expect(() => parseQuantity('\ufeff1')).toThrow(BadQuantityError);
});

describe('exponents that Go would spend its memory on', () => {
  test('a huge number is compared without being written out', () => {
    expect(compareQuantities('1e2147483647', '9E')).toBe(1);
    expect(compareQuantities('-1e2147483647', '9E')).toBe(-1);
    expect(compareQuantities('1e2147483647', '10e2147483646')).toBe(0);
    expect(canonicalQuantity('1e2147483647')).toBe('10e2147483646');
  });

  test('a tiny one is a nano, as any other below', () => {
    expect(canonicalQuantity('1e-2147483647')).toBe('1e-9');
    expect(canonicalQuantity('-1e-2000000000')).toBe('-1e-9');
  });

  test('one that only exists written out is refused', () => {
    expect(() => parseQuantity('99999999999999999999e2000000000')).toThrow(/more than 10000 digits/);
    expect(() => parseQuantity('9'.repeat(10_001))).toThrow(/more than 10000 digits/);
    expect(canonicalQuantity('9'.repeat(10_000))).toBe('9'.repeat(10_000));
  });
});
