/**
 * HalfSipHash-1-3: 32 bits of hash under a 64-bit key.
 *
 * Each table has a random key, so nobody who chooses uids can choose which of them meet in the index. A plain
 * hash with a random seed does not give that: for some, sets that collide under every seed are known.
 */

/** The hash of the first `length` bytes of `words`, whose last word is padded with zeros, under a key of two words. */
export type KeyedHash = (words: Int32Array, length: number, key0: number, key1: number) => number;

export function halfSipHash(words: Int32Array, length: number, key0: number, key1: number): number {
  // |0 tells the compiler that the sums below stay 32-bit integers; without it they are done in floating point.
  let v0 = key0 | 0;
  let v1 = key1 | 0;
  let v2 = key0 ^ 0x6c79_6765;
  let v3 = key1 ^ 0x7465_6462;
  const whole = length >> 2;
  const tail = (length & 3) === 0 ? 0 : words[whole];
  const last = whole + 1;
  // Each turn is one round: the message's words, the last one with the length in it, then three to finish.
  for (let turn = 0; turn < last + 3; turn++) {
    let message = 0;
    if (turn < whole) message = words[turn];
    else if (turn === whole) message = tail | (length << 24);
    else if (turn === last) v2 ^= 0xff;
    v3 ^= message;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= message;
  }
  return v1 ^ v3;
}
