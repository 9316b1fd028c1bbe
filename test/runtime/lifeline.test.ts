import { type MessagePort, Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { hostOf, startLogged } from './fixture.js';

test('the life line of each thread closes when the thread ends, and is told with its slot', async () => {
  const lines: { slot: number; isClosed: boolean; closed: Promise<void> }[] = [];
  const { supervisor, after } = await startLogged({
    lifeline: (port, slot) => {
      // The thread says on it who it is; the close stands behind that.
      port.on('message', () => undefined);
      const closed = new Promise<void>((resolve) => port.once('close', resolve));
      const line = { slot, isClosed: false, closed };
      void closed.then(() => (line.isClosed = true));
      lines.push(line);
    },
  });
  const first = hostOf(supervisor);
  expect(lines).toMatchObject([{ slot: first.slot, isClosed: false }]);
  first.kill();
  const second = await after(first);
  await lines[0].closed;
  expect(lines).toMatchObject([
    { slot: first.slot, isClosed: true },
    { slot: second.slot, isClosed: false },
  ]);
  await supervisor.stop();
  await lines[1].closed;
});

test('a life line moved to another thread tells that thread while main is blocked', async () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const sentinel = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const words = new Int32Array(workerData);
     parentPort.on('message', ({ port, slot }) => {
       port.on('message', () => undefined);
       port.on('close', () => { Atomics.store(words, 0, slot); Atomics.notify(words, 0); });
       parentPort.postMessage('watching');
     });`,
    { eval: true, workerData: words.buffer },
  );
  const watching = new Promise((resolve) => sentinel.once('message', resolve));
  const { supervisor } = await startLogged({
    lifeline: (port: MessagePort, slot) => {
      if (Atomics.load(words, 0) === 0) sentinel.postMessage({ port, slot }, [port]);
    },
  });
  const host = hostOf(supervisor);
  await watching;
  const death = host.fault({ kind: 'exit', code: 0 });
  // The control call needs main to be sent, not to be answered.
  expect(Atomics.wait(words, 0, 0, 60_000)).not.toBe('timed-out');
  expect(Atomics.load(words, 0)).toBe(host.slot);
  await death;
  await supervisor.stop();
  await sentinel.terminate();
});
