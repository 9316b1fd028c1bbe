// A thread that takes and gives back locks as it is told, under the checks it inherited.

import { parentPort, workerData } from 'node:worker_threads';
import {
  type Moment,
  LockViolation,
  checks,
  checksAreInherited,
  enableChecks,
} from '../../../src/check/index.js';
import {
  Chan,
  type ChanHandle,
  Mutex,
  type MutexHandle,
  RWMutex,
  type RWMutexHandle,
  WaitGroup,
  type WaitGroupHandle,
} from '../../../src/sync/index.js';

export type Step =
  | readonly ['lock' | 'unlock' | 'rLock' | 'rUnlock' | 'tryLock', MutexHandle | RWMutexHandle]
  /** Says that it is here, then blocks until the gate opens. */
  | readonly ['wait', ChanHandle]
  /** Blocks until all threads that were counted are here. */
  | readonly ['meet', WaitGroupHandle]
  | readonly ['on?'];

export interface LockerData {
  /** How the thread gets its checks: by itself, or from an --import, if at all. */
  readonly by: 'enableChecks' | 'import';
}

export interface Outcome {
  readonly code: string;
  readonly message: string;
  readonly moments: readonly Moment[];
}

/** `waiting` comes before a wait; then the outcome of all steps: nothing, or what stopped them. */
export type Reply = 'waiting' | 'on' | 'off' | 'done' | Outcome;

const port = parentPort;
if (port === null) throw new Error('not a worker');

if ((workerData as LockerData).by === 'enableChecks') {
  if (!checksAreInherited()) throw new Error('nothing to inherit');
  enableChecks();
}

/** Stopped in the middle: what was taken is given back, so that the next test finds it free. */
function giveBack(steps: readonly Step[]): void {
  for (const [op, handle] of steps.toReversed()) {
    if (op === 'lock' || op === 'tryLock') attach(handle).unlock();
    if (op === 'rLock') (attach(handle) as RWMutex).rUnlock();
  }
}

function attach(handle: MutexHandle | RWMutexHandle): Mutex | RWMutex {
  return handle.podloom === 'mutex' ? Mutex.attach(handle) : RWMutex.attach(handle);
}

function take(step: Step): void {
  switch (step[0]) {
    case 'wait':
      port?.postMessage('waiting' satisfies Reply);
      Chan.attach(step[1]).recv();
      return;
    case 'meet': {
      const all = WaitGroup.attach(step[1]);
      all.done();
      all.wait();
      return;
    }
    case 'on?':
      port?.postMessage((checks() === null ? 'off' : 'on') satisfies Reply);
      return;
    case 'rLock':
    case 'rUnlock':
      (attach(step[1]) as RWMutex)[step[0]]();
      return;
    default:
      attach(step[1])[step[0]]();
  }
}

function run(steps: readonly Step[]): Reply {
  let done = 0;
  try {
    for (; done < steps.length; done++) take(steps[done]);
    return 'done';
  } catch (error) {
    if (!(error instanceof LockViolation)) throw error;
    giveBack(steps.slice(0, done));
    const { code, message, moments } = error;
    return { code, message, moments };
  }
}

port.on('message', (steps: readonly Step[]) => port.postMessage(run(steps)));
