/**
 * metav1.Time as text: RFC 3339, null for Go's zero time.
 *
 * `secondsOf` gives what Go writes to the wire: whole seconds, UTC, `Z`. Most times are in that form already, and the
 * same one comes many times in a row, so the last one that was checked is remembered.
 *
 * Text that is no time is an error here, as it is to Go's decoder: it cannot be compared and no server would take it.
 */
import { KubeError, describe } from './errors.js';
import type { Time } from './types.js';

/** Go's zero time, spelled out. */
const ZERO = '0001-01-01T00:00:00Z';
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
/** Four hundred years, after which the calendar repeats. Date.UTC takes years below 100 for those of 1900. */
const CYCLE = 12_622_780_800_000;

const FIRST = (Date.UTC(400, 0) - CYCLE) / 1000;
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

interface Instant {
  /** Since 1970. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** The time in the wire's form; fractions of a second are cut off. */
export function secondsOf(time: Time | undefined): Time {
  if (time === undefined || time === null) return null;
  if (isSecondsForm(time)) return time === ZERO ? null : time;
  const text = textOf(instantOf(time).seconds);
  return text === ZERO ? null : text;
}

export function isZeroTime(time: Time | undefined): boolean {
  if (time === undefined || time === null || time === ZERO) return true;
  if (isSecondsForm(time)) return false;
  const { seconds, nanoseconds } = instantOf(time);
  return nanoseconds === 0 && textOf(seconds) === ZERO;
}

/** Whether both are the same instant, in whatever zone. Fractions count. */
export function timesEqual(a: Time | undefined, b: Time | undefined): boolean {
  if (a === b) return true;
  const zero = isZeroTime(a);
  if (zero || isZeroTime(b)) return zero === isZeroTime(b);
  const left = instantOf(a as string);
  const right = instantOf(b as string);
  return left.seconds === right.seconds && left.nanoseconds === right.nanoseconds;
}

/** Whether Go would decode it. */
export function isTimeText(text: string): boolean {
  return isSecondsForm(text) || parse(text) !== undefined;
}

let lastSecond = NaN;
let lastText = '';

/** A clock's milliseconds in the wire's form. */
export function timeOf(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = textOf(second);
    lastSecond = second;
  }
  return lastText;
}

function textOf(seconds: number): string {
  if (!(seconds >= FIRST && seconds <= LAST)) {
    throw new KubeError('ERR_BAD_TIME', `${seconds} s since 1970 is outside the years 0 to 9999`);
  }
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function instantOf(text: string): Instant {
  const instant = parse(text);
  if (instant === undefined) {
    throw new KubeError(
      'ERR_BAD_TIME_TEXT',
      `not an RFC 3339 time: ${describe(text)}; write it as 2024-03-01T10:00:00Z`,
    );
  }
  return instant;
}

function parse(text: string): Instant | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const zoneHour = Number(match[9] ?? 0);
  const zoneMinute = Number(match[10] ?? 0);
  if (!isCalendar(year, month, day, hour, minute, second) || zoneHour > 23 || zoneMinute > 59)
    return undefined;
  const offset = (zoneHour * 60 + zoneMinute) * (match[8] === '-' ? -60 : 60);
  const seconds = (Date.UTC(year + 400, month - 1, day, hour, minute, second) - CYCLE) / 1000 - offset;
  // In UTC it may be in a year of five digits, or before the year 0.
  if (seconds < FIRST || seconds > LAST) return undefined;
  return { seconds, nanoseconds: Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')) };
}

function isCalendar(y: number, m: number, d: number, hour: number, minute: number, second: number): boolean {
  return (
    y >= 0 && m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m) && hour < 24 && minute < 60 && second < 60
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

let lastChecked = ZERO;

function isSecondsForm(text: string): boolean {
  if (text === lastChecked) return true;
  if (!hasSecondsForm(text)) return false;
  lastChecked = text;
  return true;
}

/** Twenty characters, all in their places, and a day of the calendar. */
function hasSecondsForm(text: string): boolean {
  return (
    text.length === 20 &&
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    text.charCodeAt(19) === 90 &&
    isCalendar(
      digits(text, 0) * 100 + digits(text, 2),
      digits(text, 5),
      digits(text, 8),
      digits(text, 11),
      digits(text, 14),
      digits(text, 17),
    )
  );
}

/** Two decimal digits, or NaN, which no comparison lets pass. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}
