/**
 * Brings a JSON value into the shape of a Go type: fields in Go's order, zero values written or left out as Go would,
 * unknown fields collected and dropped, a wrong type an error in Go's words.
 *
 * What is identical to the same part of `previous` was decoded before and is taken as it is, so that decoding a
 * patched object costs what the patch changed.
 */
import type { Field, GoType, ListType, MapType, StructType } from './go-type.js';
import { DROPPED_METADATA, objectMeta } from './meta.js';
import { normalizeTime } from './time.js';

/** Whose words a wrong type is told in: the JSON decoder's, or those of the converter behind strategic patches. */
export type Wording = 'json' | 'converter';

/** A value does not fit its type. */
export class DecodeError extends Error {}

export interface Decoded {
  readonly value: Readonly<Record<string, unknown>>;
  /** Paths of the fields nobody knows, in the order they were sent. */
  readonly unknown: readonly string[];
}

export function decode(type: StructType, value: unknown, wording: Wording, previous?: unknown): Decoded {
  const decoder = new Decoder(wording);
  return { value: decoder.struct(type, value, previous, ''), unknown: decoder.unknown };
}

type Json = Readonly<Record<string, unknown>>;

class Decoder {
  readonly unknown: string[] = [];
  readonly #wording: Wording;
  /** The struct and the field being decoded, for the JSON decoder's error text. */
  #owner = '';

  constructor(wording: Wording) {
    this.#wording = wording;
  }

  struct(type: StructType, value: unknown, previous: unknown, path: string): Json {
    if (!isObject(value)) throw this.#mismatch(type, value, path);
    const old = isObject(previous) ? previous : undefined;
    const read = new Map<string, unknown>();
    for (const key of Object.keys(value)) {
      const field = type.fields.get(key);
      if (field === undefined) {
        if (type !== objectMeta || !DROPPED_METADATA.has(key)) this.unknown.push(join(path, key));
        continue;
      }
      const given = value[key];
      if (given === null || given === undefined) continue;
      if (old !== undefined && old[key] === given) {
        read.set(key, given);
        continue;
      }
      this.#owner = type.name;
      read.set(key, this.#value(field.type, given, old?.[key], join(path, key)));
    }
    return assemble(type, read);
  }

  #value(type: GoType, value: unknown, previous: unknown, path: string): unknown {
    switch (type.is) {
      case 'struct':
        return this.struct(type, value, previous, path);
      case 'list':
        return this.#list(type, value, previous, path);
      case 'map':
        return this.#map(type, value, path);
      case 'opaque':
        return value;
      case 'string':
        if (typeof value !== 'string') throw this.#mismatch(type, value, path);
        return value;
      case 'bool':
        if (typeof value !== 'boolean') throw this.#mismatch(type, value, path);
        return value;
      case 'int':
        if (!isInteger(value, type.go)) throw this.#mismatch(type, value, path);
        return value;
      case 'quantity':
        if (typeof value === 'number') return String(value);
        if (typeof value !== 'string') throw this.#mismatch(type, value, path);
        return value;
      case 'time': {
        if (typeof value !== 'string') throw this.#mismatch(type, value, path);
        const time = normalizeTime(value);
        if (!time.valid) throw new DecodeError(time.problem);
        return time.text;
      }
    }
  }

  #list(type: ListType, value: unknown, previous: unknown, path: string): unknown {
    if (!Array.isArray(value)) throw this.#mismatch(type, value, path);
    const old = Array.isArray(previous) ? new Set<unknown>(previous) : undefined;
    const owner = this.#owner;
    return value.map((item: unknown, index) => {
      if (old?.has(item) && isObject(item)) return item;
      this.#owner = owner;
      return this.#value(type.of, item, undefined, `${path}[${index}]`);
    });
  }

  #map(type: MapType, value: unknown, path: string): unknown {
    if (!isObject(value)) throw this.#mismatch(type, value, path);
    const owner = this.#owner;
    const entries = Object.keys(value)
      .sort()
      .map((key) => {
        this.#owner = owner;
        return [key, this.#value(type.of, value[key] ?? '', undefined, join(path, key))] as const;
      });
    return Object.fromEntries(entries);
  }

  #mismatch(type: GoType, value: unknown, path: string): DecodeError {
    if (this.#wording === 'converter') return new DecodeError(converterWords(type, value));
    const seen = typeof value === 'number' && type.is === 'int' ? `number ${value}` : jsonKind(value);
    const plain = path.replace(/\[\d+\]/g, '');
    const target = plain === '' ? 'Go value' : `Go struct field ${this.#owner}.${plain}`;
    return new DecodeError(`json: cannot unmarshal ${seen} into ${target} of type ${type.go}`);
  }
}

function assemble(type: StructType, read: ReadonlyMap<string, unknown>): Json {
  const result: Record<string, unknown> = {};
  for (const field of type.order) {
    const value = read.get(field.name);
    if (value === undefined) {
      if (field.presence === 'keep') result[field.name] = zeroValue(field);
    } else if (field.presence !== 'omit' || !isEmpty(value)) {
      result[field.name] = value;
    }
  }
  return result;
}

function zeroValue({ type }: Field): unknown {
  switch (type.is) {
    case 'string':
      return '';
    case 'int':
      return 0;
    case 'bool':
      return false;
    case 'struct':
      return assemble(type, new Map());
    default:
      return null;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isInteger(value: unknown, go: string): boolean {
  if (!Number.isSafeInteger(value)) return false;
  return go !== 'int32' || ((value as number) >= -(2 ** 31) && (value as number) < 2 ** 31);
}

function converterWords(type: GoType, value: unknown): string {
  switch (type.is) {
    case 'struct':
      return `cannot restore struct from: ${goKind(value)}`;
    case 'list':
      return `cannot restore slice from ${goKind(value)}`;
    case 'map':
      return `cannot restore map from ${goKind(value)}`;
    case 'int':
      return typeof value === 'string' ? `unrecognized type: ${type.go}` : cannotConvert(type, value);
    default:
      return cannotConvert(type, value);
  }
}

const cannotConvert = (type: GoType, value: unknown): string => `cannot convert ${goKind(value)} to ${type.go}`;

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value;
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
