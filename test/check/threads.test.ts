import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockViolation, checks, disableChecks, enableChecks } from '../../src/check/index.js';
import { Chan, Mutex, RWMutex, WaitGroup } from '../../src/sync/index.js';
import { inRepository } from '../support/repository.js';
import type { Outcome, Step } from './threads/locker.js';
import { ORDERLY_RANKS, Orderly, type OrderlyData, orderlyHandles } from './threads/orderly.js';
import { lockers } from './threads/start.js';

const locker = lockers();

const made: { dispose(): void }[] = [];
function keep<T extends { dispose(): void }>(primitive: T): T {
  made.push(primitive);
  return primitive;
}
const mutex = (rank: string): Mutex => keep(new Mutex({ rank }));

afterEach(() => {
  disableChecks();
  enableChecks();
  for (const primitive of made.splice(0)) primitive.dispose();
});

/** Takes both in order and gives them back. */
function nested(...locks: Mutex[]): Step[] {
  const handles = locks.map((lock) => lock.handle());
  return [
    ...handles.map((handle) => ['lock', handle] as const),
    ...handles.toReversed().map((handle) => ['unlock', handle] as const),
  ];
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

describe('the order between threads', () => {
  beforeEach(() => {
    disableChecks();
    enableChecks();
  });

  it('reports an inversion of two threads that never met, with both stacks', async () => {
    const [a, b] = [mutex('a'), mutex('b')];
    const [first, second] = [locker(), locker()];
    expect(await first.do(...nested(a, b))).toBe('done');
    await first.worker.terminate();

    const seen = (await second.do(...nested(b, a))) as Outcome;
    expect(seen.code).toBe('ERR_LOCK_ORDER');
    expect(seen.message).toContain('a → b');
    const [taking, holding, before] = seen.moments;
    expect(taking.what).toMatch(/taking a#/);
    expect(taking.stack).toMatch(/at Mutex\.lock.*\n.*at take .*locker/);
    expect(holding.what).toMatch(/b#.* is held since/);
    expect(before.what).toMatch(/^b was taken under a by thread \d+$/);
    expect(before.stack).toMatch(/at Mutex\.lock.*\n.*at take .*locker/);
    expect([a.holder(), b.holder()]).toEqual(['nobody', 'nobody']);
    // The right order stays right.
    expect(await second.do(...nested(a, b))).toBe('done');
  });

  it('reports to main what a worker did the other way round', async () => {
    const [a, b] = [mutex('a'), mutex('b')];
    expect(await locker().do(...nested(a, b))).toBe('done');
    b.lock();
    const seen = violation(() => a.lock());
    b.unlock();
    expect(seen.code).toBe('ERR_LOCK_ORDER');
    expect(seen.stack).toMatch(/threads\.test[^]*b was taken under a by thread \d+:\n[^]*locker/);
  });

  it('reports a circle through three threads', async () => {
    const [a, b, c] = [mutex('a'), mutex('b'), mutex('c')];
    expect(await locker().do(...nested(a, b))).toBe('done');
    expect(await locker().do(...nested(b, c))).toBe('done');
    c.lock();
    const seen = violation(() => a.lock());
    c.unlock();
    expect(seen.message).toContain('a → b → c');
    expect(seen.moments.map((moment) => moment.what.replace(/thread \d+/, 'T'))).toEqual([
      expect.stringContaining('taking a'),
      expect.stringContaining('held since'),
      'b was taken under a by T',
      'c was taken under b by T',
    ]);
    for (const moment of seen.moments) expect(moment.stack).toMatch(/^ {4}at Mutex\.lock/);
  });

  it('counts readers, and not a try', async () => {
    const [a, b] = [keep(new RWMutex({ rank: 'a' })), mutex('b')];
    const thread = locker();
    const [ha, hb] = [a.handle(), b.handle()];
    expect(await thread.do(['lock', hb], ['tryLock', ha], ['unlock', ha], ['unlock', hb])).toBe('done');
    expect(checks()?.graph.edges()).toEqual([]);
    expect(await thread.do(['rLock', ha], ['lock', hb], ['unlock', hb], ['rUnlock', ha])).toBe('done');
    b.lock();
    expect(violation(() => a.rLock()).code).toBe('ERR_LOCK_ORDER');
    b.unlock();
  });

  it('stops two threads at the very moment they would deadlock', async () => {
    const [one, two] = [locker(), locker()];
    for (let round = 0; round < 20; round++) {
      const [a, b] = [mutex(`a${round}`), mutex(`b${round}`)];
      const both = keep(new WaitGroup());
      both.add(2);
      const meet = ['meet', both.handle()] as const;
      const [takeA, takeB, ...rest] = nested(a, b);
      const [takeB2, takeA2, ...rest2] = nested(b, a);
      const outcomes = await Promise.all([
        one.do(takeA, meet, takeB, ...rest),
        two.do(takeB2, meet, takeA2, ...rest2),
      ]);
      expect(outcomes.some((outcome) => (outcome as Outcome).code === 'ERR_LOCK_ORDER')).toBe(true);
    }
  });
});

describe('ranks on other threads', () => {
  it('are those main declared', async () => {
    disableChecks();
    enableChecks({ ranks: 'low < high' });
    const [low, high, stray] = [mutex('low'), mutex('high'), mutex('stray')];
    const thread = locker();
    expect(await thread.do(...nested(low, high))).toBe('done');
    expect(await thread.do(...nested(high, low))).toMatchObject({ code: 'ERR_LOCK_RANK' });
    expect(await thread.do(...nested(stray))).toMatchObject({ code: 'ERR_UNKNOWN_RANK' });
  });
});

describe('a stranger', () => {
  beforeEach(() => {
    disableChecks();
    enableChecks();
  });

  it.each([
    ['lock', 'unlock'],
    ['rLock', 'rUnlock'],
  ] as const)('cannot give back what another thread took: %s', async (take, giveBack) => {
    const lock = keep(new RWMutex({ rank: 'a' }));
    const gate = keep(new Chan<void>(1, { elem: 'void' }));
    const handle = lock.handle();
    const [owner, stranger] = [locker(), locker()];
    expect(await owner.do([take, handle], ['wait', gate.handle()], [giveBack, handle])).toBe('waiting');
    expect(violation(() => lock[giveBack]()).code).toBe('ERR_UNLOCK_BY_STRANGER');
    expect(await stranger.do([giveBack, handle])).toMatchObject({ code: 'ERR_UNLOCK_BY_STRANGER' });
    await Promise.all([owner.reply().then((reply) => expect(reply).toBe('done')), gate.sendAsync()]);
    expect(violation(() => lock[giveBack]()).code).toBe('ERR_UNLOCK_NOT_HELD');
  });

  it('cannot give back a mutex', async () => {
    const lock = mutex('a');
    const gate = keep(new Chan<void>(1, { elem: 'void' }));
    const owner = locker();
    expect(await owner.do(['lock', lock.handle()], ['wait', gate.handle()], ['unlock', lock.handle()])).toBe(
      'waiting',
    );
    expect(violation(() => lock.unlock()).code).toBe('ERR_UNLOCK_BY_STRANGER');
    expect(lock.holder()).toBe('other');
    await Promise.all([owner.reply(), gate.sendAsync()]);
  });
});

describe('held across an await', () => {
  it('ends the thread like an uncaught error, unless somebody is told', async () => {
    disableChecks();
    enableChecks();
    const lock = mutex('a');
    const thread = locker();
    const failed = once(thread.worker, 'error');
    thread.worker.postMessage([['lock', lock.handle()]] satisfies Step[]);
    const [error] = (await failed) as [Error];
    expect(error).toMatchObject({ code: 'ERR_HELD_ACROSS_AWAIT' });
    expect(error.stack).toMatch(/at Mutex\.lock.*\n.*at take .*locker/);
  });
});

describe('a correct program', () => {
  it('is left in peace, on main and two more threads', async () => {
    disableChecks();
    const found: LockViolation[] = [];
    enableChecks({ ranks: ORDERLY_RANKS, report: (seen) => void found.push(seen) });
    const handles = orderlyHandles(keep);
    const rounds = 300;
    const threads = [1, 2].map((seed) => {
      const workerData: OrderlyData = { handles, rounds, seed };
      return new Worker(new URL('./threads/orderly.js', import.meta.url), { workerData });
    });
    try {
      const reports = threads.map(async (thread) => ((await once(thread, 'message')) as [string[]])[0]);
      const work = new Orderly(handles, 3);
      for (let round = 0; round < rounds; round++) {
        work.round();
        await Promise.resolve();
      }
      expect(await Promise.all(reports)).toEqual([[], []]);
      expect(found).toEqual([]);
      expect(work.total()).toBe(3 * rounds);
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()));
    }
  });
});

describe('the --import', () => {
  const auto = pathToFileURL(inRepository('dist/src/check/auto.js')).href;
  const execArgv = ['--import', auto];

  it('goes by the thread that starts the worker', async () => {
    disableChecks();
    expect(await locker('import', { execArgv }).do(['on?'])).toBe('off');
    enableChecks();
    expect(await locker('import', { execArgv }).do(['on?'])).toBe('on');
  });
});
