/**
 * Handles without their memory. Channels take no shared memory, and the threads of a run have one arena anyway,
 * so handles travel without it and get it back on arrival.
 */
import { arena } from '../../../src/sync/index.js';

declare const plain: unique symbol;
/** A handle `H` on its way. */
export interface Plain<H> {
  readonly [plain]?: H;
}

export function toPlain<H>(handle: H): Plain<H> {
  return walk(handle, (fields) => {
    const { memory: _, ...rest } = fields;
    return rest;
  }) as Plain<H>;
}

export function fromPlain<H>(given: Plain<H>): H {
  const { memory } = arena();
  return walk(given, (fields) => ('podloom' in fields ? { ...fields, memory } : fields)) as H;
}

function walk(value: unknown, change: (fields: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, change));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const fields = Object.entries(change(value as Record<string, unknown>));
  return Object.fromEntries(fields.map(([key, one]) => [key, walk(one, change)]));
}
