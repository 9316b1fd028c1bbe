import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareUtf8, cutBytes, cutCharacters, utf8Length } from '../../src/kube/utf8.js';
import { runs } from './arbitrary.js';

const unicode = fc.string({
  unit: fc.constantFrom('a', '\0', 'é', '€', '😀', '\uffff', '\u{10ffff}'),
  maxLength: 20,
});
/** The bytes our strings stand for. */
function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const isRaw = code >= 0xdc80 && code <= 0xdcff;
    parts.push(isRaw ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

test('utf8Length counts bytes; a raw byte is one, any other lone surrogate a U+FFFD', () => {
  expect(utf8Length('')).toBe(0);
  expect(utf8Length('aé€😀')).toBe(10);
  expect(utf8Length('\udcc3\udcff')).toBe(2);
  expect(utf8Length('\ud800')).toBe(3);
  expect(utf8Length('\ud800a')).toBe(4);
  expect(utf8Length('\udfff')).toBe(3);
  fc.assert(
    fc.property(unicode, (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
    runs(),
  );
});

describe('cutBytes', () => {
  test('what is left of a character is kept as raw bytes', () => {
    expect(cutBytes('aé', 2)).toBe('a\udcc3');
    expect(cutBytes('€', 1)).toBe('\udce2');
    expect(cutBytes('€', 2)).toBe('\udce2\udc82');
    expect(cutBytes('😀', 3)).toBe('\udcf0\udc9f\udc98');
    expect(cutBytes('\ud800', 2)).toBe('\udcef\udcbf');
  });

  test('keeps the bytes Go keeps, and cuts what was cut before again', () => {
    fc.assert(
      fc.property(unicode, fc.nat(80), fc.nat(80), (text, n, m) => {
        const once = cutBytes(text, n);
        expect(bytesOf(once)).toEqual(Buffer.from(text).subarray(0, n));
        expect(utf8Length(once)).toBe(Math.min(n, Buffer.byteLength(text)));
        expect(bytesOf(cutBytes(once, m))).toEqual(Buffer.from(text).subarray(0, Math.min(n, m)));
      }),
      runs(),
    );
  });

  test('a raw byte makes no pair with a lone surrogate before it', () => {
    expect(cutBytes('\ud800é', 4)).toBe('\ufffd\udcc3');
  });
});

describe('cutCharacters', () => {
  test('never cuts inside a character', () => {
    fc.assert(
      fc.property(unicode, fc.nat(80), (text, n) => {
        const cut = cutCharacters(text, n);
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(n);
        const next = text.slice(cut.length).codePointAt(0);
        if (next !== undefined) {
          expect(Buffer.byteLength(cut + String.fromCodePoint(next))).toBeGreaterThan(n);
        }
      }),
      runs(),
    );
  });

  test('what fits comes back as it is', () => {
    for (const text of ['', 'abc', 'é'.repeat(100)]) {
      expect(cutCharacters(text, 200)).toBe(text);
      expect(cutBytes(text, 200)).toBe(text);
    }
  });
});

test('10 MB are cut', () => {
  for (const unit of ['x', '€']) {
    const long = unit.repeat(10 * 1024 * 1024);
    expect(utf8Length(cutBytes(long, 12_288))).toBe(12_288);
    expect(utf8Length(cutCharacters(long, 12_287))).toBeGreaterThan(12_284);
    expect(utf8Length(long)).toBe(Buffer.byteLength(long));
  }
});

test('compareUtf8 is the order of the bytes', () => {
  const sign = (value: number): number => Math.sign(value);
  fc.assert(
    fc.property(unicode, unicode, (a, b) => {
      expect(sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    runs(),
  );
  expect(compareUtf8('\uffff', '😀')).toBeLessThan(0);
});
