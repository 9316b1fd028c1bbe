/**
 * Quantities as Go's `resource.Quantity` reads, compares and writes them.
 *
 * A parsed quantity keeps the parts Go keeps, as v1.29's checkpoint hashes them (src/state/codec-v129.ts): small
 * numbers as `value × 10^scale` in 64 bits, others as a big decimal, and the text itself where Go takes it for
 * canonical. Nothing finer than a nano is kept: it is rounded away from zero.
 *
 * Go computes with an exponent of any size, and `1e2000000000` costs it minutes and gigabytes. Here a comparison looks
 * at the number of digits first, and a number that would have to be written out in too many digits is an error.
 */
import { PodloomError } from '../observe/errors.js';
import type { QuantityText } from './types.js';

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent' | '';

/** `unscaled × 10^-scale`. */
export interface BigDecimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

export interface Quantity {
  /** `value × 10^scale`; zero both where `dec` is set. */
  readonly value: bigint;
  readonly scale: number;
  readonly dec: BigDecimal | null;
  /** The text, if it is what Go would write again; else empty, and the canonical form is made anew. */
  readonly s: string;
  readonly format: QuantityFormat;
}

const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const byExponent = (suffixes: ReadonlyMap<string, number>): ReadonlyMap<number, string> =>
  new Map([...suffixes].map(([suffix, exponent]) => [exponent, suffix]));
const DECIMAL_SUFFIX_OF = byExponent(DECIMAL_SUFFIXES);
const BINARY_SUFFIX_OF = byExponent(BINARY_SUFFIXES);

const NANO = -9;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** So many decimal digits always fit into 64 bits. */
const INT64_DIGITS = 18;
/** More digits than this are not written out. Far beyond any resource there is. */
const MAX_DIGITS = 10_000;

/** What a JSON null becomes: the zero value, which no text gives. */
const ZERO_VALUE: Quantity = { value: 0n, scale: 0, dec: null, s: '', format: '' };

export class BadQuantityError extends PodloomError {
  constructor(
    readonly text: string,
    /** In Go's words. */
    readonly reason: string,
  ) {
    const shown = text.length > 64 ? `${text.slice(0, 64)}…` : text;
    super(
      'ERR_BAD_QUANTITY',
      `bad quantity ${JSON.stringify(shown)}: ${reason}; write it as "250m" or "1Gi"`,
    );
  }
}

