/** A thread's place among the threads of the arena: its record, found by a small number that fits a lock word. */
import { threadId } from 'node:worker_threads';
import type { Arena } from './arena.js';
import { SyncError } from './errors.js';
import { Header, MAX_THREADS, Thread, ThreadState, threadAt } from './layout.js';
import { rawLock, rawUnlock } from './raw-lock.js';

export function takeSlot(shared: Arena): number {
  const words = shared.words;
  // Registering happens before this thread has a slot to lock with; the highest owner value stands for "joining".
  rawLock(words, Header.lock, MAX_THREADS + 1);
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    if (words[record + Thread.state] !== ThreadState.free) continue;
    const incarnation = words[record + Thread.incarnation] + 1;
    words.fill(0, record, record + Thread.size);
    words[record + Thread.incarnation] = incarnation;
    words[record + Thread.tid] = threadId;
    Atomics.store(words, record + Thread.state, ThreadState.alive);
    rawUnlock(words, Header.lock);
    return slot;
  }
  rawUnlock(words, Header.lock);
  throw new SyncError(
    'ERR_TOO_MANY_THREADS',
    `more than ${MAX_THREADS} threads use the arena; end some, or start the sentinel so that dead ones are swept`,
  );
}
