/**
 * The shape of an API object as the server's Go structs have it: field order, types, and what happens to empty values.
 *
 * decode.ts brings a JSON value into that shape. A subtree that no rule of this server looks into is `opaque`: it is
 * stored as it was sent.
 */

export type GoType = ScalarType | OpaqueType | ListType | MapType | StructType;

export interface ScalarType {
  readonly is: 'string' | 'int' | 'bool' | 'time' | 'quantity';
  /** Its name in Go, for error texts. */
  readonly go: string;
}

export interface OpaqueType {
  readonly is: 'opaque';
  readonly go: string;
}

export interface ListType {
  readonly is: 'list';
  readonly go: string;
  readonly of: GoType;
}

export interface MapType {
  readonly is: 'map';
  readonly go: string;
  readonly of: GoType;
}

export interface StructType {
  readonly is: 'struct';
  readonly go: string;
  /** `go` without the package. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly order: readonly Field[];
}

/**
 * `omit`: an empty value is not written. `keep`: always written, as its zero value if need be. `pointer`: written
 * unless it is nil, so an empty value stays.
 */
export type Presence = 'omit' | 'keep' | 'pointer';

export interface Field {
  readonly name: string;
  readonly type: GoType;
  readonly presence: Presence;
}

const scalar = (is: ScalarType['is'], go: string): ScalarType => ({ is, go });

export const string = scalar('string', 'string');
export const int32 = scalar('int', 'int32');
export const int64 = scalar('int', 'int64');
export const bool = scalar('bool', 'bool');
export const time = scalar('time', 'v1.Time');
export const quantity = scalar('quantity', 'resource.Quantity');
/** A string with a type of its own, as `v1.PodPhase`. */
export const named = (go: string): ScalarType => scalar('string', go);
export const opaque = (go: string): OpaqueType => ({ is: 'opaque', go });
export const list = (of: GoType): ListType => ({ is: 'list', go: `[]${of.go}`, of });
export const map = (of: GoType): MapType => ({ is: 'map', go: `map[string]${of.go}`, of });

export const omit = (name: string, type: GoType): Field => ({ name, type, presence: 'omit' });
export const keep = (name: string, type: GoType): Field => ({ name, type, presence: 'keep' });
export const pointer = (name: string, type: GoType): Field => ({ name, type, presence: 'pointer' });

export function struct(go: string, ...order: Field[]): StructType {
  const fields = new Map(order.map((field) => [field.name, field]));
  return { is: 'struct', go, name: go.slice(go.lastIndexOf('.') + 1), fields, order };
}
