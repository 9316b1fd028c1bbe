/** Sweeps after a thread that was terminated while it slept for ever, so that the arena does not run out of places. */
import { Thread, ThreadState, MAX_THREADS, threadAt } from '../../../src/sync/layout.js';
import { parker } from '../../../src/sync/parker.js';
import { sweep } from '../../../src/sync/sweep.js';

export function forgetThread(threadId: number): void {
  const { words, slot: me } = parker();
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    if (slot === me || words[record + Thread.tid] !== threadId) continue;
    if (words[record + Thread.state] === ThreadState.alive) sweep(slot, words[record + Thread.incarnation]);
  }
}
