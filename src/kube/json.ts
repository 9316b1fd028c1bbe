/**
 * Plain JSON: telling its values apart, comparing them, and reading and writing members by names nobody chose.
 *
 * A name may be `__proto__` or `constructor`: only own members count, and writing one never touches a prototype.
 * A member that is undefined is absent. Values may be nested up to MAX_DEPTH; who recurses counts.
 */
import { PodloomError } from '../observe/errors.js';

export type JsonObject = Readonly<Record<string, unknown>>;
export type MutableObject = Record<string, unknown>;

/** Far more than any API object has, far less than the stack holds. */
export const MAX_DEPTH = 1_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function getOwn(object: JsonObject, name: string): unknown {
  const value = object[name];
  return value === undefined || Object.hasOwn(object, name) ? value : undefined;
}

export function setOwn(object: MutableObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

export function tooDeep(): PodloomError {
  return new PodloomError('ERR_JSON_TOO_DEEP', `nested deeper than ${MAX_DEPTH}; no API object is`);
}

/** Whether it is nested no deeper than MAX_DEPTH, without going deeper to find out. */
export function isShallow(value: unknown, room = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (room === 0) return false;
  const members: readonly unknown[] = isList(value) ? value : Object.values(value);
  return members.every((member) => isShallow(member, room - 1));
}

/** Equal as JSON; the order of members does not count. */
export function jsonEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i], depth + 1)) return false;
    return true;
  }
  return !isList(b) && membersEqual(a as JsonObject, b as JsonObject, depth);
}

function membersEqual(a: JsonObject, b: JsonObject, depth: number): boolean {
  let members = 0;
  for (const name of Object.keys(a)) {
    const value = a[name];
    if (value === undefined) continue;
    members++;
    const other = getOwn(b, name);
    if (other === undefined || !jsonEqual(value, other, depth + 1)) return false;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) members--;
  return members === 0;
}
