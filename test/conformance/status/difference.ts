/**
 * Compares what was recorded with what was seen, up to the first difference, and says where that is.
 *
 * Recorded times the code took from the clock are `$NOW` or, so many seconds later, `$NOW+k`. What was seen has real
 * texts; NowMask gives them these names. A property that is undefined is an absent one.
 */

export class NowMask {
  readonly #start: number;
  readonly #flat: boolean;

  /** `start` is the time the case began, in ms; `flat`: all times of the clock are `$NOW`. */
  constructor(start: number, flat = false) {
    this.#start = start;
    this.#flat = flat;
  }

  /** The text, or its name if it is a time of the clock as Go writes one. */
  of(text: string): string {
    const ms = Date.parse(text);
    const isOurs = ms >= this.#start && new Date(ms).toISOString() === text.replace(/Z$/, '.000Z');
    if (!isOurs) return text;
    const seconds = (ms - this.#start) / 1000;
    return seconds === 0 || this.#flat ? '$NOW' : `$NOW+${seconds}`;
  }
}

export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

/** Longer texts are cut to where they differ, with this much of what is equal before it. */
const MOST_CHARACTERS = 600;
const BEFORE = 100;

/** Null if there is none. */
export function firstDifference(
  expected: unknown,
  got: unknown,
  mask: NowMask,
  path = '',
): Difference | null {
  if (expected === got) return null;
  if (typeof got === 'string' && mask.of(got) === expected) return null;
  if (Array.isArray(expected) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(expected.length, got.length); i++) {
      const one = firstDifference(expected[i], got[i], mask, `${path}[${i}]`);
      if (one !== null) return one;
    }
    return null;
  }
  if (isRecord(expected) && isRecord(got)) {
    const among = (keys: readonly string[]): Difference | null => {
      for (const key of keys) {
        const one = firstDifference(expected[key], got[key], mask, path === '' ? key : `${path}.${key}`);
        if (one !== null) return one;
      }
      return null;
    };
    const more = Object.keys(got).filter((key) => !Object.hasOwn(expected, key));
    return among(Object.keys(expected)) ?? among(more);
  }
  const [left, right] = [textOf(expected), textOf(got, mask)];
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  return { path, expected: cut(left, same), got: cut(right, same) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown, mask?: NowMask): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' && mask !== undefined ? mask.of(inner) : inner,
  );
}

function cut(text: string, same: number): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const from = Math.max(0, same - BEFORE);
  const to = from + MOST_CHARACTERS;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** Makes sure that nobody changes what he was given: a write throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
