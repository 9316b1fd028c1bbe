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
 * lock. In a ranked one the writer's thread slot stands in the word while it is in, and a thread's read holds
 * stand in its held log, for the sweep.
 *
 * Happens before: an unlock before the next lock and before the rLocks it lets in; those readers' rUnlocks
 * before the next lock.
 */
import { PodloomError } from '../observe/errors.js';
import { SyncError, rUnlockOfUnlocked, rwUnlockOfUnlocked, staleHandle } from './errors.js';
import { Guard, type Locker } from './guard.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { type Holder, hooks, type RankedLock } from './hooks.js';
import { forgetReadHold, hasReadHold, logReadHold } from './held-log.js';
import { HELD_LIMIT, Kind, RWMutexWord } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive, share } from './sleepers.js';
import { type MutexOptions, rankedIsBlocking, unlockedByStranger } from './mutex.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';
import { BITS, OWNER, PENDING, READERS, WAITERS, WRITERS, WRITING, readersIn } from './rwmutex-word.js';
import { lockedAdmit, lockedReaderLeaves, lockedWriterLeaves } from './rwmutex-word.js';
import { takeFromSleepingReaderOrWriter } from './provisional.js';

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
  /** What the word holds while we write and nobody waits. */
  readonly #held: number;

  constructor(options: MutexOptions = {}, monitor?: SharedMonitor) {
    this.rank = options.rank ?? '';
    this.name = options.name ?? this.rank;
    this.#onAbandoned = options.onAbandoned ?? 'flag';
    const ranked = this.rank !== '';
    this.#monitor = monitor ?? (ranked ? SharedMonitor.create(Kind.rwmutex) : new LocalMonitor(WORDS));
    if (ranked && monitor === undefined) {
      this.#monitor.words[this.#monitor.at + RWMutexWord.ranked] = 1;
      parker().arena.publish(this.#monitor.block);
    }
    this.#held = ranked ? WRITING | parker().slot : WRITING;
  }

  static attach(handle: RWMutexHandle): RWMutex {
    return new RWMutex(handle, fromHandle('rwmutex', handle));
  }

  get id(): number {
    return this.#monitor.block;
  }

  /** Of a ranked one; Go's have no owner to tell. */
  holder(mode: Mode): Holder {
    const { words, at, block } = this.#monitor;
    const seen = this.#monitor.isLive() ? Atomics.load(words, at + RWMutexWord.state) : 0;
    if ((mode === 'write' ? seen & WRITING : readersIn(seen)) === 0) return 'nobody';
    const mine = mode === 'write' ? (seen & OWNER) === (this.#held & OWNER) : hasReadHold(block);
    return mine ? 'me' : 'other';
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
    this.#leaveWriting();
  }

  rUnlock(): void {
    if (this.rank !== '') hooks.locks?.beforeUnlock(this, 'read');
    this.#leaveReading();
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

  #leaveWriting(): void {
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('rwmutex');
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    if (Atomics.compareExchange(words, state, this.#held, 0) === this.#held) return;
    monitor.lock();
    if ((Atomics.load(words, state) & WRITING) === 0) {
      monitor.unlock();
      throw rwUnlockOfUnlocked();
    }
    if (this.rank !== '' && (Atomics.load(words, state) & OWNER) !== (this.#held & OWNER)) {
      monitor.unlock();
      throw unlockedByStranger(this.name);
    }
    const woken = lockedWriterLeaves(monitor);
    monitor.unlock();
    for (const next of woken) next.wake();
  }

  #leaveReading(): void {
    const monitor = this.#monitor;
    if (!monitor.isLive()) {
      // Nobody would ever take the hold out of the log.
      forgetReadHold(monitor.block);
      throw staleHandle('rwmutex');
    }
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    for (;;) {
      const seen = Atomics.load(words, state);
      if ((seen & BITS) !== 0) break;
      if (seen === 0) throw rUnlockOfUnlocked();
      if (Atomics.compareExchange(words, state, seen, seen - 1) !== seen) continue;
      if (this.rank !== '') forgetReadHold(monitor.block);
      return;
    }
    monitor.lock();
    if (readersIn(Atomics.load(words, state)) === 0) {
      monitor.unlock();
      throw rUnlockOfUnlocked();
    }
    const next = lockedReaderLeaves(monitor);
    if (this.rank !== '') forgetReadHold(monitor.block);
    monitor.unlock();
    next?.wake();
  }

  #enter(mode: Mode, op: string): void {
    if (this.rank === '') parker().assertMayBlock(op);
    else hooks.locks?.beforeLock(this, mode);
    if (!this.#fast(mode)) {
      const park = this.#contend(mode);
      if (park !== null) {
        try {
          if (!parker().block(park, () => takeFromSleepingReaderOrWriter(this.#monitor, park, mode))) {
            this.#awake(park, mode);
          }
        } catch (error) {
          this.#retract();
          throw error;
        }
      } else this.#logHold(mode);
    } else this.#logHold(mode);
    if (this.rank === '') return;
    this.#learn(mode);
    hooks.locks?.afterLock(this, mode);
  }

  #enterAsync(mode: Mode): Promise<void> {
    if (this.rank !== '') return Promise.reject(rankedIsBlocking(this.name));
    return this.#fast(mode) ? Promise.resolve() : this.#contendAsync(mode);
  }

  async #contendAsync(mode: Mode): Promise<void> {
    let park = this.#contend(mode);
    while (park !== null) {
      await parker().sleep(park);
      parker().waking.delete(park);
      if (park.replacement === null) return this.#awake(park, mode);
      finish(park);
      park = park.replacement;
    }
  }

  #tryEnter(mode: Mode): boolean {
    if (this.rank !== '') hooks.locks?.beforeLock(this, 'try');
    if (!this.#fast(mode)) return false;
    if (this.rank !== '') {
      this.#logHold(mode);
      this.#learn(mode);
      hooks.locks?.afterLock(this, mode === 'write' ? 'try' : 'read');
    }
    return true;
  }

  #fast(mode: Mode): boolean {
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('rwmutex');
    const { words, at } = monitor;
    const state = at + RWMutexWord.state;
    if (mode === 'write') return Atomics.compareExchange(words, state, 0, this.#held) === 0;
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
      const entered = !barred && (mode === 'read' || readersIn(seen) === 0);
      let next: number;
      if (entered) next = mode === 'read' ? seen + 1 : seen | this.#held;
      else next = barred ? seen | WAITERS : seen | PENDING;
      if (Atomics.compareExchange(words, state, seen, next) !== seen) continue;
      if (entered) {
        monitor.unlock();
        return null;
      }
      const park = new Park(mode === 'read' ? 'sync.RWMutex.RLock' : 'sync.RWMutex.Lock', monitor);
      park.isBrief = this.rank !== '';
      monitor.enqueue(mode === 'read' ? READERS : WRITERS, park, 0, 0);
      monitor.unlock();
      return park;
    }
  }

  /** We gave up waiting. If it was us who stopped new readers, they may come in after all. */
  #retract(): void {
    const monitor = this.#monitor;
    if (!monitor.isLive()) return;
    monitor.lock();
    const woken = lockedAdmit(monitor);
    monitor.unlock();
    for (const place of woken) place.wake();
  }

  #awake(park: Park, mode: Mode): void {
    // Logged before the place is given up: until then the sweep finds the grant there.
    try {
      if (parker().codeOf(park) === Code.granted) this.#logHold(mode);
    } finally {
      finish(park);
    }
    if (park.code === Code.disposed) throw staleHandle('rwmutex');
  }

  #logHold(mode: Mode): void {
    if (this.rank === '' || mode === 'write' || logReadHold(this.id)) return;
    this.#leaveReading();
    throw new SyncError(
      'ERR_TOO_MANY_READ_HOLDS',
      `a thread can hold ${HELD_LIMIT} ranked read locks at once`,
    );
  }

  #learn(mode: Mode): void {
    const { words, at } = this.#monitor;
    this.#abandoned = Atomics.exchange(words, at + RWMutexWord.abandoned, 0) !== 0;
    if (!this.#abandoned || this.#onAbandoned === 'flag') return;
    this.#abandoned = false;
    // Not through unlock: the checks have not been told of the lock, and the caller never gets it.
    if (mode === 'read') this.#leaveReading();
    else this.#leaveWriting();
    throw new PodloomError(
      'ERR_LOCK_ABANDONED',
      `a thread that held the lock ${this.name} died; it is free now, but check what it guards`,
    );
  }
}
