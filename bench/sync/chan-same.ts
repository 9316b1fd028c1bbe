/**
 * Channels within one thread: a signal or a value that is sent and received.
 *
 * `local` was never shared, `shared` lives in the arena as it would for another thread. `parked`: the receiver
 * sleeps first, so that the send has to wake it; the await is part of what is measured.
 */
import { Chan } from '../../src/sync/index.js';
import { type Effort, type Loop, measure, summarize } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench, Result } from '../result.js';

const SIGNAL_GOAL_NS = 500;

/** About what a status update says, without the containers. */
export const SAMPLE = {
  uid: '4f1c9a2e-7b1d-4a5e-9f53-2c0a6d7e8b91',
  phase: 'Running',
  version: 7,
  ready: true,
};

function tryLoop<T>(chan: Chan<T>, value: T): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) {
      chan.trySend(value);
      chan.tryRecv();
    }
  };
}

function parkedLoop<T>(chan: Chan<T>, value: T): Loop {
  return async (times) => {
    for (let i = 0; i < times; i++) {
      const received = chan.recvAsync();
      chan.trySend(value);
      await received;
    }
  };
}

function shared<T>(chan: Chan<T>): Chan<T> {
  chan.handle();
  return chan;
}

const signals = (): Chan<void> => new Chan<void>(1, { elem: 'void' });
const numbers = (): Chan<number> => new Chan<number>(16, { elem: 'number' });
const objects = (): Chan<object> => new Chan<object>(16);

export function onOneThread(effort: Effort): Promise<Record<string, number[]>> {
  return measure(
    {
      void: tryLoop(signals(), undefined),
      voidShared: tryLoop(shared(signals()), undefined),
      voidParked: parkedLoop(signals(), undefined),
      voidSharedParked: parkedLoop(shared(signals()), undefined),
      number: tryLoop(numbers(), 7),
      numberShared: tryLoop(shared(numbers()), 7),
      object: tryLoop(objects(), SAMPLE),
      objectShared: tryLoop(shared(objects()), SAMPLE),
    },
    effort,
  );
}

function goal(result: Result): Result {
  return { ...result, goal: `≤ ${SIGNAL_GOAL_NS} ns`, ok: result.value <= SIGNAL_GOAL_NS };
}

export const sameThread: Bench = {
  names: [
    'sync.chan.void.same-thread',
    'sync.chan.void.same-thread.shared',
    'sync.chan.void.same-thread.parked',
    'sync.chan.void.same-thread.shared-parked',
    'sync.chan.number.local',
    'sync.chan.number.shared',
    'sync.chan.object.local',
    'sync.chan.object.shared',
  ],
  async run(effort) {
    const ns = await onThread<Record<string, number[]>>(import.meta.url, 'onOneThread', effort);
    return [
      goal(summarize('sync.chan.void.same-thread', ns.void)),
      goal(summarize('sync.chan.void.same-thread.shared', ns.voidShared)),
      goal(summarize('sync.chan.void.same-thread.parked', ns.voidParked)),
      summarize('sync.chan.void.same-thread.shared-parked', ns.voidSharedParked),
      summarize('sync.chan.number.local', ns.number),
      summarize('sync.chan.number.shared', ns.numberShared),
      summarize('sync.chan.object.local', ns.object),
      summarize('sync.chan.object.shared', ns.objectShared),
    ];
  },
};
