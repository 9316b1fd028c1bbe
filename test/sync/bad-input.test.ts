// Wrong use is the error Go has, or a typed one where Go has none, and nothing else is disturbed: the object it
// happened to goes on as Go's would, and so does everything beside it.

import { describe, expect, test } from 'vitest';
import {
  Chan,
  Cond,
  GoFatal,
  GoPanic,
  Mutex,
  Once,
  OnceFunc,
  RWMutex,
  SyncError,
  WaitGroup,
  arena,
  openArena,
  recvFrom,
  selectAsync,
  sendTo,
  settled,
} from '../../src/sync/index.js';

type Sharing = 'local' | 'shared';
const SHARING: readonly Sharing[] = ['local', 'shared'];

/** The object itself, or an attachment of it once it is shared. */
function as<T extends { handle(): unknown }>(sharing: Sharing, object: T, attach: (handle: never) => T): T {
  return sharing === 'local' ? object : attach(object.handle() as never);
}

function thrown(work: () => unknown): Error & { code: string } {
  try {
    work();
  } catch (error) {
    return error as Error & { code: string };
  }
  throw new Error('nothing was thrown');
}

describe('making', () => {
  test.each([-1, -0.5, 1.5, NaN, Infinity, -Infinity, 2 ** 32, '3', null, {}])('a channel of %s', (cap) => {
    const error = thrown(() => new Chan(cap as number));
    expect(error).toBeInstanceOf(GoPanic);
    expect(error).toMatchObject({ code: 'ERR_MAKECHAN_SIZE', message: 'makechan: size out of range' });
  });

  test('a second arena', () => {
    arena();
    expect(thrown(() => openArena())).toMatchObject({ code: 'ERR_ARENA_OPEN' });
  });
});