const FORMAT_WRONG = String.raw`quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;
const BAD_SUFFIX = "unable to parse quantity's suffix";
const BAD_NUMBER = 'unable to parse numeric part of quantity';
const TOO_MANY_DIGITS = `it has more than ${String(MAX_DIGITS)} digits`;

/** Sign, digits, decimals, suffix. Digits may be missing: Go reads `.5`, `-` and `k`. One way to match, so no backtracking. */
const SHAPE = /^([+-]?)([0-9]*)(\.[0-9]*|)([eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*|)$/;
/** Go's white space: U+0085 is, U+FEFF is not. */
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Reads a quantity. White space around it is dropped, as Go does when it reads JSON. Throws ERR_BAD_QUANTITY. */
export function parseQuantity(text: QuantityText | null): Quantity {
  if (text === null) return ZERO_VALUE;
  const trimmed = trimSpace(String(text));
  if (trimmed === '0') return { value: 0n, scale: 0, dec: null, s: '0', format: 'DecimalSI' };

  const parts = trimmed === '' ? null : SHAPE.exec(trimmed);
  if (parts === null) throw new BadQuantityError(trimmed, FORMAT_WRONG);
  const [, sign, digits, decimals, suffix] = parts;
  const significant = digits.replace(/^0+/, '') || '0';
  return assemble(trimmed, sign === '-', significant, decimals.slice(1), readSuffix(trimmed, suffix));
}

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function readSuffix(text: string, suffix: string): Suffix {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) return { exponent: binary, format: 'BinarySI' };
  if (/^[eE][+-]?[0-9]+$/.test(suffix)) {
    const exponent = BigInt(suffix.slice(suffix[1] === '+' ? 2 : 1));
    // Go reads 64 bits and keeps the lower 32.
    if (exponent >= MIN_INT64 && exponent <= MAX_INT64) {
      return { exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
    }
  }
  throw new BadQuantityError(text, BAD_SUFFIX);
}

function assemble(
  text: string,
  negative: boolean,
  digits: string,
  decimals: string,
  suffix: Suffix,
): Quantity {
  const { exponent, format } = suffix;
  const all = digits + decimals;
  const signed = (magnitude: bigint): bigint => (negative ? -magnitude : magnitude);

  if (format === 'BinarySI') {
    // Go's estimate of whether the product fits; what it leaves out becomes a big decimal although it would fit.
    const room = 15 - digits.length - Math.trunc(Math.fround(Math.fround(exponent * 3) / 10)) - 1;
    if (decimals === '' && room >= 0) {
      const count = BigInt(digits);
      const s = count % 8n === 0n ? '' : text;
      return { value: signed(count << BigInt(exponent)), scale: 0, dec: null, s, format };
    }
  } else if (all.length <= INT64_DIGITS) {
    const scale = (exponent - decimals.length) | 0;
    if (scale >= NANO) {
      const canonical = scale % 3 === 0 && !all.endsWith('000') && !all.startsWith('0');
      return { value: signed(BigInt(all)), scale, dec: null, s: canonical ? text : '', format };
    }
  }
  // Only here Go minds that there is no digit at all: `Ki` is zero, `Ei` an error.
  if (!/^[+-]?\.?[0-9]/.test(text)) throw new BadQuantityError(text, BAD_NUMBER);
  return big(text, all, decimals.length, signed, suffix);
}

function big(
  text: string,
  all: string,
  decimals: number,
  signed: (magnitude: bigint) => bigint,
  { exponent, format }: Suffix,
): Quantity {
  if (all.length > MAX_DIGITS) throw new BadQuantityError(text, TOO_MANY_DIGITS);
  const binary = format === 'BinarySI';
  const unscaled = binary ? BigInt(all) << BigInt(exponent) : BigInt(all);
  const scale = binary ? decimals : (decimals - exponent) | 0;
  const made = (dec: BigDecimal, as: QuantityFormat): Quantity => ({
    value: 0n,
    scale: 0,
    dec,
    s: '',
    format: as,
  });

  if (unscaled === 0n) return made({ unscaled, scale }, format);
  const nanos = roundUpToNano(text, unscaled, scale);
  if (binary && nanos > MAX_INT64 * 10n ** 9n) return made({ unscaled: signed(MAX_INT64), scale: 0 }, format);
  const belowOne = binary && nanos < 10n ** 9n;
  return made({ unscaled: signed(nanos), scale: -NANO }, belowOne ? 'DecimalSI' : format);
}

/** A positive decimal in nanos; whoever asks for less than one gets one. */
function roundUpToNano(text: string, unscaled: bigint, scale: number): bigint {
  if (scale <= -NANO) {
    if (-NANO - scale > MAX_DIGITS) throw new BadQuantityError(text, TOO_MANY_DIGITS);
    return unscaled * 10n ** BigInt(-NANO - scale);
  }
  const excess = scale + NANO;
  if (excess > unscaled.toString().length) return 1n;
  const divisor = 10n ** BigInt(excess);
  return (unscaled + divisor - 1n) / divisor;
}

/** Below, at or above zero as `a` is less than, equal to or more than `b`, by value. Throws ERR_BAD_QUANTITY. */
export function compareQuantities(a: QuantityText | null, b: QuantityText | null): number {
  return compareParsed(parseQuantity(a), parseQuantity(b));
}

function compareParsed(a: Quantity, b: Quantity): number {
  const x = decimalOf(a);
  const y = decimalOf(b);
  const signs = signOf(x.unscaled) - signOf(y.unscaled);
  if (signs !== 0 || x.unscaled === 0n) return Math.sign(signs);
  // Both have the same sign. Where the leading digit stands settles most of it, and bounds the power below.
  const order = leadingPlace(x) - leadingPlace(y);
  if (order !== 0) return Math.sign(order) * signOf(x.unscaled);
  const shift = y.scale - x.scale;
  const left = shift > 0 ? x.unscaled * 10n ** BigInt(shift) : x.unscaled;
  const right = shift < 0 ? y.unscaled * 10n ** BigInt(-shift) : y.unscaled;
  return left < right ? -1 : left > right ? 1 : 0;
}

const decimalOf = (q: Quantity): BigDecimal => q.dec ?? { unscaled: q.value, scale: -q.scale };
const signOf = (n: bigint): number => (n > 0n ? 1 : n < 0n ? -1 : 0);
const magnitudeOf = (n: bigint): bigint => (n < 0n ? -n : n);
const leadingPlace = (d: BigDecimal): number => magnitudeOf(d.unscaled).toString().length - d.scale;

/** Equal by value, as `1` and `1000m`. A text that is no quantity equals only itself. */
export function quantitiesEqual(a: QuantityText | null, b: QuantityText | null): boolean {
  if (a === b || (a !== null && b !== null && String(a) === String(b))) return true;
  try {
    return compareQuantities(a, b) === 0;
  } catch (error) {
    if (error instanceof BadQuantityError) return false;
    throw error;
  }
}

/** What Go writes for a quantity it has read. A text that is no quantity comes back as it is: Go could not hold it. */
export function canonicalQuantity(text: QuantityText | null): string {
  try {
    return formatQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof BadQuantityError) return String(text);
    throw error;
  }
}

export function formatQuantity(q: Quantity): string {
  if (q.s !== '') return q.s;
  const { unscaled, scale } = decimalOf(q);
  if (unscaled === 0n) return '0';
  const whole = q.format === 'BinarySI' ? wholeNumber(unscaled, scale) : undefined;
  // Small numbers and fractions are written as decimals: a binary suffix would lose or hide something.
  if (whole !== undefined && magnitudeOf(whole) >= 1024n) return formatBinary(whole);
  return formatDecimal(unscaled, -scale, q.format === 'DecimalSI' || q.format === 'BinarySI');
}

function wholeNumber(unscaled: bigint, scale: number): bigint | undefined {
  const divisor = 10n ** BigInt(scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function formatBinary(whole: bigint): string {
  let count = whole;
  let exponent = 0;
  while (count % 1024n === 0n) {
    count /= 1024n;
    exponent += 10;
  }
  return `${String(count)}${BINARY_SUFFIX_OF.get(exponent) ?? ''}`;
}

function formatDecimal(unscaled: bigint, power: number, asSI: boolean): string {
  const digits = unscaled.toString();
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  const significant = digits.slice(0, end);
  let exponent = (power + digits.length - end) | 0;
  // The exponent must be a multiple of three; `%` has the sign of what is divided.
  const zeros = ((exponent % 3) + 3) % 3;
  exponent = (exponent - zeros) | 0;
  const number = significant + '0'.repeat(zeros);
  // Beyond the last suffix (E) Go writes none at all, and 1000E becomes 1.
  if (asSI) return number + (DECIMAL_SUFFIX_OF.get(exponent) ?? '');
  return exponent === 0 ? number : `${number}e${String(exponent)}`;
}
