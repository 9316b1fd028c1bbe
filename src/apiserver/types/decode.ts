/**
 * Brings a JSON value into the shape of a Go type: fields in Go's order, zero values written or left out as Go would,
 * unknown fields collected and dropped, a wrong type an error in Go's words.
 *
 * What is identical to the same part of `previous` was decoded before and is taken as it is, so that decoding a
 * patched object costs what the patch changed.
 */
import { type JsonObject, getOwn, isObject } from '../../kube/json.js';
import type { FieldSchema, ScalarKind, StructSchema } from '../../kube/schema.js';
import { goTypeName } from './go-names.js';
import { normalizeTime } from './time.js';

/** Whose words a wrong type is told in: the JSON decoder's, or those of the converter behind strategic patches. */
export type Wording = 'json' | 'converter';

/** A value does not fit its type. */
export class DecodeError extends Error {}

export interface Decoded {
  readonly value: JsonObject;
  /** Paths of the fields nobody knows, in the order they were sent. */
  readonly unknown: readonly string[];
}

export function decode(schema: StructSchema, value: unknown, wording: Wording, previous?: unknown): Decoded {
  const decoder = new Decoder(wording);
  return { value: decoder.root(schema, value, previous), unknown: decoder.unknown };
}

/** Known, but not kept: this server tracks no field owners, and links are of the past. */
const NOT_KEPT: ReadonlySet<string> = new Set(['selfLink', 'managedFields']);

const NO_FIELDS: ReadonlyMap<string, unknown> = new Map();

class Decoder {
  readonly unknown: string[] = [];
  readonly #wording: Wording;

  constructor(wording: Wording) {
    this.#wording = wording;
  }

  root(schema: StructSchema, value: unknown, previous: unknown): JsonObject {
    if (!isObject(value)) {
      const problem = `json: cannot unmarshal ${jsonKind(value)} into Go value of type v1.${schema.name}`;
      throw new DecodeError(
        this.#wording === 'json' ? problem : `cannot restore struct from: ${goKind(value)}`,
      );
    }
    return this.#struct(schema, value, previous, '');
  }

  #struct(schema: StructSchema, value: JsonObject, previous: unknown, path: string): JsonObject {
    const old = isObject(previous) ? previous : undefined;
    const read = new Map<string, unknown>();
    for (const name of Object.keys(value)) {
      const field = schema.fields.get(name);
      if (field === undefined) this.unknown.push(join(path, name));
      else if (schema.name !== 'ObjectMeta' || !NOT_KEPT.has(name)) {
        const given = value[name];
        if (given === null || given === undefined) continue;
        const before = old === undefined ? undefined : getOwn(old, name);
        read.set(
          name,
          given === before ? given : this.#field(schema, field, given, before, join(path, name)),
        );
      }
    }
    return assemble(schema, read);
  }

  #field(owner: StructSchema, field: FieldSchema, value: unknown, previous: unknown, path: string): unknown {
    const mismatch = (seen: unknown, kind: FieldSchema['kind']) =>
      this.#mismatch(owner, field, kind, seen, path);
    switch (field.kind) {
      case 'list': {
        if (!Array.isArray(value)) throw mismatch(value, 'list');
        const known = Array.isArray(previous) ? new Set<unknown>(previous) : undefined;
        return value.map((item: unknown, index) =>
          isObject(item) && known?.has(item)
            ? item
            : this.#single(field, field.element, item, undefined, `${path}[${index}]`, mismatch),
        );
      }
      case 'map': {
        if (!isObject(value)) throw mismatch(value, 'map');
        const entries = Object.keys(value)
          .sort()
          .map((key) => {
            const item = value[key] ?? '';
            return [
              key,
              this.#single(field, field.element, item, undefined, join(path, key), mismatch),
            ] as const;
          });
        return Object.fromEntries(entries);
      }
      default:
        return this.#single(field, field.kind, value, previous, path, mismatch);
    }
  }

  #single(
    field: FieldSchema,
    kind: ScalarKind | 'struct' | undefined,
    value: unknown,
    previous: unknown,
    path: string,
    mismatch: (value: unknown, kind: FieldSchema['kind']) => DecodeError,
  ): unknown {
    switch (kind) {
      case 'struct':
        if (!isObject(value)) throw mismatch(value, kind);
        return this.#struct(field.struct as StructSchema, value, previous, path);
      case 'string':
        if (typeof value !== 'string') throw mismatch(value, kind);
        return value;
      case 'bool':
        if (typeof value !== 'boolean') throw mismatch(value, kind);
        return value;
      case 'int':
        if (!Number.isSafeInteger(value)) throw mismatch(value, kind);
        return value;
      case 'quantity':
        if (typeof value === 'number') return String(value);
        if (typeof value !== 'string') throw mismatch(value, kind);
        return value;
      case 'time': {
        if (typeof value !== 'string') throw mismatch(value, kind);
        const time = normalizeTime(value);
        if (!time.valid) throw new DecodeError(time.problem);
        return time.text;
      }
      default:
        return value;
    }
  }

  #mismatch(
    owner: StructSchema,
    field: FieldSchema,
    kind: FieldSchema['kind'],
    value: unknown,
    path: string,
  ): DecodeError {
    const go = goTypeName(owner, field);
    const type = kind === field.kind ? go : go.replace(/^(\[\]|map\[string\])/, '');
    if (this.#wording === 'converter') return new DecodeError(converterWords(kind, type, value));
    const seen = typeof value === 'number' && kind === 'int' ? `number ${value}` : jsonKind(value);
    const plain = path.replace(/\[\d+\]/g, '');
    return new DecodeError(
      `json: cannot unmarshal ${seen} into Go struct field ${owner.name}.${plain} of type ${type}`,
    );
  }
}

function assemble(schema: StructSchema, read: ReadonlyMap<string, unknown>): JsonObject {
  const result: Record<string, unknown> = {};
  for (const field of schema.fields.values()) {
    const value = read.get(field.name);
    if (value === undefined) {
      if (isAlwaysWritten(field)) result[field.name] = zeroValue(field);
    } else if (field.always || field.pointer || !isEmpty(field, value)) {
      result[field.name] = value;
    }
  }
  return result;
}

/** A struct that is no pointer cannot be left out. */
const isAlwaysWritten = ({ always, pointer, kind }: FieldSchema): boolean =>
  always || (kind === 'struct' && !pointer);

function zeroValue({ kind, pointer, struct }: FieldSchema): unknown {
  if (pointer) return null;
  switch (kind) {
    case 'string':
      return '';
    case 'int':
      return 0;
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'struct':
      return assemble(struct as StructSchema, NO_FIELDS);
    default:
      return null;
  }
}

function isEmpty({ kind }: FieldSchema, value: unknown): boolean {
  if (kind === 'struct') return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function converterWords(kind: FieldSchema['kind'], type: string, value: unknown): string {
  switch (kind) {
    case 'struct':
      return `cannot restore struct from: ${goKind(value)}`;
    case 'list':
      return `cannot restore slice from ${goKind(value)}`;
    case 'map':
      return `cannot restore map from ${goKind(value)}`;
    case 'int':
      if (typeof value === 'string') return `unrecognized type: ${type}`;
      return `cannot convert ${goKind(value)} to ${type}`;
    default:
      return `cannot convert ${goKind(value)} to ${type}`;
  }
}

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

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
