/**
 * The checkpoint of a v1.29 kubelet, byte for byte: what it writes, what it reads, what it refuses and in which words.
 *
 * Its bug is kept, too. A request that was not written canonically (`1000m`) goes into the file as `1` but into the
 * checksum as it was, so that kubelet does not accept its own file after a restart. codec-v1.ts does.
 */
import { canonicalQuantity, parseQuantity } from '../kube/quantity.js';
import type { ResourceList } from '../kube/types.js';
import { sortedEntries } from './byte-order.js';
import { fnv1a } from './checksum.js';
import type { Checkpoint, CheckpointCodec } from './codec.js';
import { CheckpointContentError } from './errors.js';
import { dump } from './v129-dump.js';
import { readV129Struct, type V129Entries, type V129Struct } from './v129-struct.js';

export const codecV129: CheckpointCodec = Object.freeze({
  name: 'v1.29',
  rewritesUnchanged: true,

  /** Go has no quantity that it could not read. */
  admit(alloc: ResourceList): void {
    for (const quantity of Object.values(alloc)) parseQuantity(quantity);
  },

  encode({ allocations, resizeStatuses }: Checkpoint): string {
    const entries = { allocationEntries: allocations, resizeStatusEntries: resizeStatuses };
    return v129Text(entries, BigInt(v129Checksum(entries)));
  },

  decode(content: Buffer): Checkpoint {
    const struct = readV129Struct(content);
    if (BigInt(v129Checksum(struct)) !== struct.checksum) {
      throw new CheckpointContentError('checksum-mismatch', 'checkpoint is corrupted');
    }
    return v129Checkpoint(struct);
  },

  restoreMessage: (file: string, detail: string): string =>
    `could not restore state from checkpoint: ${detail}, please drain this node and delete pod allocation checkpoint file "${file}" before restarting Kubelet`,
});

export const v129Checksum = (entries: V129Entries): number => fnv1a(Buffer.from(dump(entries)));

/** Go's nil maps are empty ones from here on, as they are once the kubelet has copied them. */
export function v129Checkpoint({ allocationEntries, resizeStatusEntries }: V129Struct): Checkpoint {
  const pods = [...(allocationEntries ?? [])];
  return {
    allocations: new Map(pods.map(([podUID, containers]) => [podUID, containers ?? new Map<string, null>()])),
    resizeStatuses: resizeStatusEntries ?? new Map<string, string>(),
  };
}

/** The file for these entries, whatever the checksum. */
export function v129Text({ allocationEntries, resizeStatusEntries }: V129Entries, checksum: bigint): string {
  const fields: string[] = [];
  if (allocationEntries !== null && allocationEntries.size > 0) {
    const pods = goMap(allocationEntries, (containers) => goMap(containers, goResourceList));
    fields.push(`"allocationEntries":${pods}`);
  }
  if (resizeStatusEntries !== null && resizeStatusEntries.size > 0) {
    fields.push(`"resizeStatusEntries":${goMap(resizeStatusEntries, goString)}`);
  }
  fields.push(`"checksum":${String(checksum)}`);
  return `{${fields.join(',')}}`;
}

const goResourceList = (list: ResourceList | null): string =>
  goMap(list && Object.entries(list), (quantity) => goString(canonicalQuantity(quantity)));

function goMap<V>(map: Iterable<readonly [string, V]> | null, value: (value: V) => string): string {
  if (map === null) return 'null';
  return `{${sortedEntries(map)
    .map(([key, inner]) => `${goString(key)}:${value(inner)}`)
    .join(',')}}`;
}

/** Go 1.21's escapes: no `\b` and `\f`, but what would end a script element. */
const goString = (text: string): string =>
  `"${text.replace(/[\0-\x1f"\\<>&\u2028\u2029]|\p{Surrogate}/gu, goEscape)}"`;

function goEscape(char: string): string {
  const short = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[char];
  if (short !== undefined) return short;
  const code = /\p{Surrogate}/u.test(char) ? 0xfffd : char.charCodeAt(0);
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
