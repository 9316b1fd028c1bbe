/**
 * Where every word of the table is. Nothing else: no code that reads or writes them lives here.
 *
 * Offsets count 32-bit words. Each word says who writes it and under what guard. "Writer" is the one thread that
 * made the table (main). "Atomic" words are touched with Atomics on every thread, also where a plain access would
 * do on today's processors: then all accesses stand in one order, and the arguments in uid-index.ts need no other.
 *
 *   ┌────────┬───────────────┬────────────┬─────┬────────────┬──────┬──────────┬─────────┬─────────┐
 *   │ header │ statusVersion │ apiVersion │ uid │ generation │ hash │ nextFree │ cells 0 │ cells 1 │
 *   └────────┴───────────────┴────────────┴─────┴────────────┴──────┴──────────┴─────────┴─────────┘
 *             ◀────────────────── one entry a slot in each ──────────────────▶  ◀─ uid → slot ─▶
 *
 * To add a word to the slots, add a column. A free slot is zero in every column but those that say otherwise:
 * whoever releases it clears it after its generation says free, so a new pod starts from zero.
 */

export const MAGIC = 0x706f_6474;
export const VERSION = 1;

/** Bytes of the longest uid. */
export const MAX_UID_BYTES = 64;
export const UID_WORDS = MAX_UID_BYTES / 4;

/** One header a table. What readers load at each look-up stands apart from what the writer keeps changing. */
export const Header = {
  magic: 0, // written once by the creator, last
  version: 1, // written once
  capacity: 2, // written once: number of slots
  writer: 3, // written once: threadId of the creator
  hashKey: 4, // two words, random; written once
  sequence: 16, // atomic; writer: how many rebuilds have taken over; the lowest bit tells which cells are in use
  live: 32, // atomic; writer: slots in use
  carved: 33, // atomic; writer: slots ever used; those from here on are fresh
  freeHead: 34, // writer only: 1 + the first slot of the free list, 0 = none
  tombstones: 35, // writer only: tombstones among the cells in use
  end: 48,
} as const;

/** Word offsets of the columns; slot n of a column with w words a slot is at `column + n × w`. */
export interface Layout {
  readonly capacity: number;
  /** 64-bit. Atomic; writer. */
  readonly statusVersion: number;
  /** 64-bit. Atomic; writer. */
  readonly apiVersion: number;
  /** UID_WORDS words: UTF-8, the last word used is padded with zeros. Atomic; writer, only while the slot is free. Not cleared. */
  readonly uid: number;
  /**
   * Atomic; writer. Low bits (Generation.used): 0 for a free slot, else 1 + the uid's length in bytes; above them
   * a count, bumped by each release. A pod is known from the store that makes it used until the one that frees it.
   */
  readonly generation: number;
  /** The uid's hash, for rebuilds. Writer only. Not cleared. */
  readonly hash: number;
  /** 1 + the next slot of the free list, 0 = none. Writer only. Not cleared. */
  readonly nextFree: number;
  /**
   * The index, twice: one in use, one to rebuild into. Atomic; writer. A cell is 0 (empty), a tombstone (no slot
   * bits), or the upper bits of a uid's hash over 1 + its slot.
   */
  readonly cells: readonly [number, number];
  /** A power of two, at least twice the capacity. */
  readonly cellCount: number;
  /** Size of the whole table. */
  readonly words: number;
}

export const Generation = {
  used: 0x7f,
  /** What a release adds. The count wraps after 2^25 releases of one slot, which no single look-up lives to see. */
  step: 0x80,
} as const;

/** Columns start on cache lines. */
const LINE_WORDS = 16;

export function layoutOf(capacity: number): Layout {
  let end: number = Header.end;
  const column = (wordsEach: number, count = capacity): number => {
    const at = end;
    end += Math.ceil((wordsEach * count) / LINE_WORDS) * LINE_WORDS;
    return at;
  };
  const cellCount = 1 << (32 - Math.clz32(capacity * 2 - 1));
  return {
    capacity,
    statusVersion: column(2),
    apiVersion: column(2),
    uid: column(UID_WORDS),
    generation: column(1),
    hash: column(1),
    nextFree: column(1),
    cells: [column(1, cellCount), column(1, cellCount)],
    cellCount,
    words: end,
  };
}
