/**
 * Compares an answer with a recorded one: a deep subset, equal where the case says so, with masks for what differs from
 * run to run. A mask's number stands for a value: the same number is the same value throughout a case.
 */
import type { Json } from './format.js';
import { isObject, readPath } from './paths.js';

export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

const MASK = /\$(uid|rv|lrv|brv|gen|continue)(\d+)|\$(time\+\d+|mtime|time|age|num|any)/;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const PATTERNS: Readonly<Record<string, string>> = {
  uid: UUID,
  rv: '\\d+',
  lrv: '\\d+',
  brv: '\\d+',
  gen: '[a-z0-9]{5}',
  continue: '.+',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ',
  mtime: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z',
  age: '(?:\\d+[smhdy])+',
  num: '\\d+',
  any: '[\\s\\S]*',
};
const TOLERANCE_MS = 5_000;

export class Matcher {
  readonly #values = new Map<string, string>();
  readonly #now: () => number;
  /** The largest object version seen before this step. */
  #seen = 0n;
  #highest = 0n;
  /** Whether list versions of this step say nothing, since the request named a version. */
  listVersionsAreFree = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  nextStep(): void {
    this.#seen = this.#highest;
  }

  compare(
    expected: Json,
    got: Json,
    exact: readonly string[],
    absent: readonly string[],
  ): Difference | undefined {
    const whole = exact.includes('');
    const difference = this.#match(expected, got, '', whole, whole);
    if (difference !== undefined) return difference;
    for (const path of exact) {
      if (path === '') continue;
      const found = this.#match(readPath(expected, path), readPath(got, path), path, true, true);
      if (found !== undefined) return found;
    }
    for (const path of absent) {
      const value = readPath(got, path);
      if (value !== undefined) return { path, expected: 'nothing', got: show(value) };
    }
    return undefined;
  }

  /** Versions are numbered by value. Undefined if the values seen so far agree. */
  checkOrder(): Difference | undefined {
    const versions = [...this.#values]
      .filter(([mask]) => /^rv\d+$/.test(mask))
      .map(([mask, value]) => ({ mask, number: Number(mask.slice(2)), value: BigInt(value) }))
      .sort((a, b) => a.number - b.number);
    for (let i = 1; i < versions.length; i++) {
      const [before, after] = [versions[i - 1], versions[i]];
      if (before === undefined || after === undefined || before.value < after.value) continue;
      return {
        path: `$${after.mask}`,
        expected: `above $${before.mask} (${before.value})`,
        got: String(after.value),
      };
    }
    return undefined;
  }

  text(expected: string, got: string, path = ''): Difference | undefined {
    return this.#matchText(expected, got, path);
  }

  #match(expected: Json, got: Json, path: string, isExact: boolean, isRoot = false): Difference | undefined {
    if (typeof expected === 'string' && typeof got === 'string') return this.#matchText(expected, got, path);
    if (Array.isArray(expected)) return this.#matchList(expected, got, path, isExact);
    if (!isObject(expected)) {
      return expected === got ? undefined : { path, expected: show(expected), got: show(got) };
    }
    if (Array.isArray(expected.$contains)) return this.#matchContains(expected.$contains, got, path);
    if (!isObject(got)) return { path, expected: show(expected), got: show(got) };
    for (const [key, value] of Object.entries(expected)) {
      const at = join(path, key);
      if (!Object.hasOwn(got, key)) return { path: at, expected: show(value), got: 'nothing' };
      const difference = this.#match(value, got[key], at, isExact);
      if (difference !== undefined) return difference;
    }
    if (!isExact) return undefined;
    const extra = Object.keys(got).find(
      (key) => !Object.hasOwn(expected, key) && !(isRoot && key === 'managedFields'),
    );
    return extra === undefined
      ? undefined
      : { path: join(path, extra), expected: 'nothing', got: show(got[extra]) };
  }

  #matchList(expected: readonly Json[], got: Json, path: string, isExact: boolean): Difference | undefined {
    if (!Array.isArray(got) || got.length !== expected.length) {
      return { path, expected: `${expected.length} elements: ${show(expected)}`, got: show(got) };
    }
    for (let i = 0; i < expected.length; i++) {
      const difference = this.#match(expected[i], (got as Json[])[i], `${path}[${i}]`, isExact);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  #matchContains(expected: readonly Json[], got: Json, path: string): Difference | undefined {
    const items = Array.isArray(got) ? (got as Json[]) : [];
    const missing = expected.find(
      (want) => !items.some((item) => this.#match(want, item, path, false) === undefined),
    );
    return missing === undefined ? undefined : { path, expected: `with ${show(missing)}`, got: show(got) };
  }

  #matchText(expected: string, got: string, path: string): Difference | undefined {
    if (expected === got) return undefined;
    const differs = { path, expected: show(expected), got: show(got) };
    const masks: string[] = [];
    let pattern = '';
    let rest = expected;
    for (let match = MASK.exec(rest); match !== null; match = MASK.exec(rest)) {
      const [whole, numbered, , plain] = match;
      pattern += `${escape(rest.slice(0, match.index))}(${PATTERNS[numbered ?? plain.replace(/\+\d+$/, '')]})`;
      masks.push(whole.slice(1));
      rest = rest.slice(match.index + whole.length);
    }
    const found = new RegExp(`^${pattern}${escape(rest)}$`).exec(got);
    if (masks.length === 0 || found === null) return differs;
    return masks.every((mask, index) => this.#accept(mask, found[index + 1])) ? undefined : differs;
  }

  #accept(mask: string, value: string): boolean {
    if (mask.startsWith('time+')) {
      const due = this.#now() + Number(mask.slice(5)) * 1000;
      return Math.abs(Date.parse(value) - due) <= TOLERANCE_MS;
    }
    if (!/\d$/.test(mask)) return true;
    if (mask.startsWith('lrv') || mask.startsWith('brv')) {
      return this.listVersionsAreFree || BigInt(value) >= this.#seen;
    }
    if (mask.startsWith('rv') && BigInt(value) > this.#highest) this.#highest = BigInt(value);
    if (mask.startsWith('gen') || mask.startsWith('continue')) return this.#remember(mask, value, false);
    return this.#remember(mask, value, mask.startsWith('uid'));
  }

  /** `isUnique`: another number must be another value. */
  #remember(mask: string, value: string, isUnique: boolean): boolean {
    const known = this.#values.get(mask);
    if (known !== undefined) return known === value;
    if (isUnique && [...this.#values].some(([other, taken]) => other.startsWith('uid') && taken === value)) {
      return false;
    }
    this.#values.set(mask, value);
    return true;
  }
}

const show = (value: Json): string => (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 600);
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
