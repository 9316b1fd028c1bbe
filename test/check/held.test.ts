import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CheckOptions,
  LockViolation,
  checks,
  disableChecks,
  enableChecks,
} from '../../src/check/index.js';
import { Mutex, RWMutex } from '../../src/sync/index.js';

const made: (Mutex | RWMutex)[] = [];
const mutex = (rank: string, name?: string): Mutex => {
  const lock = new Mutex({ rank, name });
  made.push(lock);
  return lock;
};
const rwmutex = (rank: string): RWMutex => {
  const lock = new RWMutex({ rank });
  made.push(lock);
  return lock;
};

function start(options: CheckOptions): void {
  disableChecks();
  enableChecks(options);
}

function violation(act: () => void): LockViolation {
  try {
    act();
  } catch (error) {
    if (error instanceof LockViolation) return error;
    throw error;
  }
  throw new Error('nothing was reported');
}

/** Runs what is queued as microtasks now, and what that queues. */
const jobEnd = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let found: LockViolation[] = [];
const collect = (seen: LockViolation): void => void found.push(seen);

beforeEach(() => {
  found = [];
});

afterEach(() => {
  disableChecks();
  enableChecks();
  for (const lock of made.splice(0)) lock.dispose();
});

describe('ranks', () => {
  beforeEach(() => start({ ranks: 'low < many* < high | other; apart' }));

  function takesTwo(first: Mutex, second: Mutex): LockViolation {
    first.lock();
    const seen = violation(() => second.lock());
    expect(second.tryLock()).toBe(true);
    second.unlock();
    first.unlock();
    return seen;
  }

  it('lets locks be taken upwards', () => {
    const [low, many, high] = [mutex('low'), mutex('many'), mutex('high')];
    low.lock();
    many.lock();
    high.lock();
    expect(checks()?.held).toEqual([low, many, high]);
    many.unlock();
    high.unlock();
    low.unlock();
    expect(checks()?.held).toEqual([]);
  });

  it('stops a lock below one that is held, before it is taken, and shows both places', () => {
    const high = mutex('high', 'the high one');
    const low = mutex('low');
    const takeHigh = (): void => high.lock();
    const takeLow = (): void => low.lock();
    takeHigh();
    const seen = violation(takeLow);
    high.unlock();
    expect(seen.code).toBe('ERR_LOCK_RANK');
    expect(seen.message).toContain('low < high');
    expect(seen.message).toContain('the high one');
    expect(seen.moments).toHaveLength(2);
    expect(seen.moments[0].stack).toMatch(/^ {4}at Mutex\.lock.*\n {4}at takeLow/);
    expect(seen.moments[1].stack).toMatch(/^ {4}at Mutex\.lock.*\n {4}at takeHigh/);
    expect(seen.stack).toContain('takeHigh');
    expect(low.holder()).toBe('nobody');
  });

  it('stops alternatives and ranks no chain orders', () => {
    expect(takesTwo(mutex('high'), mutex('other')).code).toBe('ERR_LOCK_RANK');
    expect(takesTwo(mutex('apart'), mutex('high')).message).toContain('no declared order');
  });

  it('lets a rank nest only where declared, and then by id', () => {
    expect(takesTwo(mutex('low'), mutex('low')).message).toContain('low*');
    const [first, second] = [mutex('many'), mutex('many')].sort((a, b) => a.id - b.id);
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
    expect(takesTwo(second, first).message).toContain('order of their ids');
  });

  it('rejects a rank nobody declared, also for a try', () => {
    const stray = mutex('stray');
    expect(violation(() => stray.lock()).code).toBe('ERR_UNKNOWN_RANK');
    expect(violation(() => stray.tryLock()).message).toContain('stray');
    expect(stray.holder()).toBe('nobody');
  });

  it('does not forbid a try, but counts what it took', () => {
    const [low, many, high] = [mutex('low'), mutex('many'), mutex('high')];
    high.lock();
    expect(many.tryLock()).toBe(true);
    high.unlock();
    expect(violation(() => low.lock()).message).toContain('many');
    many.unlock();
    low.lock();
    low.unlock();
  });

  it('counts no failed try', () => {
    const [low, high] = [mutex('low'), mutex('high')];
    high.lock();
    expect(high.tryLock()).toBe(false);
    high.unlock();
    low.lock();
    low.unlock();
  });

  it('holds readers to the same order', () => {
    const [low, high] = [rwmutex('low'), rwmutex('high')];
    low.rLock();
    high.rLock();
    high.rUnlock();
    low.rUnlock();
    high.rLock();
    expect(violation(() => low.rLock()).code).toBe('ERR_LOCK_RANK');
    expect(violation(() => low.lock()).code).toBe('ERR_LOCK_RANK');
    expect(low.tryRLock()).toBe(true);
    low.rUnlock();
    high.rUnlock();
    expect(checks()?.held).toEqual([]);
  });

  it('forgets a lock that was disposed while held', () => {
    const high = mutex('high');
    high.lock();
    high.dispose();
    const low = mutex('low');
    low.lock();
    low.unlock();
  });

  it('takes a lock back that was taken before the checks were on', () => {
    disableChecks();
    const [low, shared] = [mutex('low'), rwmutex('high')];
    low.lock();
    shared.rLock();
    enableChecks({ ranks: 'low < high' });
    shared.rUnlock();
    low.unlock();
    expect([low.holder(), shared.holder('read')]).toEqual(['nobody', 'nobody']);
  });
});