describe.each(SHARING)('misuse, %s', (sharing) => {
  test('unlock of an unlocked mutex', async () => {
    const mutex = as(sharing, new Mutex(), (handle) => Mutex.attach(handle));
    const error = thrown(() => mutex.unlock());
    expect(error).toBeInstanceOf(GoFatal);
    expect(error).toMatchObject({
      code: 'ERR_UNLOCK_OF_UNLOCKED',
      message: 'sync: unlock of unlocked mutex',
    });
    await mutex.lockAsync();
    expect(mutex.tryLock()).toBe(false);
    mutex.unlock();
    expect(thrown(() => mutex.unlock()).code).toBe('ERR_UNLOCK_OF_UNLOCKED');
    mutex.dispose();
  });

  test('unlock and rUnlock of an rwmutex that is not held that way', async () => {
    const rw = as(sharing, new RWMutex(), (handle) => RWMutex.attach(handle));
    expect(thrown(() => rw.unlock())).toMatchObject({
      code: 'ERR_RW_UNLOCK_OF_UNLOCKED',
      message: 'sync: Unlock of unlocked RWMutex',
    });
    expect(thrown(() => rw.rUnlock())).toMatchObject({
      code: 'ERR_RUNLOCK_OF_UNLOCKED',
      message: 'sync: RUnlock of unlocked RWMutex',
    });
    await rw.rLockAsync();
    expect(thrown(() => rw.unlock()).code).toBe('ERR_RW_UNLOCK_OF_UNLOCKED');
    expect(rw.tryRLock()).toBe(true);
    rw.rUnlock();
    rw.rUnlock();
    await rw.lockAsync();
    expect(thrown(() => rw.rUnlock()).code).toBe('ERR_RUNLOCK_OF_UNLOCKED');
    expect(rw.tryRLock()).toBe(false);
    rw.unlock();
    expect(rw.tryLock()).toBe(true);
    rw.dispose();
  });

  test('send on closed and close of closed, with values left in the channel', async () => {
    const ch = as(sharing, new Chan<string>(2), (handle) => Chan.attach<string>(handle));
    ch.trySend('kept');
    ch.close();
    const closed = { code: 'ERR_SEND_ON_CLOSED', message: 'send on closed channel' };
    expect(thrown(() => ch.trySend('x'))).toMatchObject(closed);
    await expect(ch.sendAsync('x')).rejects.toMatchObject(closed);
    await expect(selectAsync([sendTo(ch, 'x')])).rejects.toMatchObject(closed);
    expect(thrown(() => ch.close())).toMatchObject({
      code: 'ERR_CLOSE_OF_CLOSED',
      message: 'close of closed channel',
    });
    expect(ch.tryRecv()).toEqual({ value: 'kept', ok: true });
    expect(ch.tryRecv()).toEqual({ value: undefined, ok: false });
    ch.dispose();
  });

  test('a wait group below zero stays there until it is brought back', async () => {
    const group = as(sharing, new WaitGroup(), (handle) => WaitGroup.attach(handle));
    const negative = { code: 'ERR_NEGATIVE_WAITGROUP', message: 'sync: negative WaitGroup counter' };
    expect(thrown(() => group.done())).toMatchObject(negative);
    expect(thrown(() => group.add(-1))).toMatchObject(negative);
    expect(thrown(() => group.add(1))).toMatchObject(negative);
    let released = false;
    const waiting = group.waitAsync().then(() => (released = true));
    await settled();
    expect(released).toBe(false);
    group.add(1);
    await waiting;
    group.dispose();
  });

  test.each([NaN, 0.5, Infinity, '1', undefined, null])('a wait group is not added %s to', async (delta) => {
    const group = as(sharing, new WaitGroup(), (handle) => WaitGroup.attach(handle));
    group.add(1);
    let released = false;
    const waiting = group.waitAsync().then(() => (released = true));
    expect(thrown(() => group.add(delta as number))).toMatchObject({ code: 'ERR_BAD_DELTA' });
    await settled();
    expect(released).toBe(false);
    group.done();
    await waiting;
    group.dispose();
  });

  test('a cond wait without its lock leaves no place in line', async () => {
    const mutex = as(sharing, new Mutex(), (handle) => Mutex.attach(handle));
    const cond = as(sharing, new Cond(mutex), (handle) => Cond.attach(handle, mutex));
    await expect(cond.waitAsync()).rejects.toMatchObject({ code: 'ERR_UNLOCK_OF_UNLOCKED' });
    await mutex.lockAsync();
    const waiting = cond.waitAsync();
    cond.signal();
    await waiting;
    mutex.unlock();
    cond.dispose();
    mutex.dispose();
  });

  test('a copied cond', () => {
    const cond = as(sharing, new Cond(new Mutex()), (handle) => Cond.attach(handle, new Mutex()));
    const copy = Object.create(cond) as Cond;
    expect(thrown(() => copy.signal())).toMatchObject({
      code: 'ERR_COND_COPIED',
      message: 'sync.Cond is copied',
    });
    cond.signal();
    cond.dispose();
  });
});

describe('the nil channel', () => {
  test('closes with a panic and does nothing else', async () => {
    const ch = Chan.attach<number>(Chan.nil<number>().handle());
    expect(thrown(() => ch.close())).toMatchObject({
      code: 'ERR_CLOSE_OF_NIL',
      message: 'close of nil channel',
    });
    expect([ch.len, ch.cap, ch.isNil, ch.isClosed]).toEqual([0, 0, true, false]);
    expect([ch.trySend(1), ch.tryRecv()]).toEqual([false, undefined]);
    let ended = false;
    void ch.recvAsync().then(() => (ended = true));
    void ch.sendAsync(1).then(() => (ended = true));
    await settled();
    expect(ended).toBe(false);
    ch.dispose();
  });
});

