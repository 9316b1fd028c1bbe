/**
 * The uid → slot index: slots are given out and taken back by one thread and looked up by all, without a lock.
 *
 * Promises
 * - A look-up never answers with a slot that was not this uid's at some moment of the call.
 * - A look-up says "unknown" only if the uid was unknown at some moment of the call.
 * - It waits for nobody: it goes round again only if the writer has released a slot or finished a rebuild.
 * - It looks at a handful of cells, whatever the uids are and however many have come and gone.
 *
 * Invariants
 * 1. A pod is known from the store that makes its slot's generation "used" to the store that makes it "free".
 *    Around it: uid, then cell, then generation; and generation, then cell. So whoever believes only a used
 *    generation sees each pod come and go in one instant.
 * 2. A uid's words change only while the slot is free. If the generation is the same after they were read (and
 *    whatever else was read of the slot) as before, all of it was one pod's.
 * 3. Open addressing: between a uid's first cell and the cell it stands in no cell is empty. Entries do not move, a
 *    release leaves a tombstone (which a later uid may take), so a reader on its way to a known uid cannot
 *    meet an empty cell.
 * 4. Tombstones go by a rebuild, into the other half of the cells while the first is still being read; one store to
 *    the sequence changes over. A reader that was in the old half may find it empty or rearranged at the next
 *    rebuild: it says "unknown" only if the sequence is what it was at the start.
 *
 * One writer instead of the ranked lock `tableIndex`: only main adds and removes pods, readers take no lock in any
 * case, and with a lock a second writer could die half-way through a rebuild. The writer is the thread that made the
 * table; any other gets ERR_NOT_TABLE_WRITER.
 */
import { tableFull } from './errors.js';
import { Generation, Header, type Layout, UID_WORDS } from './layout.js';
import type { TableMemory } from './table-memory.js';
import { type KeyedHash, halfSipHash } from './uid-hash.js';
import { UidKey } from './uid-key.js';

const EMPTY = 0;

export class UidIndex {
  readonly #memory: TableMemory;
  readonly #words: Int32Array;
  readonly #layout: Layout;
  readonly #key: UidKey;
  readonly #cellMask: number;
  /** The bits of a cell that hold 1 + a slot; the others are those of the hash. */
  readonly #slotMask: number;
  readonly #tombstone: number;
  /** The generation `seek` found, for `isStill`. */
  #sought = 0;

  /** All threads must give the same `hash`. */
  constructor(memory: TableMemory, hash: KeyedHash = halfSipHash) {
    const { words, layout } = memory;
    this.#memory = memory;
    this.#words = words;
    this.#layout = layout;
    this.#key = new UidKey(hash, words[Header.hashKey], words[Header.hashKey + 1]);
    this.#cellMask = layout.cellCount - 1;
    this.#slotMask = (1 << (32 - Math.clz32(layout.capacity))) - 1;
    this.#tombstone = ~this.#slotMask;
  }

