/** Paths into JSON: `a.b[0].c`, odd keys as `["k/e.y"]`. */
import type { Json, JsonObject } from './format.js';

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const PART = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g;

/** '' is the whole. Undefined where there is nothing. */
export function readPath(value: Json, path: string): Json {
  let current: Json = value;
  for (const [, quoted, index, plain] of path.matchAll(PART)) {
    if (index !== undefined)
      current = Array.isArray(current) ? (current as Json[])[Number(index)] : undefined;
    else {
      const key = quoted ?? plain ?? '';
      current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    }
  }
  return current;
}