describe('a number channel between threads takes numbers', () => {
  test.each([1n, 'x', undefined, {}, Symbol('s')])('not %s', async (value) => {
    const ch = new Chan<unknown>(1, { elem: 'number' });
    ch.handle();
    const waiting = selectAsync([recvFrom(ch)]);
    expect(thrown(() => ch.trySend(value))).toMatchObject({ code: 'ERR_NOT_SERIALIZABLE' });
    await expect(ch.sendAsync(value)).rejects.toMatchObject({ code: 'ERR_NOT_SERIALIZABLE' });
    expect(ch.trySend(5)).toBe(true);
    expect(await waiting).toEqual({ index: 0, value: 5, ok: true });
    ch.dispose();
  });

  test('and is not shared with something else in it', () => {
    const ch = new Chan<unknown>(1, { elem: 'number' });
    ch.trySend('x');
    expect(thrown(() => ch.handle())).toMatchObject({ code: 'ERR_NOT_SERIALIZABLE' });
    expect(ch.tryRecv()).toEqual({ value: 'x', ok: true });
  });
});

describe('attach of what is not a handle', () => {
  const attachers: readonly (readonly [string, (handle: never) => { dispose(): void }, () => object])[] = [
    ['mutex', (handle) => Mutex.attach(handle), () => new Mutex().handle()],
    ['rwmutex', (handle) => RWMutex.attach(handle), () => new RWMutex().handle()],
    ['waitGroup', (handle) => WaitGroup.attach(handle), () => new WaitGroup().handle()],
    ['once', (handle) => Once.attach(handle), () => new Once().handle()],
    ['cond', (handle) => Cond.attach(handle, new Mutex()), () => new Cond(new Mutex()).handle()],
    ['chan', (handle) => Chan.attach(handle), () => new Chan(1).handle()],
  ];

  test.each(attachers)('%s', (kind, attach, make) => {
    const good = make() as { block: number; generation: number; memory: SharedArrayBuffer };
    const foreign = (handle: unknown): void => {
      const error = thrown(() => attach(handle as never));
      expect(error).toBeInstanceOf(SyncError);
      expect(error.code).toBe('ERR_FOREIGN_HANDLE');
    };
    for (const nothing of [null, undefined, 0, 7, '', 'mutex', true, Symbol('s'), () => 0, [], {}])
      foreign(nothing);
    for (const [other, , makeOther] of attachers) {
      if (other === kind) continue;
      foreign(makeOther());
      foreign({ ...makeOther(), podloom: kind });
    }
    for (const block of [0, -1, 1.5, NaN, 2 ** 31, 2 ** 40, '16', null, undefined, good.block + 4, 100])
      foreign({ ...good, block });
    for (const memory of [null, undefined, new ArrayBuffer(64), new SharedArrayBuffer(64), {}])
      foreign({ ...good, memory });
    const lookalike = new SharedArrayBuffer(good.memory.byteLength);
    foreign({ ...good, memory: lookalike });
    // Another arena altogether: all but its identity is ours.
    new Uint8Array(lookalike).set(new Uint8Array(good.memory, 0, 64));
    new Int32Array(lookalike)[11] ^= 1;
    foreign({ ...good, memory: lookalike });

    for (const generation of [good.generation - 1, good.generation + 1, NaN, null, undefined])
      expect(thrown(() => attach({ ...good, generation } as never)).code).toBe('ERR_STALE_HANDLE');
    attach(good as never).dispose();
    expect(thrown(() => attach(good as never)).code).toBe('ERR_STALE_HANDLE');
    // The generation the block has while it is free was never given out.
    const next = { ...good, generation: good.generation + 1 };
    expect(thrown(() => attach(next as never)).code).toBe('ERR_STALE_HANDLE');
  });
});

test('a once function whose value cannot travel says so to the others, and keeps it here', async () => {
  const secret = (): number => 1;
  const fn = new OnceFunc(() => secret);
  const twin = OnceFunc.attach<unknown>(fn.handle(), () => expect.unreachable());
  expect(await fn.callAsync()).toBe(secret);
  await expect(twin.callAsync()).rejects.toMatchObject({ code: 'ERR_NOT_SERIALIZABLE' });
  fn.dispose();
});
