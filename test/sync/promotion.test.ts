// Taking a handle moves a primitive into shared memory with everything in it: values, sleepers, their order, and
// what was decided for a sleeper that has not run yet.

import { describe, expect, test } from 'vitest';
import {
  Chan,
  Cond,
  Mutex,
  Once,
  OnceFunc,
  RWMutex,
  WaitGroup,
  arena,
  recvFrom,
  selectAsync,
  sendTo,
  settled,
} from '../../src/sync/index.js';

/** Notes the order in which promises come to an end. */
class Log {
  readonly lines: string[] = [];

  note(name: string, work: Promise<unknown>): void {
    work.then(
      (value) => this.lines.push(value === undefined ? name : `${name}=${JSON.stringify(value)}`),
      (error: { code?: string }) => this.lines.push(`${name}!${error.code}`),
    );
  }
}

describe('with sleepers', () => {
  test('a mutex keeps its line', async () => {
    const log = new Log();
    const mutex = new Mutex();
    await mutex.lockAsync();
    for (const name of ['a', 'b', 'c']) log.note(name, mutex.lockAsync());
    const twin = Mutex.attach(mutex.handle());
    expect(twin.tryLock()).toBe(false);
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      twin.unlock();
      await settled();
      expect(log.lines).toEqual(expected);
    }
    mutex.unlock();
    expect(twin.tryLock()).toBe(true);
    mutex.dispose();
  });

  test('a mutex that was just unlocked still goes to the sleeper', async () => {
    const log = new Log();
    const mutex = new Mutex();
    await mutex.lockAsync();
    log.note('a', mutex.lockAsync());
    mutex.unlock();
    const twin = Mutex.attach(mutex.handle());
    await settled();
    expect(log.lines).toEqual(['a']);
    expect(twin.tryLock()).toBe(false);
    twin.unlock();
    mutex.dispose();
  });

  test('an rwmutex keeps readers, the pending writer and the readers behind it', async () => {
    const log = new Log();
    const rw = new RWMutex();
    await rw.rLockAsync();
    log.note('writer', rw.lockAsync());
    log.note('reader', rw.rLockAsync());
    const twin = RWMutex.attach(rw.handle());
    expect(twin.tryRLock()).toBe(false);
    twin.rUnlock();
    await settled();
    expect(log.lines).toEqual(['writer']);
    rw.unlock();
    await settled();
    expect(log.lines).toEqual(['writer', 'reader']);
    twin.rUnlock();
    rw.dispose();
  });

  test('a wait group keeps its counter and its waiters', async () => {
    const log = new Log();
    const group = new WaitGroup();
    group.add(2);
    log.note('waiter', group.waitAsync());
    const twin = WaitGroup.attach(group.handle());
    twin.done();
    await settled();
    expect(log.lines).toEqual([]);
    twin.done();
    await settled();
    expect(log.lines).toEqual(['waiter']);
    group.dispose();
  });

  test('a cond keeps its line', async () => {
    const log = new Log();
    const mutex = new Mutex();
    const cond = new Cond(mutex);
    for (const name of ['a', 'b']) {
      await mutex.lockAsync();
      log.note(
        name,
        cond.waitAsync().then(() => mutex.unlock()),
      );
    }
    const twin = Cond.attach(cond.handle(), mutex);
    twin.signal();
    await settled();
    expect(log.lines).toEqual(['a']);
    twin.broadcast();
    await settled();
    expect(log.lines).toEqual(['a', 'b']);
    cond.dispose();
  });

  test('a once that is running keeps those who wait for it', async () => {
    const log = new Log();
    const once = new Once();
    const gate = new Chan<void>();
    log.note(
      'runner',
      once.doAsync(() => gate.recvAsync()),
    );
    log.note(
      'waiter',
      once.doAsync(() => expect.unreachable()),
    );
    const twin = Once.attach(once.handle());
    log.note(
      'twin',
      twin.doAsync(() => expect.unreachable()),
    );
    await settled();
    expect(log.lines).toEqual([]);
    gate.close();
    await settled();
    expect(log.lines.sort()).toEqual(['runner', 'twin', 'waiter']);
    expect(twin.isDone).toBe(true);
    once.dispose();
  });

  test('a once function that is running tells its value to both forms', async () => {
    const gate = new Chan<void>();
    const fn = new OnceFunc(async () => {
      await gate.recvAsync();
      return { answer: 42 };
    });
    const first = fn.callAsync();
    const twin = OnceFunc.attach<{ answer: number }>(fn.handle(), () => expect.unreachable());
    gate.close();
    expect(await first).toEqual({ answer: 42 });
    expect(await twin.callAsync()).toEqual({ answer: 42 });
    fn.dispose();
  });

  test('a channel keeps what is in it, and its senders in order', async () => {
    const log = new Log();
    const ch = new Chan<unknown>(2);
    for (const v of [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]) log.note('sent', ch.sendAsync(v));
    await settled();
    const twin = Chan.attach<unknown>(ch.handle());
    expect(twin.len).toBe(2);
    expect(log.lines).toEqual(['sent', 'sent']);
    for (const n of [1, 2, 3, 4]) expect(twin.tryRecv()).toEqual({ value: { n }, ok: true });
    await settled();
    expect(log.lines).toHaveLength(4);
    ch.dispose();
  });

  test('a channel keeps its receivers in order', async () => {
    const log = new Log();
    const ch = new Chan<number>(0, { elem: 'number' });
    for (const name of ['a', 'b', 'c']) log.note(name, ch.recvAsync());
    const twin = Chan.attach<number>(ch.handle());
    for (const v of [1, 2, 3]) expect(twin.trySend(v)).toBe(true);
    expect(twin.trySend(4)).toBe(false);
    await settled();
    expect(log.lines).toEqual(['a=1', 'b=2', 'c=3']);
    ch.dispose();
  });

  test('a select stands at channels of both kinds and is fired by either', async () => {
    for (const fired of ['local', 'shared']) {
      const log = new Log();
      const local = new Chan<string>();
      const shared = new Chan<string>();
      log.note('select', selectAsync([recvFrom(local), recvFrom(shared)]));
      const twin = Chan.attach<string>(shared.handle());
      expect((fired === 'local' ? local : twin).trySend('x')).toBe(true);
      await settled();
      const index = fired === 'local' ? 0 : 1;
      expect(log.lines).toEqual([`select={"index":${index},"value":"x","ok":true}`]);
      expect(local.trySend('y') || twin.trySend('y')).toBe(false);
      shared.dispose();
    }
  });
});

