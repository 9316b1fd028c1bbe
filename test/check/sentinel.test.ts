/** A thread dies in every place a thread can be in, while main already waits for what it has. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Death, Sentinel } from '../../src/check/sentinel.js';
import { Chan, Cond, Mutex, Once, RWMutex, WaitGroup, arena, settled } from '../../src/sync/index.js';
import { Mon } from '../../src/sync/layout.js';
import type { Orders } from './dying-worker.js';

let sentinel: Sentinel;

beforeAll(async () => {
  sentinel = await Sentinel.start();
});

afterAll(async () => {
  await sentinel.stop();
});

interface Dying {
  /** The thread is where it was sent. */
  readonly inPlace: Promise<void>;
  readonly exited: Promise<number>;
  readonly swept: Promise<Death>;
}

function send(scenario: string, death: Orders['death'], things: Partial<Orders>): Dying {
  const here = new WaitGroup();
  here.add(1);
  const line = sentinel.lifeline();
  const orders: Orders = { ...things, line, scenario, death, here: here.handle() };
  const worker = new Worker(new URL('./dying-worker.js', import.meta.url), {
    workerData: orders,
    transferList: [line],
    resourceLimits: { maxOldGenerationSizeMb: 48 },
  });
  let error: unknown;
  worker.on('error', (thrown) => (error = thrown));
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const early = exited.then((code) => {
    throw new Error(`the thread ended with ${code} before it was in place`, { cause: error });
  });
  early.catch(() => undefined);
  const swept = new Promise<Death>((resolve) => {
    const stop = sentinel.onDeath((found) => {
      stop();
      resolve(found);
    });
  });
  return { inPlace: Promise.race([here.waitAsync(), early]), exited, swept };
}

describe.each(['throw', 'exit', 'oom', 'orderly-exit'] as const)('a thread dies by %s', (death) => {
  it('with a ranked mutex main is blocked for; main is told by a flag', async () => {
    const mutex = new Mutex({ rank: 'test' });
    const dying = send('holds ranked mutex', death, { mutex: mutex.handle() });
    await dying.inPlace;
    mutex.lock();
    expect(mutex.abandoned).toBe(true);
    mutex.unlock();
    mutex.lock();
    expect(mutex.abandoned).toBe(false);
    mutex.unlock();
    await dying.exited;
    await dying.swept;
    mutex.dispose();
  });

  it('with a ranked mutex main is blocked for; main is told by an error, and the next one gets it', async () => {
    const mutex = new Mutex({ rank: 'test', onAbandoned: 'throw' });
    const dying = send('holds ranked mutex', death, { mutex: mutex.handle() });
    await dying.inPlace;
    expect(() => mutex.lock()).toThrow(expect.objectContaining({ code: 'ERR_LOCK_ABANDONED' }) as Error);
    mutex.lock();
    mutex.unlock();
    await dying.exited;
    await dying.swept;
    mutex.dispose();
  });

  it('with a write lock main is blocked for', async () => {
    const rwmutex = new RWMutex({ rank: 'test' });
    const dying = send('holds write lock', death, { rwmutex: rwmutex.handle() });
    await dying.inPlace;
    rwmutex.rLock();
    expect(rwmutex.abandoned).toBe(true);
    rwmutex.rUnlock();
    expect(rwmutex.tryLock()).toBe(true);
    rwmutex.unlock();
    await dying.exited;
    await dying.swept;
    rwmutex.dispose();
  });

  it('with a read hold main is blocked for', async () => {
    const rwmutex = new RWMutex({ rank: 'test' });
    const dying = send('holds read lock', death, { rwmutex: rwmutex.handle() });
    await dying.inPlace;
    rwmutex.lock();
    rwmutex.unlock();
    expect(rwmutex.tryRLock()).toBe(true);
    rwmutex.rUnlock();
    await dying.exited;
    await dying.swept;
    rwmutex.dispose();
  });

  it('inside a channel main is about to use, half way through relinking its queue', async () => {
    const chan = new Chan<number>(0);
    const handle = chan.handle();
    const first = chan.recvAsync();
    const second = chan.recvAsync();
    const dying = send('inside a channel', death, { chan: handle });
    await dying.inPlace;
    await chan.sendAsync(1);
    await chan.sendAsync(2);
    expect([await first, await second]).toEqual([1, 2]);
    await dying.exited;
    await dying.swept;
    expect(arena().words[handle.block + Mon.lock]).toBe(0);
    chan.dispose();
  });

  it('inside the heap main is about to use', async () => {
    const before = new Chan<number>(1);
    before.handle();
    before.dispose();
    const dying = send('inside the heap', death, {});
    await dying.inPlace;
    const chan = new Chan<number>(1);
    chan.handle();
    await chan.sendAsync(5);
    expect(await chan.recvAsync()).toBe(5);
    await dying.exited;
    await dying.swept;
    chan.dispose();
  });

  it('in the function of a once: it counts as done', async () => {
    const once = new Once();
    const dying = send('runs a once', death, { once: once.handle() });
    await dying.inPlace;
    await once.doAsync(() => expect.unreachable());
    expect(once.isDone).toBe(true);
    await dying.exited;
    await dying.swept;
    once.dispose();
  });
});

