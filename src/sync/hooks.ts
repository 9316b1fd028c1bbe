/**
 * Where src/check looks in. The table is empty unless checks are on, and then a lock pays one load for it.
 *
 * Only ranked locks report: the public Mutex and RWMutex are Go's, and Go's have no owner to check.
 */

export type Holder = 'me' | 'other' | 'nobody';

/** Of a ranked lock, what the checks need to know. */
export interface RankedLock {
  readonly rank: string;
  readonly name: string;
  /** Tells locks of one rank apart, on every thread alike. */
  readonly id: number;
  /** Who has it now, as the calling thread sees it. */
  holder(mode: 'write' | 'read'): Holder;
}

export interface LockHooks {
  /** About to take it; throws if the order forbids it. */
  beforeLock(lock: RankedLock, mode: 'write' | 'read' | 'try'): void;
  afterLock(lock: RankedLock, mode: 'write' | 'read' | 'try'): void;
  /** About to give it back; throws if this thread does not hold it. */
  beforeUnlock(lock: RankedLock, mode: 'write' | 'read'): void;
}

export const hooks: { locks: LockHooks | null } = { locks: null };
