/**
 * The lock inside every shared primitive and around the heap: held for a few instructions, never across an
 * await, a callback or a message, so that any thread, main too, may block for it.
 *
 * The word: 0 = free, else the owner's thread slot, plus CONTENDED while somebody may be asleep on it.
 * The owner stands in the word so that a dead thread's locks can be found and taken over (sweep.ts).
 *
 * A waiter that was asleep takes the lock with CONTENDED set: it cannot know whether it was the last one, and
 * one needless notify is cheaper than a lost one.
 */
import { notifyOne, sleepWhile } from './wait.js';

const CONTENDED = 0x1_0000;
const OWNER = 0xffff;
const SPINS = 64;

export function rawLock(words: Int32Array, at: number, me: number): void {
  if (Atomics.compareExchange(words, at, 0, me) !== 0) rawLockSlow(words, at, me, Infinity);
}

export function rawUnlock(words: Int32Array, at: number): void {
  if ((Atomics.exchange(words, at, 0) & CONTENDED) !== 0) notifyOne(words, at);
}

/** Like rawLock, but gives up after about `ms`. For the sweep, which must not wait for a second dead thread. */
export function rawLockWithin(words: Int32Array, at: number, me: number, ms: number): boolean {
  return Atomics.compareExchange(words, at, 0, me) === 0 || rawLockSlow(words, at, me, ms);
}

/** Takes the lock over from `dead`. False: the dead thread does not hold it. */
export function rawLockSeize(words: Int32Array, at: number, me: number, dead: number): boolean {
  for (;;) {
    const seen = Atomics.load(words, at);
    if ((seen & OWNER) !== dead) return false;
    if (Atomics.compareExchange(words, at, seen, me | CONTENDED) === seen) return true;
  }
}

function rawLockSlow(words: Int32Array, at: number, me: number, ms: number): boolean {
  for (let i = 0; i < SPINS; i++) {
    if (Atomics.load(words, at) === 0 && Atomics.compareExchange(words, at, 0, me) === 0) return true;
  }
  for (;;) {
    const seen = Atomics.load(words, at);
    if (seen === 0) {
      if (Atomics.compareExchange(words, at, 0, me | CONTENDED) === 0) return true;
      continue;
    }
    const contended = seen | CONTENDED;
    if (seen !== contended && Atomics.compareExchange(words, at, seen, contended) !== seen) continue;
    if (!sleepWhile(words, at, contended, ms)) return false;
  }
}
