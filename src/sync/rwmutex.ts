/**
 * RWMutex: many readers or one writer, Go's rules.
 *
 * The word: how many readers are in, WRITING while a writer is in, PENDING while one waits for the readers to
 * leave, WAITERS while anybody sleeps who must be looked after at the next unlock. Queue 0: readers, queue 1:
 * writers. With PENDING the front of queue 1 is the pending one.
 *
 * - A pending writer stops new readers: rLock must not be nested.
 * - A writer that leaves lets in every reader that waited, also those behind the next writer, which then waits
 *   for them; readers who come after that wait behind it.
 *
 * Without any of the three bits the word changes by compare-and-swap alone; with one, only under the monitor's
 * lock. A ranked one has its writer in `owner`, and a thread's read holds in its held log, for the sweep.
 *
 * Happens before: an unlock before the next lock and before the rLocks it lets in; those readers' rUnlocks
 * before the next lock.
 */
import { PodloomError } from '../observe/errors.js';
import { SyncError, rUnlockOfUnlocked, rwUnlockOfUnlocked, staleHandle } from './errors.js';
import { Guard, type Locker } from './guard.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { hooks, type RankedLock } from './hooks.js';
import { HELD_LIMIT, Kind, RWMutexWord, Thread } from './layout.js';
import {
  type Claimed,
  LocalMonitor,
  type Monitor,
  SharedMonitor,
  disposeMonitor,
  finish,
  lockLive,
  share,
} from './monitor.js';
import { type MutexOptions, rankedIsBlocking, unlockedByStranger } from './mutex.js';
import { Code, Park, parker } from './parker.js';

export const WRITING = 1 << 30;
export const PENDING = 1 << 29;
export const WAITERS = 1 << 28;
const BITS = WRITING | PENDING | WAITERS;
const READERS = 0;
const WRITERS = 1;
const WORDS = 3;

export interface RWMutexHandle extends Handle<'rwmutex'> {
  readonly rank?: string;
  readonly name?: string;
  readonly onAbandoned?: 'throw' | 'flag';
}

type Mode = 'read' | 'write';

export class RWMutex implements Locker, RankedLock {
  readonly rank: string;
  readonly name: string;
  #monitor: Monitor;
  readonly #onAbandoned: 'throw' | 'flag';
  #abandoned = false;

