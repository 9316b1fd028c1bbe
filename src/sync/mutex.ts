/**
 * Mutex: Go's, over one word, between any threads.
 *
 * The word: LOCKED, plus why a plain unlock is not enough. WAITERS: somebody sleeps in the queue. WOKEN: one of
 * them was woken and is on its way to compete, so an unlock need not wake another. STARVING: a waiter has
 * waited for more than 1 ms. A ranked mutex has its owner's thread slot above these bits.
 *
 * Normal mode: unlock frees the lock and wakes the first waiter, which competes with whoever runs; if it loses
 * it goes back to the front. That is fast, and unfair for at most 1 ms. Starvation mode: unlock hands the lock,
 * still locked, to the first waiter, and nobody overtakes. The mode ends with a waiter that is the last one or
 * waited for less than 1 ms.
 *
 * A hand-over to a goroutine is provisional until it runs. If its thread asks for the same mutex in the blocking
 * form first, it takes the grant and the goroutine goes back to the front: otherwise the thread would wait for a
 * goroutine that cannot run before the thread does.
 *
 * Bits other than LOCKED change only under the monitor's lock. LOCKED is taken by compare-and-swap anywhere, and
 * dropped without the monitor's lock only while it is the only bit, so that a waiter about to queue notices.
 *
 * Happens before: the n-th unlock before the (n+1)-th lock returns.
 */
import { PodloomError } from '../observe/errors.js';
import { SyncError, staleHandle, unlockOfUnlocked } from './errors.js';
import { Guard, type Locker } from './guard.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { type Holder, hooks, type RankedLock } from './hooks.js';
import { Kind, MutexWord } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive, share } from './sleepers.js';
import { ABANDONED, LOCKED, OWNER_SHIFT, STARVING, WAITERS, WOKEN, lockedRelease } from './mutex-word.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';
import { takeFromSleepingGoroutine } from './provisional.js';

const STARVATION_MS = 1;
const WORDS = 1;

export interface MutexOptions {
  /** Makes it a ranked lock: blocking form only, with an owner, checked by src/check. Shared from the start. */
  readonly rank?: string;
  readonly name?: string;
  /** What the next holder sees after a holder died: an error instead of the lock, or `abandoned` (default). */
  readonly onAbandoned?: 'throw' | 'flag';
}

export interface MutexHandle extends Handle<'mutex'> {
  readonly rank?: string;
  readonly name?: string;
  readonly onAbandoned?: 'throw' | 'flag';
}

/** One attempt to get the lock, over all its sleeps. */
interface Attempt {
  since: number;
  awoke: boolean;
  /** The last sleep, kept until WOKEN is cleared for it: its place tells the sweep whose WOKEN it is. */
  last: Park | null;
}

export class Mutex implements Locker, RankedLock {
  readonly rank: string;
  readonly name: string;
  #monitor: Monitor;
  #words: Int32Array;
  #state: number;
  /** What the word holds while we have the lock and nothing else is going on. */
  #held: number;
  readonly #onAbandoned: 'throw' | 'flag';
  #abandoned = false;

