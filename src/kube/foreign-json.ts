/** Any JSON at all: copied and compared without knowing what it means. */
import { KubeError, describe } from './errors.js';

const DEEPEST = 64;
/** A sparse list is endless to walk and costs nothing to make. */
const LONGEST_LIST = 1_000_000;

export function badStatus(path: string, problem: string): KubeError {
  return new KubeError('ERR_BAD_STATUS', `pod status${path === '' ? '' : `: ${path}`} ${problem}`);
}

/**
 * A deep copy of what is foreign. What has no JSON form, or none that ends, is an error that names its path.
 * An object that occurs twice is copied once, so that a small input cannot grow into a huge one.
 */
export function copyJson(value: unknown, path: string): unknown {
  return isPrimitive(value) ? value : copyNested(value, path, 1, new Map());
}

const isPrimitive = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

function copyNested(value: unknown, path: string, depth: number, seen: Map<object, unknown>): unknown {
  if (isPrimitive(value)) return value;
  if (typeof value !== 'object' || value === null) throw badStatus(path, `is not JSON: ${describe(value)}`);
  if (seen.has(value)) {
    const copy = seen.get(value);
    if (copy === undefined) throw badStatus(path, 'contains itself');
    return copy;
  }
  if (depth > DEEPEST) throw badStatus(path, `is more than ${DEEPEST} levels deep`);
  seen.set(value, undefined);
  const copy = Array.isArray(value)
    ? copyList(value, path, depth, seen)
    : copyObject(value, path, depth, seen);
  seen.set(value, copy);
  return copy;
}

function copyList(
  list: readonly unknown[],
  path: string,
  depth: number,
  seen: Map<object, unknown>,
): unknown[] {
  checkLength(list, path, LONGEST_LIST);
  return Array.from(list, (element, i) => copyNested(element ?? null, `${path}[${i}]`, depth + 1, seen));
}

function copyObject(object: object, path: string, depth: number, seen: Map<object, unknown>): object {
  const tag = Object.prototype.toString.call(object);
  if (tag !== '[object Object]') throw badStatus(path, `is not JSON: ${tag}`);
  const copy = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) setOwn(copy, name, copyNested(value, `${path}.${name}`, depth + 1, seen));
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
