import '../support/without-checks.js';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Chan, RECEIVERS } from '../../src/sync/chan.js';
import { fromHandle } from '../../src/sync/handle.js';
import { Mon, Thread, threadAt } from '../../src/sync/layout.js';
import { Mutex, background, cancelHandle, settled, withCancel } from '../../src/sync/index.js';
import { Code } from '../../src/sync/park.js';
import { parker } from '../../src/sync/parker.js';
import type { SleepData } from './fixtures/sleep-blocking.js';
import type { BriefData } from './fixtures/sleep-brief.js';

async function until(claim: () => boolean): Promise<void> {
  while (!claim()) await nextTurn();
}

test('a thread that looks up between the decision and the wake-up sleeps on until the wake-up', async () => {
  using chan = new Chan<number>(0, { elem: 'number' });
  const counter = new SharedArrayBuffer(8);
  const received = new Int32Array(counter);
  const handle = chan.handle();
  const worker = new Worker(new URL('./fixtures/count-receives.js', import.meta.url), {
    workerData: { chan: handle, counter },
  });
  const ended = once(worker, 'exit');
  const monitor = fromHandle('chan', handle);
  await until(() => !monitor.isEmpty(RECEIVERS));

  // By hand what a send does, stopped where another thread's clock could stop it.
  monitor.lock();
  const receiver = monitor.dequeue(RECEIVERS);
  if (receiver === null) throw new Error('the receiver was there');
  receiver.slot = 5;
  receiver.grant(Code.granted);
  monitor.unlock();
  const mine = parker();
  const armed = threadAt(receiver.thread) + Thread.armed;
  await until(() => Atomics.load(mine.words, armed) === 1);
  mine.ring(receiver.thread);
  await until(() => Atomics.load(mine.words, armed) === 1);
  // Had it gone on, it would sleep in its second receive now, in the node we are about to push.
  expect([...received]).toEqual([0, 0]);
  expect(monitor.isEmpty(RECEIVERS)).toBe(true);

  receiver.wake();
  await until(() => !monitor.isEmpty(RECEIVERS));
  expect(chan.trySend(7)).toBe(true);
  expect(await ended).toEqual([0]);
  expect([...received]).toEqual([2, 12]);
});

function sleeper(tree?: SleepData['tree']): { worker: Worker; died: Promise<never>; slot: () => number } {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const workerData: SleepData = { words, tree };
  const worker = new Worker(new URL('./fixtures/sleep-blocking.js', import.meta.url), { workerData });
  const died = once(worker, 'error').then(([error]) => {
    throw error;
  });
  died.catch(() => undefined);
  return { worker, died, slot: () => Atomics.load(words, 0) };
}

test('a thread blocked at the nil channel sleeps for ever while other threads live', async () => {
  const { words } = parker();
  const { worker, died, slot } = sleeper();
  const isAsleep = () => slot() !== 0 && Atomics.load(words, threadAt(slot()) + Thread.armed) === 1;
  await Promise.race([until(isAsleep), died]);
  expect(await worker.terminate()).toBe(1);
});

test('what a blocking thread does for a watch of its own is settled when it sleeps', async () => {
  const [parent] = withCancel(background());
  using then = new Chan<number>(0, { elem: 'number' });
  const tree = { parent: parent.handle(), cancel: cancelHandle(parent), then: then.handle() };
  const { worker, died } = sleeper(tree);
  expect(await Promise.race([then.recvAsync(), died])).toBe(1);
  await settled();
  expect(parent.isDone).toBe(true);
  await worker.terminate();
  parent.dispose();
});

test('nothing of the user runs while a thread sleeps for a ranked lock', async () => {
  const { words } = parker();
  const mutex = new Mutex({ rank: 'test' });
  const [ctx, cancel] = withCancel(background());
  const slot = new Int32Array(new SharedArrayBuffer(4));
  mutex.lock();
  const handle = mutex.handle();
  const workerData: BriefData = { slot, lock: handle, ctx: ctx.handle() };
  const worker = new Worker(new URL('./fixtures/sleep-brief.js', import.meta.url), { workerData });
  const seen = once(worker, 'message');
  // Held across these awaits on purpose, so not checked.
  const isAsleep = () => {
    const record = threadAt(Atomics.load(slot, 0));
    const isQueued = words[handle.block + Mon.queues] !== 0;
    return isQueued && words[record + Thread.ready] === 0 && Atomics.load(words, record + Thread.armed) === 1;
  };
  await until(isAsleep);
  cancel();
  await until(isAsleep);
  mutex.unlock();
  expect(await seen).toEqual([['locked', 'abort']]);
  mutex.dispose();
  ctx.dispose();
});
