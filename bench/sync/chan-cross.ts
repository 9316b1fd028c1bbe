/**
 * Channels between two threads, as many messages as will go: one thread sends all the time, the other receives
 * and is timed. Blocking threads use the plain forms, hosts of goroutines the asynchronous ones.
 */
import { Chan, type ChanHandle, type ChanOptions, go } from '../../src/sync/index.js';
import { type Effort, type Loop, measure, perSecond, summarize } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';
import { SAMPLE } from './chan-same.js';

const VALUES = { void: undefined, number: 7, any: SAMPLE } as const;
type Elem = keyof typeof VALUES;
type Form = 'blocking' | 'async';

interface Side {
  readonly chan: ChanHandle;
  readonly form: Form;
  readonly elem: Elem;
  /** Raised by the receiver when it has seen enough. */
  readonly stop: SharedArrayBuffer;
  readonly effort: Effort;
}

export async function sender({ chan: handle, form, elem, stop }: Side): Promise<void> {
  const chan = Chan.attach<unknown>(handle);
  const words = new Int32Array(stop);
  const value = VALUES[elem];
  if (form === 'blocking') {
    while (Atomics.load(words, 0) === 0) chan.send(value);
    chan.close();
    return;
  }
  await new Promise<void>((ended) =>
    go(async () => {
      while (Atomics.load(words, 0) === 0) await chan.sendAsync(value);
      chan.close();
      ended();
    }),
  );
}

export async function receiver({ chan: handle, form, stop, effort }: Side): Promise<number[]> {
  const chan = Chan.attach<unknown>(handle);
  const blocking: Loop = (times) => {
    for (let i = 0; i < times; i++) chan.recv();
  };
  const asynchronous: Loop = async (times) => {
    for (let i = 0; i < times; i++) await chan.recvAsync();
  };
  const { ns } = await measure({ ns: form === 'blocking' ? blocking : asynchronous }, effort);
  Atomics.store(new Int32Array(stop), 0, 1);
  if (form === 'blocking') while (chan.recv2().ok);
  else while ((await chan.recv2Async()).ok);
  return ns;
}

async function throughput(effort: Effort, elem: Elem, capacity: number, form: Form): Promise<number[]> {
  const options: ChanOptions = { elem };
  using chan = new Chan<unknown>(capacity, options);
  const side: Side = { chan: chan.handle(), form, elem, stop: new SharedArrayBuffer(64), effort };
  const [ns] = await Promise.all([
    onThread<number[]>(import.meta.url, 'receiver', side),
    onThread<void>(import.meta.url, 'sender', side),
  ]);
  return perSecond(ns);
}

function bench(name: string, elem: Elem, capacity: number, form: Form): Bench {
  return {
    names: [name],
    run: async (effort) => [
      summarize(name, await throughput(effort, elem, capacity, form), 'ops/s', { capacity }),
    ],
  };
}

export const crossThread: readonly Bench[] = [
  bench('sync.chan.void.cross-thread.blocking', 'void', 1, 'blocking'),
  bench('sync.chan.void.cross-thread.async', 'void', 1, 'async'),
  bench('sync.chan.number.cross-thread.blocking', 'number', 64, 'blocking'),
  bench('sync.chan.number.cross-thread.async', 'number', 64, 'async'),
  bench('sync.chan.object.cross-thread.blocking', 'any', 64, 'blocking'),
  bench('sync.chan.object.cross-thread.async', 'any', 64, 'async'),
];
