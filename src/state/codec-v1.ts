/**
 * podloom's own checkpoint: `{"podloom":1,"data":"…","checksum":N}`.
 *
 * `data` is JSON in a string, and the checksum is that of this very text, by the rule of kubelets from v1.32 on: 32-bit
 * FNV-1a of `(string)` and the text. So it can be verified by anybody, and quantities stay as they were given.
 *
 * It also reads what a v1.29 kubelet wrote, as a node that changes over must not lose what it granted. Where that
 * kubelet could not verify its own file, because a quantity was not canonical, other notations are tried
 * (v129-notation.ts), but only for a file that is to the byte what a kubelet writes. A checksum that fits no
 * notation is a corrupt file: to take it unverified would let in any edited or damaged one as well.
 */
import type { ResourceList } from '../kube/types.js';
import { sortedEntries } from './byte-order.js';
import { fnv1a } from './checksum.js';
import type { Checkpoint, CheckpointCodec } from './codec.js';
import { v129Checksum, v129Checkpoint, v129Text } from './codec-v129.js';
import { CheckpointContentError } from './errors.js';
import { hasChecksumOfOtherNotation } from './v129-notation.js';
import { readV129Struct } from './v129-struct.js';

const VERSION = 1;

/** The checksum of kubelets from v1.32 on. */
export const textChecksum = (data: string): number => fnv1a(Buffer.from(`(string)${data}`));

export const codecV1: CheckpointCodec = Object.freeze({
  name: 'podloom/1',
  rewritesUnchanged: false,

  admit(): void {},

  encode({ allocations, resizeStatuses }: Checkpoint): string {
    const pods = sortedEntries(allocations).map(([podUID, containers]) => [
      podUID,
      Object.fromEntries(sortedEntries(containers)),
    ]);
    const data = JSON.stringify({
      allocationEntries: Object.fromEntries(pods) as unknown,
      resizeStatusEntries: Object.fromEntries(sortedEntries(resizeStatuses)),
    });
    return JSON.stringify({ podloom: VERSION, data, checksum: textChecksum(data) });
  },

  decode(content: Buffer): Checkpoint {
    const file = parseObject(content.toString(), 'the file');
    if (Object.hasOwn(file, 'podloom')) return decodeOwn(file);
    if (Object.keys(file).some((key) => key.toLowerCase() === 'checksum')) return decodeV129(content);
    throw new CheckpointContentError(
      'foreign',
      'it is neither a checkpoint of podloom nor of a v1.29 kubelet',
    );
  },

  restoreMessage: (file: string, detail: string): string =>
    `cannot restore the allocation checkpoint "${file}": ${detail}; put back a good copy, or drain this node and delete the file before starting again`,
});

function decodeOwn({ podloom, data, checksum }: Readonly<Record<string, unknown>>): Checkpoint {
  if (podloom !== VERSION) {
    const seen = JSON.stringify(podloom);
    throw new CheckpointContentError(
      'foreign',
      `it is of format ${seen}, and this podloom reads format ${String(VERSION)}`,
    );
  }
  if (typeof data !== 'string') throw new CheckpointContentError('json-type', '"data" is not a string');
  if (checksum !== textChecksum(data)) {
    throw new CheckpointContentError('checksum-mismatch', 'its checksum does not fit its content');
  }
  const { allocationEntries, resizeStatusEntries } = parseObject(data, '"data"');
  return {
    allocations: mapOf(allocationEntries, (containers) => mapOf(containers, resourceList)),
    resizeStatuses: mapOf(resizeStatusEntries, asString),
  };
}

function decodeV129(content: Buffer): Checkpoint {
  const struct = readV129Struct(content);
  if (BigInt(v129Checksum(struct)) !== struct.checksum) {
    const asWritten = content.equals(Buffer.from(v129Text(struct, struct.checksum)));
    if (!asWritten || !hasChecksumOfOtherNotation(struct)) {
      throw new CheckpointContentError(
        'checksum-mismatch',
        'its checksum does not fit its content in any notation tried',
      );
    }
  }
  return v129Checkpoint(struct);
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CheckpointContentError('json-syntax', `${what} is not JSON`, { cause: error });
  }
  return asObject(value, what);
}

function asObject(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CheckpointContentError('json-type', `${what} is no JSON object`);
  }
  return value as JsonObject;
}

const mapOf = <V>(value: unknown, element: (value: unknown) => V): Map<string, V> =>
  new Map(Object.entries(asObject(value, 'an entry')).map(([key, inner]) => [key, element(inner)]));

function resourceList(value: unknown): ResourceList | null {
  if (value === null) return null;
  for (const quantity of Object.values(asObject(value, 'an entry'))) {
    if (typeof quantity !== 'number' && quantity !== null) asString(quantity);
  }
  return value as ResourceList;
}

function asString(value: unknown): string {
  if (typeof value !== 'string') throw new CheckpointContentError('json-type', 'an entry is no string');
  return value;
}
