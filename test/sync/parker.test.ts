import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Chan, RECEIVERS } from '../../src/sync/chan.js';
import { fromHandle } from '../../src/sync/handle.js';
import { Thread, threadAt } from '../../src/sync/layout.js';
import { Code } from '../../src/sync/park.js';
import { parker } from '../../src/sync/parker.js';

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
