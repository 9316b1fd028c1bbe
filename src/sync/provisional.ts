/**
 * Grants to goroutines that cannot run.
 *
 * A dedicated thread may sleep, blocked, for the very lock that was just given to one of its own goroutines. That
 * goroutine runs only after the thread, so the grant is provisional: the blocked call takes it over, and the
 * goroutine goes back to the front of the queue (`replacement` is where it sleeps on). Both run on the thread
 * concerned, before each of its sleeps; true: the thread has the lock, and its own place is given up.
 *
 * Only the holder of the monitor's lock claims a place of it, so what is found under that lock stays so.
 */
import { MutexWord, RWMutexWord } from './layout.js';
import { type Monitor } from './monitor.js';
import { finish } from './sleepers.js';
import { LOCKED, WAITERS as MUTEX_WAITERS, WOKEN } from './mutex-word.js';
import { Code, Park } from './park.js';
import { type Parker, parker } from './parker.js';
import { PENDING, READERS, WAITERS, WRITERS, lockedReaderLeaves } from './rwmutex-word.js';

export function takeFromSleepingGoroutine(monitor: Monitor, park: Park, held: number): boolean {
  const mine = parker();
  const victim = mine.wakingAt(monitor);
  if (victim === null) return false;
  const { words } = monitor;
  const state = monitor.at + MutexWord.state;
  monitor.lock();
  if (park.isReady(mine) || mine.codeOf(victim) === Code.disposed) {
    monitor.unlock();
    return false;
  }
  let taken = mine.codeOf(victim) === Code.granted;
  putBack(monitor, 0, victim, mine);
  Atomics.or(words, state, MUTEX_WAITERS);
  if (!taken) {
    // It was only woken to compete. If somebody overtook, whoever has the lock wakes the front again.
    Atomics.and(words, state, ~WOKEN);
    for (
      let seen = Atomics.load(words, state);
      !taken && (seen & LOCKED) === 0;
      seen = Atomics.load(words, state)
    ) {
      taken = Atomics.compareExchange(words, state, seen, seen | held) === seen;
    }
  }
  return conclude(monitor, park, taken, mine);
}

export function takeFromSleepingReaderOrWriter(
  monitor: Monitor,
  park: Park,
  mode: 'read' | 'write',
): boolean {
  const mine = parker();
  const victim = mine.wakingAt(monitor);
  if (victim === null) return false;
  const { words } = monitor;
  const state = monitor.at + RWMutexWord.state;
  monitor.lock();
  if (park.isReady(mine) || mine.codeOf(victim) !== Code.granted) {
    monitor.unlock();
    return false;
  }
  const reads = victim.reason === 'sync.RWMutex.RLock';
  putBack(monitor, reads ? READERS : WRITERS, victim, mine);
  if (reads && mode === 'write') {
    // Its read hold is given back; that may let us in, or another writer first.
    Atomics.or(words, state, WAITERS);
    const next = lockedReaderLeaves(monitor);
    monitor.unlock();
    next?.wake();
    return false;
  }
  if (reads || mode === 'write') Atomics.or(words, state, WAITERS);
  else Atomics.store(words, state, 1 | PENDING | WAITERS);
  return conclude(monitor, park, true, mine);
}

function putBack(monitor: Monitor, queue: number, victim: Park, mine: Parker): void {
  mine.waking.delete(victim);
  victim.replacement = new Park(victim.reason, monitor);
  monitor.enqueueFront(queue, victim.replacement);
}

function conclude(monitor: Monitor, park: Park, taken: boolean, mine: Parker): boolean {
  if (taken) {
    park.claim(mine);
    park.fired = true;
  }
  monitor.unlock();
  if (taken) finish(park);
  return taken;
}