describe('between the decision and the run', () => {
  test('a value handed to a receiver arrives as it was sent', async () => {
    const log = new Log();
    const ch = new Chan<unknown>();
    log.note('got', ch.recvAsync());
    expect(ch.trySend({ by: 'reference' })).toBe(true);
    ch.handle();
    await settled();
    expect(log.lines).toEqual(['got={"by":"reference"}']);
    ch.dispose();
  });

  test('a value handed to a select arrives as it was sent', async () => {
    const log = new Log();
    const ch = new Chan<unknown>();
    log.note('got', selectAsync([recvFrom(ch)]));
    expect(ch.trySend(7)).toBe(true);
    ch.handle();
    await settled();
    expect(log.lines).toEqual(['got={"index":0,"value":7,"ok":true}']);
    ch.dispose();
  });

  test('a sender that met a close frees nothing that is not its own', async () => {
    const log = new Log();
    const { maxValueBytes, liveBlocks } = arena();
    const ch = new Chan<unknown>();
    // As an address this is the header's.
    for (const v of [1, 2, 3, 4, 5]) log.note('sent', ch.sendAsync(v));
    ch.close();
    ch.handle();
    await settled();
    expect(log.lines).toEqual(Array.from({ length: 5 }, () => 'sent!ERR_SEND_ON_CLOSED'));
    ch.dispose();
    expect(arena().maxValueBytes).toBe(maxValueBytes);
    expect(arena().liveBlocks).toBe(liveBlocks);
  });

  test('a select that lost a send frees the payload made for it, and nothing else', async () => {
    const { maxValueBytes } = arena();
    const losing = new Chan<unknown>();
    const winning = new Chan<unknown>();
    // The first round leaves this thread with the places it keeps for reuse.
    let live = 0;
    for (let round = 0; round < 6; round++) {
      const selected = selectAsync([sendTo(losing, round), recvFrom(winning)]);
      losing.handle();
      expect(winning.trySend('x')).toBe(true);
      expect(await selected).toEqual({ index: 1, value: 'x', ok: true });
      if (round === 0) live = arena().liveBlocks;
    }
    expect(arena().liveBlocks).toBe(live);
    expect(arena().maxValueBytes).toBe(maxValueBytes);
    losing.dispose();
  });
});

test('a channel that cannot be shared stays as it was', async () => {
  const log = new Log();
  const ch = new Chan<unknown>(1);
  const { liveBlocks } = arena();
  log.note(
    'plain',
    ch.sendAsync(() => 'a function'),
  );
  log.note('waits', ch.sendAsync('more'));
  await settled();
  expect(() => ch.handle()).toThrow(expect.objectContaining({ code: 'ERR_NOT_SERIALIZABLE' }) as Error);
  expect(arena().liveBlocks).toBe(liveBlocks);
  expect((ch.tryRecv()?.value as () => string)()).toBe('a function');
  expect(ch.tryRecv()).toEqual({ value: 'more', ok: true });
  await settled();
  expect(log.lines).toEqual(['plain', 'waits']);
  // What stood in the way is gone.
  const twin = Chan.attach<unknown>(ch.handle());
  expect(twin.trySend('now')).toBe(true);
  ch.dispose();
});
