/** 32-bit FNV-1a, the hash all of the kubelet's checkpoints carry. */

export const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Goes on from `hash`, so that a common beginning is hashed once. Unsigned. */
export function fnv1a(bytes: Uint8Array, hash: number = FNV_OFFSET): number {
  let h = hash;
  for (let i = 0; i < bytes.length; i += 1) h = Math.imul(h ^ bytes[i], FNV_PRIME);
  return h >>> 0;
}
