/**
 * What every primitive is made of: a few words, a lock around them, and queues of sleeping goroutines.
 *
 * There are two forms with one interface, so each primitive is written once. A local monitor belongs to one
 * thread: its lock is nothing, its queues are linked objects, values pass by reference. A shared one lives in
 * the arena: its lock is a raw lock, its queues are linked nodes, values pass as numbers (the number itself,
 * or the address of a serialized payload). A primitive starts local; `share` moves it, sleepers and all.
 *
 * Invariants, under the lock
 * - A queue holds the places of sleeping goroutines in ticket order; front() places get lower tickets.
 * - dequeue() answers only a place whose park it has claimed: places of selects that were decided elsewhere are
 *   dropped on the way, so nobody ever sees them.
 * - Wake-ups come after unlock: whoever is woken may take the lock at once.
 */
import type { Park, Place } from './park.js';

/** A claimed place: its goroutine sleeps until wake() and only the claimer decides what it wakes to. */
export interface Claimed {
  slot: unknown;
  /** Slot of the goroutine's thread. */
  readonly thread: number;
  grant(code: number): void;
  /** After unlock. */
  wake(): void;
}

export interface Monitor {
  readonly words: Int32Array;
  /** Index of the primitive's first word in `words`. */
  readonly at: number;
  /** Block address, 0 = local. */
  readonly block: number;
  isLive(): boolean;
  lock(): void;
  unlock(): void;
  enqueue(queue: number, park: Park, index: number, slot: unknown): Place;
  /** In front of everybody: for a goroutine that was woken and lost the race. */
  enqueueFront(queue: number, park: Park): Place;
  dequeue(queue: number): Claimed | null;
  isEmpty(queue: number): boolean;
  /** Forgets it all; sleepers must have been taken out. */
  dispose(): void;
}

export const QUEUES = 2;
