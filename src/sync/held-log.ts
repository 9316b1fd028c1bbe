/**
 * A thread's read holds of ranked RWMutexes, in shared memory: readers are only counted in the lock's word, so
 * this log is how the sweep knows which of them were the dead thread's. Written by the thread itself.
 */
import { HELD_LIMIT, Thread } from './layout.js';
import { parker } from './parker.js';

/** False: the log is full. */
export function logReadHold(block: number): boolean {
  const { words, record } = parker();
  const count = words[record + Thread.heldCount];
  if (count === HELD_LIMIT) return false;
  words[record + Thread.held + count] = block;
  Atomics.store(words, record + Thread.heldCount, count + 1);
  return true;
}

export function hasReadHold(block: number): boolean {
  const { words, record } = parker();
  const log = record + Thread.held;
  return words.subarray(log, log + words[record + Thread.heldCount]).includes(block);
}

export function forgetReadHold(block: number): void {
  const { words, record } = parker();
  const count = words[record + Thread.heldCount];
  for (let i = count - 1; i >= 0; i--) {
    if (words[record + Thread.held + i] !== block) continue;
    words[record + Thread.held + i] = words[record + Thread.held + count - 1];
    Atomics.store(words, record + Thread.heldCount, count - 1);
    return;
  }
}
