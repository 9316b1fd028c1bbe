/**
 * Whether a v1.29 checkpoint's checksum belongs to its content in another notation.
 *
 * v1.29 writes `1` for a request that was given as `1000m`, but its checksum is that of `1000m`. What Go keeps of a
 * number has few forms that end up as the same text, so they can be tried. The search is small on purpose: a
 * checksum has 32 bits, and among all notations of all quantities of a node one would fit any file. At the bound, a
 * damaged file passes with a chance of 1 in 16,000. A resource that stands in several places with the same text is first
 * taken to be noted alike in all of them, then each place for itself; fewer departures from the text go first.
 */
import { formatQuantity, parseQuantity, type Quantity, type QuantityFormat } from '../kube/quantity.js';
import type { QuantityText } from '../kube/types.js';
import { FNV_OFFSET, fnv1a } from './checksum.js';
import { dumpPieces, dumpQuantity, type QuantityPiece } from './v129-dump.js';
import type { V129Struct } from './v129-struct.js';

const MAX_TRIES = 2 ** 17;
/** Some tenths of a second. */
const MAX_BYTES = 2 ** 28;

const FORMATS: readonly QuantityFormat[] = ['DecimalSI', 'BinarySI', 'DecimalExponent'];
const NANO = -9;
const INT64_DIGITS = 18;
/** Numbers with more zeros than this are not tried as big decimals. */
const MAX_SHIFT = 40;

/** Bytes that are the same in each try, or the index of a group: quantities that change together. */
type Segment = Buffer | number;

export function hasChecksumOfOtherNotation(struct: V129Struct): boolean {
  return (
    isFound(struct, ({ resource, quantity }) => JSON.stringify([resource, quantity])) ||
    isFound(struct, (place) => place)
  );
}

/** Quantities with the same key are noted alike. */
function isFound(struct: V129Struct, keyOf: (place: QuantityPiece) => unknown): boolean {
  const { segments, groups } = segmentsOf(struct, keyOf);
  const chosen = groups.map(([asWritten]) => asWritten);
  const bytesOf = (segment: Segment): Buffer => (typeof segment === 'number' ? chosen[segment] : segment);
  const size = segments.reduce<number>((sum, segment) => sum + bytesOf(segment).length, 0);
  let tries = Math.min(MAX_TRIES, Math.floor(MAX_BYTES / size));

  const fits = (): boolean => {
    let hash = FNV_OFFSET;
    for (const segment of segments) hash = fnv1a(bytesOf(segment), hash);
    return BigInt(hash) === struct.checksum;
  };
  /** Every way to note `departures` of the groups from `from` on differently. */
  const search = (from: number, departures: number): boolean => {
    if (departures === 0) return tries-- > 0 && fits();
    for (let group = from; group <= groups.length - departures && tries > 0; group += 1) {
      const [asWritten, ...others] = groups[group];
      for (const other of others) {
        chosen[group] = other;
        if (search(group + 1, departures - 1)) return true;
      }
      chosen[group] = asWritten;
    }
    return false;
  };
  for (let departures = 1; departures <= groups.length; departures += 1) {
    if (search(0, departures)) return true;
  }
  return false;
}

function segmentsOf(
  struct: V129Struct,
  keyOf: (place: QuantityPiece) => unknown,
): { segments: Segment[]; groups: (readonly Buffer[])[] } {
  const segments: Segment[] = [];
  const groups: (readonly Buffer[])[] = [];
  const indexes = new Map<unknown, number>();
  let text = '';
  for (const piece of dumpPieces(struct)) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    const key = keyOf(piece);
    let index = indexes.get(key);
    if (index === undefined) {
      index = groups.push(notations(piece.quantity).map((notation) => Buffer.from(notation))) - 1;
      indexes.set(key, index);
    }
    segments.push(Buffer.from(text), index);
    text = '';
  }
  segments.push(Buffer.from(text));
  return { segments, groups };
}

/** Dumps of all quantities that Go writes as this text: first the one it reads from it. */
function notations(text: QuantityText): string[] {
  const written = parseQuantity(text);
  const dumps = [written, ...forms(written).filter((form) => formatQuantity(form) === text)].map(
    dumpQuantity,
  );
  return [...new Set(dumps)];
}

/** What Go may hold for a number, and more: not each of them is written as the same text. */
function forms(q: Quantity): Quantity[] {
  let unscaled = q.dec?.unscaled ?? q.value;
  let power = q.dec ? -q.dec.scale : q.scale;
  while (unscaled !== 0n && unscaled % 10n === 0n) {
    unscaled /= 10n;
    power += 1;
  }
  const small = (value: bigint, scale: number, format: QuantityFormat): Quantity => ({
    value,
    scale,
    dec: null,
    s: '',
    format,
  });
  const large = (value: bigint, scale: number, format: QuantityFormat): Quantity => ({
    value: 0n,
    scale: 0,
    dec: { unscaled: value, scale },
    s: '',
    format,
  });

  const found: Quantity[] = [];
  for (const format of ['DecimalSI', 'DecimalExponent'] as const) {
    let value = unscaled;
    for (let scale = power; scale >= NANO && digitsOf(value) <= INT64_DIGITS; scale -= 1) {
      found.push(small(value, scale, format));
      value *= 10n;
    }
  }
  if (power - NANO > MAX_SHIFT) return found;
  const nanos = unscaled * 10n ** BigInt(power - NANO);
  found.push(...FORMATS.map((format) => large(nanos, -NANO, format)));
  if (power < 0) return found;
  const whole = unscaled * 10n ** BigInt(power);
  // The second is what a binary quantity beyond 64 bits is cut to.
  return [...found, small(whole, 0, 'BinarySI'), large(whole, 0, 'BinarySI')];
}

const digitsOf = (value: bigint): number => String(value < 0n ? -value : value).length;
