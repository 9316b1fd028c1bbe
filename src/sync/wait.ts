/**
 * The only place that waits and notifies.
 *
 * Two kinds of words are waited on. A thread's own wake word, by its parker: blocking or asynchronous, at most
 * one asynchronous wait outstanding a thread, never with a timeout (a timed waitAsync keeps its timer after it
 * was notified). And the word of a raw lock, blocking, for the few instructions another thread holds it.
 */

/** Sleeps while `words[at] === seen`, at most `ms`. False: the time ran out. */
export function sleepWhile(words: Int32Array, at: number, seen: number, ms = Infinity): boolean {
  return Atomics.wait(words, at, seen, ms) !== 'timed-out';
}

/** A promise of the next notify while `words[at] === seen`, or null if it is something else already. */
export function whenNotified(words: Int32Array, at: number, seen: number): Promise<unknown> | null {
  const wait = Atomics.waitAsync(words, at, seen);
  return wait.async ? wait.value : null;
}

export function notifyOne(words: Int32Array, at: number): void {
  Atomics.notify(words, at, 1);
}

export function notifyAll(words: Int32Array, at: number): void {
  Atomics.notify(words, at);
}