  constructor(options: MutexOptions = {}, monitor?: SharedMonitor) {
    this.rank = options.rank ?? '';
    this.name = options.name ?? this.rank;
    this.#onAbandoned = options.onAbandoned ?? 'flag';
    const ranked = this.rank !== '';
    this.#monitor = monitor ?? (ranked ? SharedMonitor.create(Kind.rwmutex) : new LocalMonitor(WORDS));
    if (ranked && monitor === undefined) parker().arena.publish(this.#monitor.block);
  }

  static attach(handle: RWMutexHandle): RWMutex {
    return new RWMutex(handle, fromHandle('rwmutex', handle));
  }

  get id(): number {
    return this.#monitor.block;
  }

  /** True if a holder before us died with the lock: what it guards may be half changed. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  handle(): RWMutexHandle {
    if (this.#monitor instanceof LocalMonitor) this.#monitor = share(this.#monitor, Kind.rwmutex, () => 0);
    const handle = toHandle('rwmutex', this.#monitor as SharedMonitor);
    return this.rank === ''
      ? handle
      : { ...handle, rank: this.rank, name: this.name, onAbandoned: this.#onAbandoned };
  }

  lock(): void {
    this.#enter('write', 'lock');
  }

  rLock(): void {
    this.#enter('read', 'rLock');
  }

  lockAsync(): Promise<void> {
    return this.#enterAsync('write');
  }

  rLockAsync(): Promise<void> {
    return this.#enterAsync('read');
  }

  tryLock(): boolean {
    return this.#tryEnter('write');
  }

  tryRLock(): boolean {
    return this.#tryEnter('read');
  }

  unlock(): void {
    if (this.rank !== '') hooks.locks?.beforeUnlock(this, 'write');
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('rwmutex');
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    if (this.rank !== '') {
      const owner = words[at + RWMutexWord.owner];
      if ((Atomics.load(words, state) & WRITING) !== 0 && owner !== parker().slot)
        throw unlockedByStranger(this.name);
      words[at + RWMutexWord.owner] = 0;
    }
    if (Atomics.compareExchange(words, state, WRITING, 0) === WRITING) return;
    monitor.lock();
    if ((Atomics.load(words, state) & WRITING) === 0) {
      monitor.unlock();
      throw rwUnlockOfUnlocked();
    }
    const woken = lockedWriterLeaves(monitor);
    monitor.unlock();
    for (const next of woken) next.wake();
  }

  rUnlock(): void {
    if (this.rank !== '') hooks.locks?.beforeUnlock(this, 'read');
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('rwmutex');
    if (this.rank !== '') forgetReadHold(monitor.block);
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    for (;;) {
      const seen = Atomics.load(words, state);
      if ((seen & BITS) !== 0) break;
      if (seen === 0) throw rUnlockOfUnlocked();
      if (Atomics.compareExchange(words, state, seen, seen - 1) === seen) return;
    }
    monitor.lock();
    if ((Atomics.load(words, state) & ~BITS) === 0) {
      monitor.unlock();
      throw rUnlockOfUnlocked();
    }
    const next = lockedReaderLeaves(monitor);
    monitor.unlock();
    next?.wake();
  }

  /** A Locker whose lock is rLock. */
  rlocker(): Locker {
    return { lock: () => this.rLock(), lockAsync: () => this.rLockAsync(), unlock: () => this.rUnlock() };
  }

  guard(): Guard {
    this.lock();
    return new Guard(() => this.unlock());
  }

  rGuard(): Guard {
    this.rLock();
    return new Guard(() => this.rUnlock());
  }

  async guardAsync(): Promise<Guard> {
    await this.lockAsync();
    return new Guard(() => this.unlock());
  }

  async rGuardAsync(): Promise<Guard> {
    await this.rLockAsync();
    return new Guard(() => this.rUnlock());
  }

  /** Frees a shared lock. Whoever waits for it gets ERR_STALE_HANDLE. */
  dispose(): void {
    disposeMonitor(this.#monitor);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #enter(mode: Mode, op: string): void {
    if (this.rank === '') parker().assertMayBlock(op);
    else hooks.locks?.beforeLock(this, mode);
    if (!this.#fast(mode)) {
      const park = this.#contend(mode);
      if (park !== null) {
        try {
          parker().block(park);
        } catch (error) {
          this.#retract();
          throw error;
        }
        this.#awake(park);
      }
    }
    if (this.rank === '') return;
    this.#holdRanked(mode);
    hooks.locks?.afterLock(this, mode);
  }

  #enterAsync(mode: Mode): Promise<void> {
    if (this.rank !== '') return Promise.reject(rankedIsBlocking(this.name));
    return this.#fast(mode) ? Promise.resolve() : this.#contendAsync(mode);
  }

  async #contendAsync(mode: Mode): Promise<void> {
    const park = this.#contend(mode);
    if (park === null) return;
    await parker().sleep(park);
    this.#awake(park);
  }

  #tryEnter(mode: Mode): boolean {
    if (this.rank !== '') hooks.locks?.beforeLock(this, 'try');
    if (!this.#fast(mode)) return false;
    if (this.rank !== '') {
      this.#holdRanked(mode);
      hooks.locks?.afterLock(this, mode === 'write' ? 'try' : 'read');
    }
    return true;
  }