describe('a lock taken twice', () => {
  beforeEach(() => start({ ranks: 'low*' }));

  it('is stopped instead of hanging, also through another attachment', () => {
    const low = mutex('low');
    const again = Mutex.attach(low.handle());
    low.lock();
    for (const lock of [low, again]) {
      const seen = violation(() => lock.lock());
      expect(seen.code).toBe('ERR_LOCK_SELF');
      expect(seen.moments).toHaveLength(2);
    }
    low.unlock();
  });

  it.each([
    ['rLock', 'rLock'],
    ['rLock', 'lock'],
    ['lock', 'rLock'],
    ['lock', 'lock'],
  ] as const)('is stopped for an RWMutex: %s, %s', (first, second) => {
    const lock = rwmutex('low');
    lock[first]();
    expect(violation(() => lock[second]()).code).toBe('ERR_LOCK_SELF');
    if (first === 'lock') lock.unlock();
    else lock.rUnlock();
  });

  it('may be tried, and read twice by a try', () => {
    const lock = rwmutex('low');
    lock.rLock();
    expect(lock.tryLock()).toBe(false);
    expect(lock.tryRLock()).toBe(true);
    lock.rUnlock();
    expect(checks()?.held).toEqual([lock]);
    lock.rUnlock();
    expect(lock.holder('read')).toBe('nobody');
  });

  it('is thrown although a function is told: going on would hang', () => {
    enableChecks({ report: collect });
    const low = mutex('low');
    low.lock();
    const seen = violation(() => low.lock());
    expect(found).toEqual([seen]);
    low.unlock();
  });
});

describe('unlocking', () => {
  beforeEach(() => start({ ranks: 'low < high' }));

  it('twice is reported, with the place of the first', () => {
    const low = mutex('low');
    low.lock();
    const giveBack = (): void => low.unlock();
    giveBack();
    const seen = violation(() => low.unlock());
    expect(seen.code).toBe('ERR_UNLOCK_NOT_HELD');
    expect(seen.moments[1].stack).toContain('giveBack');
  });

  it('without checks is what Go says', () => {
    disableChecks();
    expect(() => mutex('low').unlock()).toThrow('sync: unlock of unlocked mutex');
  });

  it('in the other mode is reported with the right call', () => {
    const lock = rwmutex('low');
    lock.rLock();
    expect(violation(() => lock.unlock())).toMatchObject({
      code: 'ERR_UNLOCK_NOT_HELD',
      message: expect.stringContaining('call rUnlock') as string,
    });
    lock.rUnlock();
    lock.lock();
    expect(violation(() => lock.rUnlock()).message).toContain('call unlock');
    lock.unlock();
    expect(violation(() => lock.rUnlock()).code).toBe('ERR_UNLOCK_NOT_HELD');
  });
});

describe('held across an await', () => {
  beforeEach(() => start({ ranks: 'low < high', report: collect }));

  it('is reported once, with the place it was taken at', async () => {
    const low = mutex('low');
    const takeLow = (): void => low.lock();
    takeLow();
    await Promise.resolve();
    await jobEnd();
    low.unlock();
    expect(found.map((seen) => seen.code)).toEqual(['ERR_HELD_ACROSS_AWAIT']);
    expect(found[0].moments[0].stack).toContain('takeLow');
  });

  it('is told for each lock, of a reader and of a try too', async () => {
    const [low, high] = [rwmutex('low'), mutex('high')];
    low.rLock();
    expect(high.tryLock()).toBe(true);
    await jobEnd();
    high.unlock();
    low.rUnlock();
    expect(found.map((seen) => seen.message)).toEqual([
      expect.stringContaining('low'),
      expect.stringContaining('high'),
    ]);
  });

  it('is seen although an earlier lock of the same code was given back', async () => {
    const [low, high] = [mutex('low'), mutex('high')];
    low.lock();
    low.unlock();
    high.lock();
    await jobEnd();
    high.unlock();
    expect(found).toHaveLength(1);
    expect(found[0].message).toContain('high');
  });

  it('is not reported for what was given back in time', async () => {
    const low = mutex('low');
    for (let i = 0; i < 3; i++) {
      {
        using _guard = low.guard();
      }
      await Promise.resolve();
    }
    await jobEnd();
    expect(found).toEqual([]);
  });
});

describe('a reporter', () => {
  it('is told of a wrong order once an acquire, and the lock is taken', () => {
    start({ ranks: 'low < high', report: collect });
    const [low, high] = [mutex('low'), mutex('high')];
    high.lock();
    low.lock();
    expect(low.holder()).toBe('me');
    low.unlock();
    high.unlock();
    expect(found.map((seen) => seen.code)).toEqual(['ERR_LOCK_RANK']);
  });
});

describe('the switch', () => {
  it('keeps what it was not given anew, and forgets when turned off', () => {
    start({ ranks: 'low < high', report: collect });
    enableChecks({ report: 'throw' });
    const [low, high] = [mutex('low'), mutex('high')];
    high.lock();
    expect(violation(() => low.lock()).code).toBe('ERR_LOCK_RANK');
    disableChecks();
    expect(checks()).toBeNull();
    low.lock();
    low.unlock();
    high.unlock();
  });

  it('leaves unranked locks alone', async () => {
    start({ ranks: 'low', report: collect });
    const free = new Mutex();
    await free.lockAsync();
    await jobEnd();
    free.unlock();
    expect(() => free.unlock()).toThrow('sync: unlock of unlocked mutex');
    expect(found).toEqual([]);
  });
});
