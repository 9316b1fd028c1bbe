/**
 * Strings as Go sees them: UTF-8 bytes.
 *
 * A byte that is part of no character is kept as a lone surrogate, U+DC00 + byte; cutBytes makes them, and they count
 * as the one byte they are. Any other lone surrogate stands for U+FFFD, which is what it becomes on the wire.
 */

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isRawByte = (unit: number): boolean => unit >= 0xdc80 && unit <= 0xdcff;

/** How many bytes the character at `at` has. */
function bytesAt(text: string, at: number, unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) return 4;
  return isRawByte(unit) ? 1 : 3;
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes++;
      continue;
    }
    const size = bytesAt(text, i, unit);
    bytes += size;
    if (size === 4) i++;
  }
  return bytes;
}

/** The first `limit` bytes, as Go's slicing does it: what is left of a character that was cut is kept as raw bytes. */
export function cutBytes(text: string, limit: number): string {
  return cut(text, limit, true);
}

/** As many whole characters as fit into `limit` bytes. */
export function cutCharacters(text: string, limit: number): string {
  return cut(text, limit, false);
}

function cut(text: string, limit: number, keepRest: boolean): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let i = 0;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    const size = unit < 0x80 ? 1 : bytesAt(text, i, unit);
    if (bytes + size > limit) {
      const whole = detached(text, i);
      return keepRest && bytes < limit
        ? withRest(whole, text.codePointAt(i) as number, limit - bytes)
        : whole;
    }
    bytes += size;
    i += size === 4 ? 2 : 1;
  }
  return text;
}

/** The start of `text` as a string of its own: V8's slices keep all of the original alive. */
function detached(text: string, length: number): string {
  return ` ${text.slice(0, length)}`.slice(1);
}

function withRest(whole: string, codePoint: number, count: number): string {
  const isLone = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const bytes = encode(isLone ? 0xfffd : codePoint).slice(0, count);
  const rest = String.fromCharCode(...bytes.map((byte) => 0xdc00 + byte));
  // A lone high surrogate would make a pair of itself and the first raw byte.
  return isHigh(whole.charCodeAt(whole.length - 1)) ? `${whole.slice(0, -1)}\ufffd${rest}` : whole + rest;
}

/** Of a character that takes more than one byte. */
function encode(c: number): number[] {
  const tail = (shift: number): number => 0x80 | ((c >> shift) & 0x3f);
  if (c < 0x800) return [0xc0 | (c >> 6), tail(0)];
  if (c < 0x10000) return [0xe0 | (c >> 12), tail(6), tail(0)];
  return [0xf0 | (c >> 18), tail(12), tail(6), tail(0)];
}

/** Order of the bytes, which is that of code points: negative, zero or positive. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates are of characters above all others, though their units are not the largest. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