  constructor(options: MutexOptions = {}, monitor?: SharedMonitor) {
    this.rank = options.rank ?? '';
    this.name = options.name ?? this.rank;
    this.#onAbandoned = options.onAbandoned ?? 'flag';
    const ranked = this.rank !== '';
    this.#monitor = monitor ?? (ranked ? SharedMonitor.create(Kind.mutex) : new LocalMonitor(WORDS));
    if (ranked && monitor === undefined) parker().arena.publish(this.#monitor.block);
    this.#words = this.#monitor.words;
    this.#state = this.#monitor.at + MutexWord.state;
    this.#held = ranked ? LOCKED | (parker().slot << OWNER_SHIFT) : LOCKED;
  }

  static attach(handle: MutexHandle): Mutex {
    return new Mutex(handle, fromHandle('mutex', handle));
  }

  get id(): number {
    return this.#monitor.block;
  }

  /** Of a ranked one; Go's have no owner to tell. */
  holder(): Holder {
    const seen = this.#monitor.isLive() ? Atomics.load(this.#words, this.#state) : 0;
    if ((seen & LOCKED) === 0) return 'nobody';
    return seen >> OWNER_SHIFT === this.#held >> OWNER_SHIFT ? 'me' : 'other';
  }

  /** True if the holder before us died with the lock: what it guards may be half changed. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  handle(): MutexHandle {
    if (this.#monitor instanceof LocalMonitor) {
      this.#monitor = share(this.#monitor, Kind.mutex, () => 0);
      this.#words = this.#monitor.words;
      this.#state = this.#monitor.at + MutexWord.state;
    }
    const handle = toHandle('mutex', this.#monitor as SharedMonitor);
    return this.rank === ''
      ? handle
      : { ...handle, rank: this.rank, name: this.name, onAbandoned: this.#onAbandoned };
  }

  lock(): void {
    if (this.rank === '') {
      parker().assertMayBlock('lock');
      if (this.#fast()) return;
    } else {
      hooks.locks?.beforeLock(this, 'write');
      if (this.#fast()) {
        if (hooks.locks !== null) hooks.locks.afterLock(this, 'write');
        return;
      }
    }
    this.#lockSlow();
    if (this.rank !== '') hooks.locks?.afterLock(this, 'write');
  }

  lockAsync(): Promise<void> {
    if (this.rank !== '') return Promise.reject(rankedIsBlocking(this.name));
    return this.#fast() ? Promise.resolve() : this.#lockSlowAsync();
  }

  tryLock(): boolean {
    this.#assertLive();
    if (this.rank !== '') hooks.locks?.beforeLock(this, 'try');
    const words = this.#words;
    const state = this.#state;
    for (;;) {
      const seen = Atomics.load(words, state);
      if ((seen & (LOCKED | STARVING)) !== 0) return false;
      if (Atomics.compareExchange(words, state, seen, (seen & ~ABANDONED) | this.#held) === seen) {
        this.#abandoned = (seen & ABANDONED) !== 0;
        if (this.rank !== '') hooks.locks?.afterLock(this, 'try');
        return true;
      }
    }
  }

  unlock(): void {
    if (this.rank !== '') hooks.locks?.beforeUnlock(this, 'write');
    if (!this.#monitor.isLive()) throw staleHandle('mutex');
    if (Atomics.compareExchange(this.#words, this.#state, this.#held, 0) !== this.#held) this.#unlockSlow();
  }

  /** `using guard = mutex.guard()` */
  guard(): Guard {
    this.lock();
    return new Guard(() => this.unlock());
  }

  /** `using guard = await mutex.guardAsync()` */
  async guardAsync(): Promise<Guard> {
    await this.lockAsync();
    return new Guard(() => this.unlock());
  }

  /** Frees a shared mutex. Whoever waits for it gets ERR_STALE_HANDLE. */
  dispose(): void {
    disposeMonitor(this.#monitor);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #assertLive(): void {
    if (!this.#monitor.isLive()) throw staleHandle('mutex');
  }

  #fast(): boolean {
    if (!this.#monitor.isLive()) throw staleHandle('mutex');
    if (Atomics.compareExchange(this.#words, this.#state, 0, this.#held) !== 0) return false;
    this.#abandoned = false;
    return true;
  }

  #lockSlow(): void {
    const attempt: Attempt = { since: performance.now(), awoke: false, last: null };
    for (;;) {
      const park = this.#contend(attempt);
      if (park === null) return;
      if (parker().block(park, () => takeFromSleepingGoroutine(this.#monitor, park, this.#held))) return;
      if (this.#awake(park, attempt)) return;
    }
  }

  async #lockSlowAsync(): Promise<void> {
    const attempt: Attempt = { since: performance.now(), awoke: false, last: null };
    for (;;) {
      let park = this.#contend(attempt);
      while (park !== null) {
        await parker().sleep(park);
        parker().waking.delete(park);
        if (park.replacement === null) break;
        finish(park);
        park = park.replacement;
      }
      if (park === null || this.#awake(park, attempt)) return;
    }
  }

  /** Takes the lock, or a place in the queue. */
  #contend(attempt: Attempt): Park | null {
    const monitor = this.#monitor;
    const words = this.#words;
    const state = this.#state;
    // A place for us and, should we take a grant back, one for the goroutine that had it.
    if (monitor.block !== 0 && !attempt.awoke) parker().reserveNodes(2);
    monitor.lock();
    if (!monitor.isLive()) {
      monitor.unlock();
      forgetLast(attempt);
      throw staleHandle('mutex');
    }
    for (;;) {
      const seen = Atomics.load(words, state);
      const settled = attempt.awoke ? seen & ~WOKEN : seen;
      if ((seen & LOCKED) === 0) {
        const mine = (settled & ~ABANDONED) | this.#held;
        if (Atomics.compareExchange(words, state, seen, mine) !== seen) continue;
        monitor.unlock();
        forgetLast(attempt);
        this.#learn((seen & ABANDONED) !== 0);
        return null;
      }
      const starved = attempt.awoke && performance.now() - attempt.since > STARVATION_MS;
      const queued = settled | WAITERS | (starved ? STARVING : 0);
      if (Atomics.compareExchange(words, state, seen, queued) !== seen) continue;
      const park = new Park('sync.Mutex.Lock', monitor);
      park.isBrief = this.rank !== '';
      if (attempt.awoke) monitor.enqueueFront(0, park);
      else monitor.enqueue(0, park, 0, 0);
      monitor.unlock();
      forgetLast(attempt);
      return park;
    }
  }

  /** Woken: true if the lock came with it. */
  #awake(park: Park, attempt: Attempt): boolean {
    attempt.awoke = true;
    const code = parker().codeOf(park);
    if (code === Code.compete) {
      attempt.last = park;
      return false;
    }
    if (code === Code.disposed) {
      finish(park);
      throw staleHandle('mutex');
    }
    const monitor = this.#monitor;
    finish(park);
    lockLive(monitor, 'mutex');
    if (monitor.isEmpty(0) || performance.now() - attempt.since < STARVATION_MS) {
      Atomics.and(this.#words, this.#state, ~STARVING);
    }
    const abandoned = (Atomics.and(this.#words, this.#state, ~ABANDONED) & ABANDONED) !== 0;
    monitor.unlock();
    this.#learn(abandoned);
    return true;
  }

  #learn(abandoned: boolean): void {
    this.#abandoned = abandoned;
    if (!abandoned || this.#onAbandoned === 'flag') return;
    this.#abandoned = false;
    if (Atomics.compareExchange(this.#words, this.#state, this.#held, 0) !== this.#held) this.#unlockSlow();
    throw new PodloomError(
      'ERR_LOCK_ABANDONED',
      `the thread that held the lock ${this.name || '(unnamed)'} died; it is free now, but check what it guards`,
    );
  }

  #unlockSlow(): void {
    const monitor = this.#monitor;
    if (!monitor.isLive()) throw staleHandle('mutex');
    monitor.lock();
    const seen = Atomics.load(this.#words, this.#state);
    if ((seen & LOCKED) === 0) {
      monitor.unlock();
      throw unlockOfUnlocked();
    }
    if (this.rank !== '' && seen >> OWNER_SHIFT !== this.#held >> OWNER_SHIFT) {
      monitor.unlock();
      throw unlockedByStranger(this.name);
    }
    const next = lockedRelease(monitor, this.rank !== '');
    monitor.unlock();
    next?.wake();
  }
}

function forgetLast(attempt: Attempt): void {
  if (attempt.last !== null) finish(attempt.last);
  attempt.last = null;
}

export function rankedIsBlocking(name: string): SyncError {
  return new SyncError(
    'ERR_RANKED_ASYNC',
    `the ranked lock ${name} is taken in the blocking form only; it must never be held across an await`,
  );
}

export function unlockedByStranger(name: string): SyncError {
  return new SyncError(
    'ERR_UNLOCK_BY_STRANGER',
    `the ranked lock ${name} is held by another thread; only its owner may unlock it`,
  );
}