  /** Slots in use. */
  get size(): number {
    return Atomics.load(this.#words, Header.live);
  }

  /** Slots that were ever in use have lower numbers than this. */
  get carved(): number {
    return Atomics.load(this.#words, Header.carved);
  }

  /** The slot of `uid`, or -1. */
  find(uid: string): number {
    for (;;) {
      const slot = this.seek(uid);
      if (slot < 0 || this.isStill(slot)) return slot;
    }
  }

  /**
   * Like find, but a slot is only a guess: read what is wanted of it, then ask isStill before the next seek. If that
   * says no, forget what was read and seek again. -1 is certain.
   */
  seek(uid: string): number {
    return this.#key.set(uid) ? this.#search() : -1;
  }

  /** Whether what was read since `seek` returned `slot` is the sought pod's. */
  isStill(slot: number): boolean {
    return this.generation(slot) === this.#sought;
  }

  generation(slot: number): number {
    return Atomics.load(this.#words, this.#layout.generation + slot);
  }

  /** Writer. */
  isUsed(slot: number): boolean {
    return (this.#words[this.#layout.generation + slot] & Generation.used) !== 0;
  }

  /** The uid in a slot whose generation is `generation`, undefined for a free one; to be believed if it still is. */
  uidAt(slot: number, generation: number): string | undefined {
    const length = (generation & Generation.used) - 1;
    if (length < 0) return undefined;
    const copy = new Int32Array(UID_WORDS);
    const from = this.#layout.uid + slot * UID_WORDS;
    for (let i = 0; i * 4 < length; i++) copy[i] = Atomics.load(this.#words, from + i);
    return Buffer.from(copy.buffer, 0, length).toString('utf8');
  }

  /** Writer: the slot of `uid`, given out now if it has none. */
  acquire(uid: string): number {
    this.#memory.checkWriter('acquire');
    const key = this.#key;
    key.require(uid);
    const found = this.#search();
    if (found >= 0) return found;

    const words = this.#words;
    const layout = this.#layout;
    const slot = this.#takeFreeSlot();
    const to = layout.uid + slot * UID_WORDS;
    for (let i = 0; i * 4 < key.length; i++) Atomics.store(words, to + i, key.words[i]);
    words[layout.hash + slot] = key.hash;
    const cell = this.#vacantCell(key.hash);
    if (words[cell] === this.#tombstone) words[Header.tombstones]--;
    Atomics.store(words, cell, this.#cellOf(slot, key.hash));
    const at = layout.generation + slot;
    Atomics.store(words, at, words[at] | (key.length + 1));
    Atomics.store(words, Header.live, words[Header.live] + 1);
    return slot;
  }

  /** Writer: takes the slot of `uid` back and returns it, -1 if it has none. The caller clears its other columns. */
  release(uid: string): number {
    this.#memory.checkWriter('release');
    const slot = this.seek(uid);
    if (slot < 0) return -1;

    const words = this.#words;
    const layout = this.#layout;
    const at = layout.generation + slot;
    Atomics.store(words, at, (words[at] & ~Generation.used) + Generation.step);
    Atomics.store(words, this.#cellHolding(slot), this.#tombstone);
    words[layout.nextFree + slot] = words[Header.freeHead];
    words[Header.freeHead] = slot + 1;
    Atomics.store(words, Header.live, words[Header.live] - 1);
    // At most half of the cells hold slots; an eighth of tombstones keeps chains short and rebuilds rare.
    if (++words[Header.tombstones] > layout.cellCount >> 3) this.#rebuild();
    return slot;
  }

  #search(): number {
    const words = this.#words;
    const { hash } = this.#key;
    const cellMask = this.#cellMask;
    const slotMask = this.#slotMask;
    for (;;) {
      const sequence = Atomics.load(words, Header.sequence);
      const cells = this.#layout.cells[sequence & 1];
      for (let i = hash & cellMask; ; i = (i + 1) & cellMask) {
        const cell = Atomics.load(words, cells + i);
        if (cell === EMPTY) break;
        if (((cell ^ hash) & ~slotMask) !== 0) continue;
        // A tombstone's hash bits may be those we want: then it has no slot.
        const slot = (cell & slotMask) - 1;
        if (slot >= 0 && this.#holdsKey(slot)) return slot;
      }
      if (Atomics.load(words, Header.sequence) === sequence) return -1;
    }
  }

  #holdsKey(slot: number): boolean {
    const { words: key, length } = this.#key;
    const generation = this.generation(slot);
    if ((generation & Generation.used) !== length + 1) return false;
    const words = this.#words;
    const from = this.#layout.uid + slot * UID_WORDS;
    for (let i = 0; i * 4 < length; i++) {
      if (Atomics.load(words, from + i) !== key[i]) return false;
    }
    this.#sought = generation;
    return true;
  }

  #cellOf(slot: number, hash: number): number {
    return (hash & ~this.#slotMask) | (slot + 1);
  }

  /** Writer: the offset of the cells in use. */
  #cellsInUse(): number {
    return this.#layout.cells[this.#words[Header.sequence] & 1];
  }

  /** Writer: the offset of the first cell a uid with this hash may take. */
  #vacantCell(hash: number): number {
    const words = this.#words;
    const cells = this.#cellsInUse();
    let i = hash & this.#cellMask;
    while (words[cells + i] !== EMPTY && words[cells + i] !== this.#tombstone) i = (i + 1) & this.#cellMask;
    return cells + i;
  }

  /** Writer: the offset of the cell that `slot` stands in. */
  #cellHolding(slot: number): number {
    const words = this.#words;
    const cells = this.#cellsInUse();
    const hash = words[this.#layout.hash + slot];
    const wanted = this.#cellOf(slot, hash);
    let i = hash & this.#cellMask;
    while (words[cells + i] !== wanted) i = (i + 1) & this.#cellMask;
    return cells + i;
  }

  #takeFreeSlot(): number {
    const words = this.#words;
    const freed = words[Header.freeHead];
    if (freed !== 0) {
      words[Header.freeHead] = words[this.#layout.nextFree + freed - 1];
      return freed - 1;
    }
    const fresh = words[Header.carved];
    if (fresh === this.#layout.capacity) throw tableFull(fresh);
    Atomics.store(words, Header.carved, fresh + 1);
    return fresh;
  }

  #rebuild(): void {
    const words = this.#words;
    const layout = this.#layout;
    const sequence = words[Header.sequence];
    const cells = layout.cells[(sequence + 1) & 1];
    // A late reader of the rebuild before the last one may still be in here, hence atomic stores (invariant 4). They
    // cost fifteen times a look, and most cells are empty.
    for (let i = cells; i < cells + layout.cellCount; i++) {
      if (words[i] !== EMPTY) Atomics.store(words, i, EMPTY);
    }
    const carved = words[Header.carved];
    for (let slot = 0; slot < carved; slot++) {
      if (!this.isUsed(slot)) continue;
      const hash = words[layout.hash + slot];
      let i = hash & this.#cellMask;
      while (words[cells + i] !== EMPTY) i = (i + 1) & this.#cellMask;
      Atomics.store(words, cells + i, this.#cellOf(slot, hash));
    }
    words[Header.tombstones] = 0;
    Atomics.store(words, Header.sequence, sequence + 1);
  }
}
