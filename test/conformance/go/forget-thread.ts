/**
 * Gives back the place of a thread that was terminated while it slept for ever, so that the arena does not run
 * out of places. It held no lock and stood in no queue: everything it could have slept at was disposed before.
 */
import { parker } from '../../../src/sync/parker.js';
import { Header, MAX_THREADS, Thread, ThreadState, threadAt } from '../../../src/sync/layout.js';
import { rawLock, rawUnlock } from '../../../src/sync/raw-lock.js';

export function forgetThread(threadId: number): void {
  const { words, slot: me } = parker();
  rawLock(words, Header.lock, me);
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    if (words[record + Thread.tid] !== threadId || slot === me) continue;
    if (words[record + Thread.state] === ThreadState.alive)
      Atomics.store(words, record + Thread.state, ThreadState.free);
  }
  rawUnlock(words, Header.lock);
}
