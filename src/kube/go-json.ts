/**
 * JSON text byte for byte as Go's encoding/json (1.21) writes it: members sorted by the bytes of their names, no white
 * space, and more characters escaped than JSON asks for.
 *
 * Escaped are `<`, `>`, `&`, U+2028, U+2029 and control characters; of those only \t, \n and \r have a short form (Go
 * 1.22 added \b and \f). A lone surrogate, which stands for a byte that is no UTF-8, becomes `\ufffd`.
 */
import { PodloomError } from '../observe/errors.js';
import { type JsonObject, MAX_DEPTH, isList, tooDeep } from './json.js';

/** Anything but printable ASCII that stands for itself between quotes. */
const NOT_PLAIN = /[^ !#-%'-;=?-[\]-~]/;
/** In JSON.stringify's text: a whole escape, or a character Go escapes and it does not. */
const TO_ESCAPE = /\\(?:u[0-9a-f]{4}|.)|[<>&\u2028\u2029]/g;

/** An absent member (undefined) is left out. Numbers must be finite, as in JSON. */
export function goJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return writeNumber(value);
    case 'object':
      if (value === null) return 'null';
      if (depth > MAX_DEPTH) throw tooDeep();
      return isList(value) ? writeList(value, depth) : writeObject(value as JsonObject, depth);
    default:
      throw notJson(value);
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw notJson(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

function writeList(list: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : ',') + write(list[i], depth + 1);
  return text + ']';
}

function writeObject(object: JsonObject, depth: number): string {
  let text = '';
  for (const name of sortedNames(object)) {
    const value = object[name];
    if (value === undefined) continue;
    text += (text === '' ? '{' : ',') + quote(name) + ':' + write(value, depth + 1);
  }
  return text === '' ? '{}' : text + '}';
}

/** The names of an object's members in the order of their UTF-8 bytes. */
export function sortedNames(object: JsonObject): readonly string[] {
  return Object.keys(object).sort(compareUtf8);
}

/**
 * The order of the UTF-8 bytes. UTF-16 has another where a surrogate pair meets U+E000 to U+FFFF: a pair stands for
 * more, but its units are less.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit < 0xd800 || unit > 0xdfff ? unit : unit + 0x10000;
}

function quote(text: string): string {
  return NOT_PLAIN.test(text) ? JSON.stringify(text).replace(TO_ESCAPE, escape) : `"${text}"`;
}

function escape(found: string): string {
  if (found === '\\b') return '\\u0008';
  if (found === '\\f') return '\\u000c';
  // The only escapes of this kind that JSON.stringify writes are lone surrogates.
  if (found.startsWith('\\ud')) return '\\ufffd';
  if (found.startsWith('\\')) return found;
  return '\\u' + found.charCodeAt(0).toString(16).padStart(4, '0');
}

function notJson(value: unknown): PodloomError {
  return new PodloomError('ERR_NOT_JSON', `${String(value)} (${typeof value}) is no JSON value`);
}

/** The text with every lone surrogate replaced by U+FFFD: what is left of it after Go's encoder. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

declare global {
  /** ES2024; Node has had them since 20. */
  interface String {
    isWellFormed(): boolean;
    toWellFormed(): string;
  }
}
