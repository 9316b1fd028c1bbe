/**
 * The word of a Mutex, and what happens to it under the monitor's lock. The sweep uses it, too.
 *
 * LOCKED, plus why a plain unlock is not enough. WAITERS: somebody sleeps in the queue. WOKEN: one of them was
 * woken and is on its way to compete, so an unlock need not wake another. STARVING: a waiter has waited for too
 * long, so unlock hands over. ABANDONED: the last holder died. A ranked mutex has its owner's thread slot above.
 */
import { MutexWord } from './layout.js';
import type { Claimed, Monitor } from './monitor.js';
import { Code } from './park.js';

export const LOCKED = 1;
export const STARVING = 2;
export const WOKEN = 4;
export const WAITERS = 8;
/** The last holder died with it; the next one is told. */
export const ABANDONED = 16;
export const OWNER_SHIFT = 8;

/**
 * Gives the lock up for its holder, by the queue and the mode. Under the monitor's lock; the sweep uses it for
 * holders that died. Answers whom to wake after unlock.
 */
export function lockedRelease(monitor: Monitor, ranked: boolean): Claimed | null {
  const { words } = monitor;
  const state = monitor.at + MutexWord.state;
  const flags = Atomics.load(words, state) & (STARVING | WOKEN | WAITERS | ABANDONED);
  if ((flags & STARVING) !== 0) {
    const next = monitor.dequeue(0);
    if (next === null) {
      Atomics.store(words, state, flags & ABANDONED);
      return null;
    }
    const waiters = monitor.isEmpty(0) ? 0 : WAITERS;
    const owner = ranked ? next.thread << OWNER_SHIFT : 0;
    // The grant first: a thread that dies in between leaves a granted place, from which the sweep sees the new owner.
    next.grant(Code.granted);
    Atomics.store(words, state, LOCKED | STARVING | (flags & ABANDONED) | waiters | owner);
    return next;
  }
  Atomics.store(words, state, flags);
  return lockedWakeNext(monitor);
}

/** A free lock with waiters and nobody on the way: wakes the first. Under the monitor's lock. */
export function lockedWakeNext(monitor: Monitor): Claimed | null {
  const { words } = monitor;
  const state = monitor.at + MutexWord.state;
  if ((Atomics.load(words, state) & WOKEN) !== 0) return null;
  const next = monitor.dequeue(0);
  if (monitor.isEmpty(0)) Atomics.and(words, state, ~WAITERS);
  if (next === null) return null;
  Atomics.or(words, state, WOKEN);
  next.grant(Code.compete);
  return next;
}
