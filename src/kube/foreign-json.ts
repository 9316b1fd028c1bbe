/** Any JSON at all: copied and compared without knowing what it means. */
import { KubeError, describe } from './errors.js';

const DEEPEST = 64;
/** Values in one field that is not known, each counted as often as it would be written. */
const MOST_VALUES = 100_000;

export function badStatus(path: string, problem: string): KubeError {
  return new KubeError('ERR_BAD_STATUS', `pod status${path === '' ? '' : `: ${path}`} ${problem}`);
}

/**
 * A deep copy of what is foreign. What has no JSON form, or none that ends, is an error that names its path; so is what
 * is far too large, as a few objects that refer to each other twice can be, or a list of nothing but holes.
 */
export function copyJson(value: unknown, path: string): unknown {
  return isPrimitive(value) ? value : copyNested(value, path, { above: new Set(), values: 0 });
}

interface Progress {
  /** The objects that contain the one being copied. */
  readonly above: Set<object>;
  /** Seen so far. */
  values: number;
}

const isPrimitive = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

function copyNested(value: unknown, path: string, progress: Progress): unknown {
  if (++progress.values > MOST_VALUES) throw badStatus(path, `is one of more than ${MOST_VALUES} values`);
  if (isPrimitive(value)) return value;
  if (typeof value !== 'object' || value === null) throw badStatus(path, `is not JSON: ${describe(value)}`);
  const { above } = progress;
  if (above.has(value)) throw badStatus(path, 'contains itself');
  if (above.size === DEEPEST) throw badStatus(path, `is more than ${DEEPEST} levels deep`);
  above.add(value);
  const copy = Array.isArray(value) ? copyList(value, path, progress) : copyObject(value, path, progress);
  above.delete(value);
  return copy;
}

function copyList(list: readonly unknown[], path: string, progress: Progress): unknown[] {
  checkLength(list, path, MOST_VALUES);
  return Array.from(list, (element, i) => copyNested(element ?? null, `${path}[${i}]`, progress));
}

function copyObject(object: object, path: string, progress: Progress): object {
  const tag = Object.prototype.toString.call(object);
  if (tag !== '[object Object]') throw badStatus(path, `is not JSON: ${tag}`);
  const copy = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) setOwn(copy, name, copyNested(value, `${path}.${name}`, progress));
  }
  return copy;
}

export function checkLength(list: readonly unknown[], path: string, most: number): void {
  if (list.length > most) throw badStatus(path, `has ${list.length} elements; the most is ${most}`);
}

/** An assignment that is one for every name: `__proto__` becomes a field like any other. */
export function setOwn(object: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as Record<string, unknown>)[name] = value;
  }
}

/** A field of the object's own; never one it inherits. */
export function getOwn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

/** Deep equality. A field that is undefined is one that is absent; null is a value. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, i) => jsonEqual(element, b[i]));
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) if (!jsonEqual(getOwn(a, name), getOwn(b, name))) return false;
  return true;
}
