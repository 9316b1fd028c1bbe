/**
 * What the API server's Go types say about their fields: how each is encoded, and how a patch treats it.
 *
 * The tables in schema/ cover pods, nodes, namespaces, events and leases of v1.29, field by field. An entry reads
 * `name`, then when it is written, then `:` and its type (none: a string):
 *
 *     name     left out when empty: '', 0, false, no elements
 *     name!    always written; what is absent is written as its zero
 *     name?    a pointer: written when there is one, even to something empty
 *     name!?   a pointer that is always written, null when there is none
 *
 *     Type     a struct; one that is no pointer is always written, as Go does
 *     []T      a list that a patch replaces whole
 *     [key]T   a list whose elements a patch matches by that key; `+retainKeys`: a changed element names what it keeps
 *     [set]T   a list of plain values that a patch adds to and takes from
 *     {}T      a map
 *
 * A field that is not in the table is unknown: it is encoded as it is, maps in it are merged and lists replaced.
 */
import { clusterTypes } from './schema/cluster.js';
import { containerTypes } from './schema/container.js';
import { metaTypes } from './schema/meta.js';
import { nodeTypes } from './schema/node.js';
import { podStatusTypes } from './schema/pod-status.js';
import { podTypes } from './schema/pod.js';
import { volumeTypes } from './schema/volume.js';

const SCALARS = ['string', 'bool', 'int', 'time', 'microTime', 'quantity', 'intOrString', 'any'] as const;
export type ScalarKind = (typeof SCALARS)[number];

export type FieldKind = ScalarKind | 'struct' | 'list' | 'map';

export interface FieldSchema {
  readonly name: string;
  readonly kind: FieldKind;
  /** Written even when it is absent or empty. */
  readonly always: boolean;
  /** Go holds a pointer: nil is not the same as empty. */
  readonly pointer: boolean;
  /** What a list or a map holds. */
  readonly element: ScalarKind | 'struct' | undefined;
  /** The struct itself, or that of the elements. */
  readonly struct: StructSchema | undefined;
  /** How a patch treats a list. */
  readonly strategy: 'atomic' | 'merge';
  /** What elements are matched by; '' for plain values. */
  readonly mergeKey: string;
  readonly retainKeys: boolean;
}

export interface StructSchema {
  readonly name: string;
  /** In Go's order. */
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

type Table = Readonly<Record<string, string>>;

const ENTRY = /^(\w+)(!?)(\??)(?::(?:\[([\w+]*)\]|(\{\}))?(\w+))?$/;

/** Structs made of such tables. A name that is used but not declared is an error. */
export function structsOf(table: Table): ReadonlyMap<string, StructSchema> {
  const structs = new Map<string, { readonly name: string; readonly fields: Map<string, FieldSchema> }>();
  for (const name of Object.keys(table)) structs.set(name, { name, fields: new Map() });

  const fieldOf = (owner: string, entry: string): FieldSchema => {
    const parts = ENTRY.exec(entry);
    if (parts === null) throw new SyntaxError(`${owner}: cannot read the field ${JSON.stringify(entry)}`);
    const [, name = '', always, pointer, list, map, type = 'string'] = parts;
    const scalar = SCALARS.find((kind) => kind === type);
    const struct = structs.get(type);
    if (scalar === undefined && struct === undefined) {
      throw new SyntaxError(
        `${owner}.${name}: no type ${type}; declare it or use one of ${SCALARS.join(', ')}`,
      );
    }
    const single = scalar ?? 'struct';
    const [by = '', retain] = (list ?? '').split('+');
    return {
      name,
      kind: list !== undefined ? 'list' : map !== undefined ? 'map' : single,
      always: always !== '',
      pointer: pointer !== '',
      element: list === undefined && map === undefined ? undefined : single,
      struct,
      strategy: by === '' ? 'atomic' : 'merge',
      mergeKey: by === 'set' ? '' : by,
      retainKeys: retain === 'retainKeys',
    };
  };

  for (const { name, fields } of structs.values()) {
    for (const entry of (table[name] ?? '').trim().split(/\s+/)) {
      const field = fieldOf(name, entry);
      fields.set(field.name, field);
    }
  }
  return structs;
}

const structs = structsOf({
  ...metaTypes,
  ...volumeTypes,
  ...containerTypes,
  ...podTypes,
  ...podStatusTypes,
  ...nodeTypes,
  ...clusterTypes,
});

export type KnownType = keyof (typeof metaTypes &
  typeof volumeTypes &
  typeof containerTypes &
  typeof podTypes &
  typeof podStatusTypes &
  typeof nodeTypes &
  typeof clusterTypes);

export function schemaOf(type: KnownType): StructSchema {
  const struct = structs.get(type);
  if (struct === undefined) throw new RangeError(`no schema of ${type}`);
  return struct;
}

export const podSchema = schemaOf('Pod');
export const podStatusSchema = schemaOf('PodStatus');
export const nodeSchema = schemaOf('Node');
export const namespaceSchema = schemaOf('Namespace');
export const eventSchema = schemaOf('Event');
export const leaseSchema = schemaOf('Lease');
