import { afterEach, describe, expect, it } from 'vitest';
import { RWMutex } from '../../src/sync/index.js';
import { hooks } from '../../src/sync/hooks.js';
import { HELD_LIMIT, Mon, RWMutexWord } from '../../src/sync/layout.js';
import { parker } from '../../src/sync/parker.js';

const coded = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a ranked RWMutex', () => {
  const made: RWMutex[] = [];
  const make = (onAbandoned?: 'throw'): RWMutex => {
    const lock = new RWMutex({ rank: 'a', onAbandoned });
    made.push(lock);
    return lock;
  };

  afterEach(() => {
    for (const lock of made.splice(0)) lock.dispose();
  });

  it('does not keep the read lock when the held log is full', () => {
    const full = Array.from({ length: HELD_LIMIT }, () => make());
    for (const lock of full) expect(lock.tryRLock()).toBe(true);
    const last = make();
    expect(() => last.tryRLock()).toThrow(coded('ERR_TOO_MANY_READ_HOLDS'));
    expect(last.tryLock()).toBe(true);
    last.unlock();
    for (const lock of full) lock.rUnlock();
    expect(last.tryRLock()).toBe(true);
    last.rUnlock();
  });

  it('forgets a read hold of a lock that was disposed under it', () => {
    for (let i = 0; i < HELD_LIMIT + 1; i++) {
      const lock = make();
      expect(lock.tryRLock()).toBe(true);
      made.pop()?.dispose();
      expect(() => lock.rUnlock()).toThrow(coded('ERR_STALE_HANDLE'));
    }
  });

  it.each(['lock', 'rLock'] as const)('tells %s of a dead holder without a word to the checks', (take) => {
    const before = hooks.locks;
    const lock = make('throw');
    parker().words[lock.id + Mon.words + RWMutexWord.abandoned] = 1;
    const unlocked: unknown[] = [];
    hooks.locks = {
      beforeLock: () => undefined,
      afterLock: () => undefined,
      beforeUnlock: (of) => void unlocked.push(of),
    };
    try {
      expect(() => lock[take]()).toThrow(coded('ERR_LOCK_ABANDONED'));
    } finally {
      hooks.locks = before;
    }
    expect(unlocked).toEqual([]);
    expect(lock.holder('read')).toBe('nobody');
    expect(lock.tryLock()).toBe(true);
    expect(lock.holder('write')).toBe('me');
    lock.unlock();
  });
});