describe('a thread dies in a queue, before main', () => {
  it('at a mutex', async () => {
    const mutex = new Mutex();
    const handle = mutex.handle();
    await mutex.lockAsync();
    const dying = send('queues for a mutex', 'exit', { mutex: handle });
    await dying.inPlace;
    const mine = mutex.lockAsync();
    expect((await dying.swept).places).toBe(1);
    mutex.unlock();
    await mine;
    mutex.unlock();
    expect(mutex.tryLock()).toBe(true);
    mutex.dispose();
  });

  it('at a mutex, with the wake-up already given to it', async () => {
    const mutex = new Mutex();
    const handle = mutex.handle();
    await mutex.lockAsync();
    const dying = send('is granted a mutex', 'exit', { mutex: handle });
    await dying.inPlace;
    const mine = mutex.lockAsync();
    mutex.unlock();
    await mine;
    mutex.unlock();
    await dying.swept;
    expect(mutex.tryLock()).toBe(true);
    mutex.dispose();
  });

  it('at a channel', async () => {
    const chan = new Chan<string>(0);
    const dying = send('queues at a channel', 'exit', { chan: chan.handle() });
    await dying.inPlace;
    const mine = chan.recvAsync();
    await dying.swept;
    await chan.sendAsync('for the living');
    expect(await mine).toBe('for the living');
    chan.dispose();
  });

  it('at a cond', async () => {
    const lock = new Mutex();
    const cond = new Cond(lock);
    const dying = send('queues at a cond', 'exit', { cond: cond.handle() });
    await dying.inPlace;
    await lock.lockAsync();
    const mine = cond.waitAsync();
    expect((await dying.swept).places).toBe(1);
    cond.signal();
    await mine;
    cond.dispose();
  });
});

it('a dead thread leaves no slot, no place and no pending work behind', async () => {
  const chan = new Chan<string>(0);
  const handle = chan.handle();
  const die = async (): Promise<number> => {
    const dying = send('queues at a channel', 'exit', { chan: handle });
    await dying.inPlace;
    const mine = chan.recvAsync();
    const { slot } = await dying.swept;
    await dying.exited;
    await chan.sendAsync('x');
    expect(await mine).toBe('x');
    return slot;
  };
  const slot = await die();
  await settled();
  const before = arena().liveBlocks;
  for (let i = 0; i < 3; i++) expect(await die()).toBe(slot);
  await settled();
  // Each round leaves its hand-shake's wait group, which nobody disposes, and nothing else.
  expect(arena().liveBlocks - before).toBe(3);
  chan.dispose();
});

it('does not keep a program alive', async () => {
  const module = new URL('../../src/check/sentinel.js', import.meta.url).href;
  const program = `const { Sentinel } = await import('${module}'); (await Sentinel.start()).lifeline();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
});
