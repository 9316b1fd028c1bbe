/** What threads do for blocking.test.ts. */
import {
  Chan,
  type ChanHandle,
  Cond,
  Mutex,
  type MutexHandle,
  Once,
  RWMutex,
  WaitGroup,
} from '../../src/sync/index.js';
import { arena, go, openDedicated, recvFrom, select } from '../../src/sync/index.js';
import { Mon } from '../../src/sync/layout.js';
import { STARVING } from '../../src/sync/mutex-word.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** What each blocking form says here, on primitives that would not make it wait. */
export function blockingForms(): Record<string, string> {
  const full = new Chan<number>(1);
  full.trySend(1);
  const mutex = new Mutex();
  const rw = new RWMutex();
  const lCond = new Mutex();
  return {
    lock: codeOf(() => mutex.lock()),
    guard: codeOf(() => new Mutex().guard().release()),
    wLock: codeOf(() => rw.lock()),
    rLock: codeOf(() => new RWMutex().rLock()),
    wait: codeOf(() => new WaitGroup().wait()),
    do: codeOf(() => new Once().do(() => undefined)),
    recv: codeOf(() => full.recv()),
    send: codeOf(() => new Chan<number>(1).send(1)),
    select: codeOf(() => select([recvFrom(closed())])),
    // On an unlocked L it fails before it sleeps.
    condWait: codeOf(() => new Cond(lCond).wait()),
  };
}

function closed(): Chan<number> {
  const ch = new Chan<number>();
  ch.close();
  return ch;
}

/** The same at each stage of a thread's life. */
export async function stages(): Promise<Record<string, string>[]> {
  const fresh = blockingForms();
  go(() => undefined);
  await turn();
  const hosting = blockingForms();
  openDedicated();
  return [fresh, hosting, blockingForms()];
}

/** From here on unlock hands the mutex over to the first sleeper, as after a long wait. */
function starve(handle: MutexHandle): void {
  Atomics.or(arena().words, handle.block + Mon.words, STARVING);
}

/** The thread takes a mutex that was handed to its own goroutine, which has not run; then the goroutine gets it. */
export async function takeHandOver({
  promoteLate,
  rounds,
}: {
  promoteLate: boolean;
  rounds: number;
}): Promise<string[]> {
  const mutex = new Mutex();
  const log: string[] = [];
  for (let round = 0; round < rounds; round++) {
    if (!promoteLate) mutex.handle();
    mutex.lock();
    const done = new Chan<void>(1);
    go(async () => {
      await mutex.lockAsync();
      log.push('goroutine');
      mutex.unlock();
      done.trySend();
    });
    await turn();
    starve(mutex.handle());
    mutex.unlock();
    mutex.lock();
    log.push('thread');
    mutex.unlock();
    await done.recvAsync();
  }
  mutex.dispose();
  return log;
}

/** Two goroutines and the thread want the mutex; the hand-overs to either are taken, and the order stays. */
export async function takeHandOvers(): Promise<string[]> {
  const mutex = new Mutex();
  const handle = mutex.handle();
  const log: string[] = [];
  const group = new WaitGroup();
  mutex.lock();
  for (const name of ['first', 'second']) {
    group.go(async () => {
      await mutex.lockAsync();
      log.push(name);
      mutex.unlock();
    });
    await turn();
  }
  starve(handle);
  for (let i = 0; i < 3; i++) {
    mutex.unlock();
    mutex.lock();
    log.push('thread');
  }
  mutex.unlock();
  await group.waitAsync();
  mutex.dispose();
  return log;
}

/**
 * Normal mode: main wakes our goroutine, takes the mutex back before it runs, and lets go again only when the
 * thread itself sleeps for it.
 */
export async function takeWakeUp({
  handle,
  gate,
}: {
  handle: MutexHandle;
  gate: ChanHandle;
}): Promise<string[]> {
  const mutex = Mutex.attach(handle);
  const barged = Chan.attach<void>(gate);
  const log: string[] = [];
  const done = new Chan<void>(1);
  go(async () => {
    await mutex.lockAsync();
    log.push('goroutine');
    mutex.unlock();
    done.trySend();
  });
  await turn();
  // Blocks while main unlocks (which wakes the goroutine) and locks again.
  barged.recv();
  mutex.lock();
  log.push('thread');
  mutex.unlock();
  await done.recvAsync();
  return log;
}

/** A thread that waits for what only it could bring about gets Go's error, and nothing of it is left behind. */
export async function selfDeadlock(): Promise<unknown[]> {
  const ch = new Chan<number>();
  const mutex = new Mutex();
  const rw = new RWMutex();
  mutex.lock();
  rw.rLock();
  const codes = [
    codeOf(() => ch.recv()),
    codeOf(() => ch.send(1)),
    codeOf(() => mutex.lock()),
    codeOf(() => rw.lock()),
    codeOf(() => select([recvFrom(ch)])),
  ];
  const ghosts = [ch.trySend(1), ch.tryRecv() !== undefined];
  // A second waiter is served: nobody stands in front of it.
  const order: string[] = [];
  const locked = mutex.lockAsync().then(() => order.push('lock'));
  mutex.unlock();
  await locked;
  mutex.unlock();
  const read = rw.rLockAsync().then(() => order.push('rLock'));
  rw.rUnlock();
  await read;
  rw.rUnlock();
  return [codes, ghosts, order, mutex.tryLock(), rw.tryLock()];
}
