/**
 * The word of an RWMutex, and what happens to it under the monitor's lock. The sweep uses it, too.
 *
 * How many readers are in; WRITING while a writer is, with its thread's slot in place of the readers if the lock
 * is ranked; PENDING while the front of the writers' queue waits for the readers to leave; WAITERS while anybody
 * sleeps who must be looked after at the next unlock. Without any of the three bits the word changes by
 * compare-and-swap alone.
 */
import { RWMutexWord } from './layout.js';
import type { Claimed, Monitor } from './monitor.js';
import { Code } from './park.js';

export const WRITING = 1 << 30;
export const PENDING = 1 << 29;
export const WAITERS = 1 << 28;
export const BITS = WRITING | PENDING | WAITERS;
export const OWNER = 0xffff;
export const READERS = 0;
export const WRITERS = 1;

/** Readers in, by the word; while a writer is in there are none, whatever its slot. */
export function readersIn(state: number): number {
  return (state & WRITING) !== 0 ? 0 : state & ~BITS;
}

/** The word when `writer` gets in: with its thread's slot if the lock is ranked. */
function writingWord(monitor: Monitor, writer: Claimed): number {
  return monitor.words[monitor.at + RWMutexWord.ranked] === 0 ? WRITING : WRITING | writer.thread;
}

/** The writer is gone: lets the waiting readers in, then sees to the next writer. Under the monitor's lock. */
export function lockedWriterLeaves(monitor: Monitor): Claimed[] {
  const woken: Claimed[] = [];
  for (let reader = monitor.dequeue(READERS); reader !== null; reader = monitor.dequeue(READERS))
    woken.push(reader);
  const readers = woken.length;
  const state = monitor.at + RWMutexWord.state;
  let next = readers;
  if (!monitor.isEmpty(WRITERS)) {
    const writer = readers === 0 ? monitor.dequeue(WRITERS) : null;
    if (writer !== null) {
      woken.push(writer);
      next = writingWord(monitor, writer) | (monitor.isEmpty(WRITERS) ? 0 : WAITERS);
    } else if (!monitor.isEmpty(WRITERS)) {
      next = readers | PENDING | WAITERS;
    }
  }
  // Grants first, as in mutex.ts: the sweep can tell from them how far a dead thread got.
  for (const place of woken) place.grant(Code.granted);
  Atomics.store(monitor.words, state, next);
  return woken;
}

/** A reader is gone, with a writer pending or anybody queued: sees who is next. Under the monitor's lock. */
export function lockedReaderLeaves(monitor: Monitor): Claimed | null {
  const { words } = monitor;
  const state = monitor.at + RWMutexWord.state;
  const left = Atomics.sub(words, state, 1) - 1;
  if (readersIn(left) !== 0 || (left & PENDING) === 0) return null;
  const writer = monitor.dequeue(WRITERS);
  if (writer === null) {
    Atomics.store(words, state, 0);
    return null;
  }
  const waiters = monitor.isEmpty(READERS) && monitor.isEmpty(WRITERS) ? 0 : WAITERS;
  writer.grant(Code.granted);
  Atomics.store(words, state, writingWord(monitor, writer) | waiters);
  return writer;
}

/** Lets in whoever the word no longer bars: for after a thread died. Under the monitor's lock. */
export function lockedAdmit(monitor: Monitor): Claimed[] {
  const { words } = monitor;
  const state = monitor.at + RWMutexWord.state;
  const seen = Atomics.load(words, state);
  const waiters = monitor.isEmpty(READERS) && monitor.isEmpty(WRITERS) ? 0 : WAITERS;
  if ((seen & WRITING) !== 0) {
    Atomics.store(words, state, (seen & ~WAITERS) | waiters);
    return [];
  }
  const woken: Claimed[] = [];
  const readers = readersIn(seen);
  const writer = readers === 0 ? monitor.dequeue(WRITERS) : null;
  if (writer !== null) {
    woken.push(writer);
    writer.grant(Code.granted);
    const rest = monitor.isEmpty(READERS) && monitor.isEmpty(WRITERS) ? 0 : WAITERS;
    Atomics.store(words, state, writingWord(monitor, writer) | rest);
    return woken;
  }
  if (!monitor.isEmpty(WRITERS)) {
    Atomics.or(words, state, PENDING | waiters);
    return woken;
  }
  for (let reader = monitor.dequeue(READERS); reader !== null; reader = monitor.dequeue(READERS)) {
    reader.grant(Code.granted);
    woken.push(reader);
  }
  // Without a bit set readers come and go by compare-and-swap, so the count moves relative to what it is now.
  Atomics.add(words, state, woken.length);
  Atomics.and(words, state, ~(PENDING | WAITERS));
  return woken;
}
