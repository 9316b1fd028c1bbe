/**
 * Objects as JSON text, made once: an object keeps its text until it is replaced, and a spec keeps its own, since most
 * writes are of a status and leave it as it was.
 *
 * A stored object has neither kind nor apiVersion: those are written where an object stands alone, not in a list.
 */
import type { ApiObject } from './store.js';

const texts = new WeakMap<object, string>();

/** The object as an item of a list. */
export function itemText(object: ApiObject): string {
  let text = texts.get(object);
  if (text === undefined) {
    const parts: string[] = [];
    for (const [key, value] of Object.entries(object)) parts.push(`"${key}":${partText(key, value)}`);
    text = `{${parts.join(',')}}`;
    texts.set(object, text);
  }
  return text;
}

/** The object standing alone. */
export const objectText = (kind: string, apiVersion: string, object: ApiObject): string =>
  `{"kind":"${kind}","apiVersion":"${apiVersion}",${itemText(object).slice(1)}`;

function partText(key: string, value: unknown): string {
  if (key !== 'spec' || typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = texts.get(value);
  if (text === undefined) {
    text = JSON.stringify(value);
    texts.set(value, text);
  }
  return text;
}
