/**
 * A thread that gets itself into a given place and dies there, once somebody waits for what it has.
 *
 * It dies without cleaning up after itself (`departure.leave = null`) unless told otherwise, so that only the
 * sentinel can help.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { holdLifeline } from '../../src/check/sentinel.js';
import { Chan, type ChanHandle } from '../../src/sync/chan.js';
import { Cond, type CondHandle } from '../../src/sync/cond.js';
import { Header, Mon, MutexWord, RWMutexWord } from '../../src/sync/layout.js';
import { Mutex, type MutexHandle } from '../../src/sync/mutex.js';
import { WAITERS } from '../../src/sync/mutex-word.js';
import { Once, type OnceHandle } from '../../src/sync/once.js';
import { departure, parker } from '../../src/sync/parker.js';
import { rawLock } from '../../src/sync/raw-lock.js';
import '../../src/sync/sweep.js';
import { RWMutex, type RWMutexHandle } from '../../src/sync/rwmutex.js';
import { PENDING, WAITERS as RW_WAITERS } from '../../src/sync/rwmutex-word.js';
import { WaitGroup, type WaitGroupHandle } from '../../src/sync/wait-group.js';

export interface Orders {
  readonly line: MessagePort;
  readonly scenario: string;
  readonly death: 'throw' | 'exit' | 'oom' | 'orderly-exit';
  readonly here: WaitGroupHandle;
  readonly mutex?: MutexHandle;
  readonly rwmutex?: RWMutexHandle;
  readonly chan?: ChanHandle;
  readonly cond?: CondHandle;
  readonly once?: OnceHandle;
}

const orders = workerData as Orders;
holdLifeline(orders.line);
if (orders.death !== 'orderly-exit') departure.leave = null;
const { words, slot } = parker();
const here = WaitGroup.attach(orders.here);

function die(): void {
  if (orders.death === 'throw') throw new Error('dying on purpose');
  if (orders.death !== 'oom') process.exit(7);
  // Small objects: a limit reached by one large allocation may take the whole process along.
  let hoard: object = {};
  for (;;) hoard = { hoard };
}

function dieOnce(condition: () => boolean): void {
  here.done();
  while (!condition());
  die();
}

const has = (word: number, bit: number) => (): boolean => (Atomics.load(words, word) & bit) !== 0;
const CONTENDED = 0x1_0000;

const scenarios: Record<string, () => void | Promise<void>> = {
  'holds ranked mutex': () => {
    const handle = orders.mutex as MutexHandle;
    Mutex.attach(handle).lock();
    dieOnce(has(handle.block + Mon.words + MutexWord.state, WAITERS));
  },
  'holds write lock': () => {
    const handle = orders.rwmutex as RWMutexHandle;
    RWMutex.attach(handle).lock();
    dieOnce(has(handle.block + Mon.words + RWMutexWord.state, RW_WAITERS));
  },
  'holds read lock': () => {
    const handle = orders.rwmutex as RWMutexHandle;
    RWMutex.attach(handle).rLock();
    dieOnce(has(handle.block + Mon.words + RWMutexWord.state, PENDING));
  },
  'inside a channel': () => {
    const { block } = orders.chan as ChanHandle;
    rawLock(words, block + Mon.lock, slot);
    // As if it died while it relinked the queue.
    words.fill(0, block + Mon.queues, block + Mon.words);
    dieOnce(has(block + Mon.lock, CONTENDED));
  },
  'inside the heap': () => {
    rawLock(words, Header.lock, slot);
    words[Header.free + 1] = 0;
    dieOnce(has(Header.lock, CONTENDED));
  },
  'runs a once': () => {
    Once.attach(orders.once as OnceHandle).do(() =>
      dieOnce(() => words[(orders.once as OnceHandle).block + Mon.queues] !== 0),
    );
  },
  'queues for a mutex': async () => {
    void Mutex.attach(orders.mutex as MutexHandle).lockAsync();
    await Promise.resolve();
    dieOnce(
      () =>
        words[(orders.mutex as MutexHandle).block + Mon.queues] !==
        words[(orders.mutex as MutexHandle).block + Mon.queues + 1],
    );
  },
  'is granted a mutex': () => {
    const { block } = orders.mutex as MutexHandle;
    void Mutex.attach(orders.mutex as MutexHandle).lockAsync();
    // Unlocked by main: our place is taken out of the queue and the wake-up is ours, but we never run.
    here.done();
    while ((Atomics.load(words, block + Mon.words) & 1) !== 0);
    die();
  },
  'queues at a channel': () => {
    const { block } = orders.chan as ChanHandle;
    void Chan.attach(orders.chan as ChanHandle).recvAsync();
    dieOnce(() => words[block + Mon.queues] !== words[block + Mon.queues + 1]);
  },
  'queues at a cond': () => {
    const lock = new Mutex();
    lock.tryLock();
    void Cond.attach(orders.cond as CondHandle, lock).waitAsync();
    dieOnce(() => true);
  },
};

void scenarios[orders.scenario]();
