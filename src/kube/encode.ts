/**
 * API objects as Go's encoder sends them: what is always there filled in, what is empty left out, times in whole
 * seconds, quantities canonical, broken UTF-8 as U+FFFD.
 *
 * Everything follows from schema.ts, compiled on first use into one function a field. Unknown fields come last, as
 * they are. The input is never changed; sub-objects of the result may be shared and are nobody's to change.
 */
import { wellFormed } from './go-json.js';
import { type JsonObject, type MutableObject, isList, isObject, setOwn } from './json.js';
import { canonicalQuantity } from './quantity.js';
import {
  type FieldSchema,
  type ScalarKind,
  type StructSchema,
  podSchema,
  podStatusSchema,
} from './schema.js';
import { secondsOf } from './time.js';
import type { Pod, PodStatus, QuantityText } from './types.js';

export function encodePodStatus(status: PodStatus): PodStatus {
  return encodeAs(podStatusSchema, status as JsonObject);
}

export function encodePod(pod: Pod): Pod {
  return encodeAs(podSchema, pod as unknown as JsonObject) as unknown as Pod;
}

/** Any object of a known type. A value of the wrong type is kept as it is: who decodes it will complain. */
export function encodeAs(schema: StructSchema, object: JsonObject): JsonObject {
  return encoderOf(schema)(object) as JsonObject;
}

/** undefined: the field is left out. */
type Encoder = (value: unknown) => unknown;

interface FieldEncoder {
  readonly name: string;
  /** Of a value that is not undefined. */
  readonly encode: Encoder;
  /** What stands for an absent value. */
  readonly zero: unknown;
}

const encoders = new Map<StructSchema, Encoder>();

function encoderOf(schema: StructSchema): Encoder {
  let encoder = encoders.get(schema);
  if (encoder === undefined) encoders.set(schema, (encoder = compile(schema)));
  return encoder;
}

function compile(schema: StructSchema): Encoder {
  const fields = [...schema.fields.values()].map(compileField);
  return (value) => {
    if (!isObject(value)) return value;
    const encoded: MutableObject = {};
    let known = 0;
    for (const field of fields) {
      const given = value[field.name];
      let result = field.zero;
      if (given !== undefined) {
        known++;
        result = field.encode(given);
      }
      if (result !== undefined) encoded[field.name] = result;
    }
    const names = Object.keys(value);
    if (names.length > known) addUnknown(schema, value, names, encoded);
    return encoded;
  };
}

function addUnknown(
  schema: StructSchema,
  value: JsonObject,
  names: readonly string[],
  encoded: MutableObject,
): void {
  for (const name of names) {
    if (value[name] !== undefined && !schema.fields.has(name)) setOwn(encoded, name, value[name]);
  }
}

function compileField(field: FieldSchema): FieldEncoder {
  const { name } = field;
  const zero = field.always ? (field.pointer ? null : zeroOf(field)) : undefined;
  const encode = encoderOfKind(field);
  const leaveOut = field.always || field.pointer ? isNull : isEmpty;
  return { name, zero, encode: (value) => (leaveOut(value) ? zero : encode(value)) };
}

const isNull = (value: unknown): boolean => value === null;

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  return value === null || (isList(value) ? value.length : Object.keys(value).length) === 0;
}

function encoderOfKind(field: FieldSchema): Encoder {
  if (field.kind === 'list') return eachElement(singleEncoder(field), singleZero(field));
  if (field.kind === 'map') return eachMember(singleEncoder(field), singleZero(field));
  return singleEncoder(field);
}

function singleEncoder({ kind, element, struct }: FieldSchema): Encoder {
  if (struct === undefined) return encodeScalar[(element ?? kind) as ScalarKind];
  let encoder: Encoder | undefined;
  return (value) => (encoder ??= encoderOf(struct))(value);
}

const asItIs: Encoder = (value) => value;

const encodeScalar: Readonly<Record<ScalarKind, Encoder>> = {
  string: (value) => (typeof value === 'string' ? wellFormed(value) : value),
  time: (value) => (typeof value === 'string' ? secondsOf(value) : value),
  quantity: (value) => canonicalQuantity(value as QuantityText),
  bool: asItIs,
  int: asItIs,
  microTime: asItIs,
  intOrString: asItIs,
  any: asItIs,
};

const ZERO: Readonly<Record<ScalarKind, unknown>> = {
  string: '',
  time: null,
  quantity: '0',
  bool: false,
  int: 0,
  microTime: null,
  intOrString: 0,
  any: null,
};

/** Of an absent field: lists and maps are nil. */
function zeroOf(field: FieldSchema): unknown {
  return field.kind === 'list' || field.kind === 'map' ? null : singleZero(field)();
}

/** Of a null among elements, which Go reads as a zero value. */
function singleZero({ kind, element, struct }: FieldSchema): () => unknown {
  if (struct === undefined) return () => ZERO[(element ?? kind) as ScalarKind];
  let zero: unknown;
  return () => (zero ??= encoderOf(struct)({}));
}

/** A list whose elements all stay what they are stays the same list. */
function eachElement(encode: Encoder, zero: () => unknown): Encoder {
  return (value) => {
    if (!isList(value)) return value;
    let changed: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const given = value[i];
      const encoded = given === null || given === undefined ? zero() : encode(given);
      if (encoded !== given) (changed ??= value.slice())[i] = encoded;
    }
    return changed ?? value;
  };
}

function eachMember(encode: Encoder, zero: () => unknown): Encoder {
  return (value) => {
    if (!isObject(value)) return value;
    let changed: MutableObject | undefined;
    for (const name of Object.keys(value)) {
      const given = value[name];
      if (given === undefined) continue;
      const encoded = given === null ? zero() : encode(given);
      if (encoded !== given) setOwn((changed ??= { ...value }), name, encoded);
    }
    return changed ?? value;
  };
}
