/**
 * A uid as the index sees it: UTF-8 in words, its length, its hash. One a thread and table, filled again and again,
 * so that a look-up allocates next to nothing.
 *
 * Two strings are the same key exactly if they are the same string. That is why lone surrogates are refused: UTF-8
 * has only U+FFFD for all of them, and two pods would become one. The empty string is a key like any other.
 */
import { MAX_UID_BYTES, UID_WORDS } from './layout.js';
import { uidIllFormed, uidTooLong } from './errors.js';
import type { KeyedHash } from './uid-hash.js';

const encoder = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;

export class UidKey {
  readonly words = new Int32Array(UID_WORDS);
  /** In bytes. */
  length = 0;
  hash = 0;

  readonly #bytes = new Uint8Array(this.words.buffer);
  readonly #hash: KeyedHash;
  readonly #key0: number;
  readonly #key1: number;

  constructor(hash: KeyedHash, key0: number, key1: number) {
    this.#hash = hash;
    this.#key0 = key0;
    this.#key1 = key1;
  }

  /** False: no pod can have this uid. */
  set(uid: string): boolean {
    const bytes = this.#bytes;
    const { read, written } = encoder.encodeInto(uid, bytes);
    if (read !== uid.length) return false;
    if (written !== read && LONE_SURROGATE.test(uid)) return false;
    for (let i = written; (i & 3) !== 0; i++) bytes[i] = 0;
    this.length = written;
    this.hash = this.#hash(this.words, written, this.#key0, this.#key1);
    return true;
  }

  /** set() for a uid that is to become a pod's. */
  require(uid: string): void {
    if (this.set(uid)) return;
    throw LONE_SURROGATE.test(uid) ? uidIllFormed(uid) : uidTooLong(uid, MAX_UID_BYTES);
  }
}
