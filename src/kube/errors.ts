/** What this layer refuses: input that Go would not have decoded, and names that are none. */
import { PodloomError } from '../observe/errors.js';

export class KubeError extends PodloomError {}

const LONGEST = 60;

/** A value as an error message shows it: its kind, and as much of it as helps. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
    case 'object':
      return value === null ? 'null' : Object.prototype.toString.call(value);
    case 'function':
    case 'undefined':
      return typeof value;
    default:
      return `${typeof value} ${String(value)}`;
  }
}