  #fast(mode: Mode): boolean {
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('rwmutex');
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    if (mode === 'write') return Atomics.compareExchange(words, state, 0, WRITING) === 0;
    for (;;) {
      const seen = Atomics.load(words, state);
      if ((seen & BITS) !== 0) return false;
      if (Atomics.compareExchange(words, state, seen, seen + 1) === seen) return true;
    }
  }

  /** Gets in, or takes a place in the queue. */
  #contend(mode: Mode): Park | null {
    const monitor = this.#monitor;
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    // Without a place to wait at, nobody must be stopped for us.
    if (monitor.block !== 0) parker().reserveNodes(1);
    lockLive(monitor, 'rwmutex');
    for (;;) {
      const seen = Atomics.load(words, state);
      const barred = (seen & (WRITING | PENDING)) !== 0;
      const next = barred
        ? seen | WAITERS
        : mode === 'read'
          ? seen + 1
          : seen === 0
            ? WRITING
            : seen | PENDING;
      if (Atomics.compareExchange(words, state, seen, next) !== seen) continue;
      if (next === seen + 1 || next === WRITING) {
        monitor.unlock();
        return null;
      }
      const park = new Park(mode === 'read' ? 'sync.RWMutex.RLock' : 'sync.RWMutex.Lock');
      monitor.enqueue(mode === 'read' ? READERS : WRITERS, park, 0, 0);
      monitor.unlock();
      return park;
    }
  }

  /** We gave up waiting. If it was us who stopped new readers, they may come in after all. */
  #retract(): void {
    const monitor = this.#monitor;
    const { words, at } = monitor;
    const woken: Claimed[] = [];
    monitor.lock();
    const seen = Atomics.load(words, at + RWMutexWord.state);
    if ((seen & PENDING) !== 0 && monitor.isEmpty(WRITERS)) {
      for (let reader = monitor.dequeue(READERS); reader !== null; reader = monitor.dequeue(READERS))
        woken.push(reader);
      Atomics.store(words, at + RWMutexWord.state, (seen & ~BITS) + woken.length);
      for (const place of woken) place.grant(Code.granted);
    }
    monitor.unlock();
    for (const place of woken) place.wake();
  }

  #awake(park: Park): void {
    finish(park);
    if (park.code === Code.disposed) throw staleHandle('rwmutex');
  }

  #holdRanked(mode: Mode): void {
    const { words, at, block } = this.#monitor;
    if (mode === 'read') logReadHold(block);
    else words[at + RWMutexWord.owner] = parker().slot;
    this.#abandoned = Atomics.exchange(words, at + RWMutexWord.abandoned, 0) !== 0;
    if (!this.#abandoned || this.#onAbandoned === 'flag') return;
    this.#abandoned = false;
    if (mode === 'read') this.rUnlock();
    else this.unlock();
    throw new PodloomError(
      'ERR_LOCK_ABANDONED',
      `a thread that held the lock ${this.name} died; it is free now, but check what it guards`,
    );
  }
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
      next = WRITING | (monitor.isEmpty(WRITERS) ? 0 : WAITERS);
    } else if (!monitor.isEmpty(WRITERS)) {
      next = readers | PENDING | WAITERS;
    }
  }
  Atomics.store(monitor.words, state, next);
  for (const place of woken) place.grant(Code.granted);
  return woken;
}

/** A reader is gone, with a writer pending or anybody queued: sees who is next. Under the monitor's lock. */
export function lockedReaderLeaves(monitor: Monitor): Claimed | null {
  const { words } = monitor;
  const state = monitor.at + RWMutexWord.state;
  const left = Atomics.sub(words, state, 1) - 1;
  if ((left & ~BITS) !== 0 || (left & PENDING) === 0) return null;
  const writer = monitor.dequeue(WRITERS);
  if (writer === null) {
    Atomics.store(words, state, 0);
    return null;
  }
  const waiters = monitor.isEmpty(READERS) && monitor.isEmpty(WRITERS) ? 0 : WAITERS;
  Atomics.store(words, state, WRITING | waiters);
  writer.grant(Code.granted);
  return writer;
}

function logReadHold(block: number): void {
  const { words, record } = parker();
  const count = words[record + Thread.heldCount];
  if (count === HELD_LIMIT) {
    throw new SyncError(
      'ERR_TOO_MANY_READ_HOLDS',
      `a thread can hold ${HELD_LIMIT} ranked read locks at once`,
    );
  }
  words[record + Thread.held + count] = block;
  Atomics.store(words, record + Thread.heldCount, count + 1);
}

function forgetReadHold(block: number): void {
  const { words, record } = parker();
  const count = words[record + Thread.heldCount];
  for (let i = count - 1; i >= 0; i--) {
    if (words[record + Thread.held + i] !== block) continue;
    words[record + Thread.held + i] = words[record + Thread.held + count - 1];
    Atomics.store(words, record + Thread.heldCount, count - 1);
    return;
  }
}
