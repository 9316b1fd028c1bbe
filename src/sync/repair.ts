/**
 * How each primitive gets back to its invariants after a thread died at it. Under the monitor's lock; called by
 * the sweep, after the queues are sound again and hold no place of the dead thread.
 */
import {
  ChanWord,
  Elem,
  Kind,
  Mon,
  MutexWord,
  Node,
  NodeState,
  OnceWord,
  RWMutexWord,
  WaitGroupWord,
} from './layout.js';
import { Chan, RECEIVERS, SENDERS } from './chan.js';
import type { Claimed } from './monitor.js';
import type { SharedMonitor } from './shared-monitor.js';
import {
  ABANDONED,
  LOCKED,
  OWNER_SHIFT,
  WAITERS,
  WOKEN,
  lockedRelease,
  lockedWakeNext,
} from './mutex-word.js';
import { lockedComplete } from './once.js';
import { Code } from './park.js';
import { OWNER, WRITING, lockedAdmit, lockedWriterLeaves, readersIn } from './rwmutex-word.js';

/** What the death of a thread means for one primitive. */
export interface Loss {
  readonly dead: number;
  /** It died inside the primitive's raw lock. */
  readonly seized: boolean;
  /** Sleeps of the dead thread that were over, but not seen by it: what they ended with passes on. */
  readonly granted: { readonly code: number; readonly queue: number }[];
  /** Sleeps of others that the dead thread ended. */
  readonly decided: { readonly code: number; readonly queue: number; readonly thread: number }[];
  /** Its read holds of a ranked RWMutex. */
  readonly readHolds: number;
}

export interface Repaired {
  readonly woken: readonly Claimed[];
  /** A ranked lock was held: the next holder is told. */
  readonly abandoned: boolean;
}

export function repair(monitor: SharedMonitor, loss: Loss, nodes: readonly number[]): Repaired {
  switch (monitor.words[monitor.block + Mon.kind]) {
    case Kind.mutex:
      return repairMutex(monitor, loss, nodes);
    case Kind.rwmutex:
      return repairRWMutex(monitor, loss);
    case Kind.waitGroup:
      return {
        woken: monitor.words[monitor.at + WaitGroupWord.counter] === 0 ? drain(monitor, 0, Code.granted) : [],
        abandoned: false,
      };
    case Kind.once:
      return repairOnce(monitor, loss);
    case Kind.cond:
      return { woken: loss.granted.flatMap(() => signalOne(monitor)), abandoned: false };
    case Kind.chan:
      return { woken: repairChan(monitor), abandoned: false };
    default:
      return { woken: [], abandoned: false };
  }
}

function repairMutex(monitor: SharedMonitor, loss: Loss, nodes: readonly number[]): Repaired {
  const { words } = monitor;
  const state = monitor.at + MutexWord.state;
  const owner = Atomics.load(words, state) >> OWNER_SHIFT;
  const ranked = owner !== 0;
  const woken: Claimed[] = [];
  let abandoned = false;
  if (loss.seized) {
    const onTheWay = nodes.some((node) => {
      const decided = (Atomics.load(words, node + Node.state) & 0xff) === NodeState.ready;
      return words[node + Node.home] !== 0 && decided && words[node + Node.code] === Code.compete;
    });
    if (onTheWay) Atomics.or(words, state, WOKEN);
    else Atomics.and(words, state, ~WOKEN);
  }
  if (loss.granted.some(({ code }) => code === Code.compete)) Atomics.and(words, state, ~WOKEN);
  if (monitor.isEmpty(0)) Atomics.and(words, state, ~WAITERS);
  else Atomics.or(words, state, WAITERS);

  const handedOn = loss.decided.find(({ code }) => code === Code.granted);
  const grantedUnseen = loss.granted.some(({ code }) => code === Code.granted);
  if (handedOn !== undefined && owner === loss.dead) {
    // It had handed the lock over and died before the word said so.
    const flags = Atomics.load(words, state) & ((1 << OWNER_SHIFT) - 1);
    Atomics.store(words, state, flags | (handedOn.thread << OWNER_SHIFT));
  } else if (owner === loss.dead || (!ranked && grantedUnseen)) {
    abandoned = ranked && !grantedUnseen;
    if (abandoned) Atomics.or(words, state, ABANDONED);
    push(woken, lockedRelease(monitor, ranked));
  }
  if ((Atomics.load(words, state) & LOCKED) === 0) push(woken, lockedWakeNext(monitor));
  return { woken, abandoned };
}

function repairRWMutex(monitor: SharedMonitor, loss: Loss): Repaired {
  const { words } = monitor;
  const state = monitor.at + RWMutexWord.state;
  if (loss.seized) finishGrants(monitor, loss);
  const seen = Atomics.load(words, state);
  const woken: Claimed[] = [];
  let abandoned = false;
  const unseenReaders = loss.granted.filter(({ code, queue }) => code === Code.granted && queue === 0).length;
  const unseenWriter = loss.granted.some(({ code, queue }) => code === Code.granted && queue === 1);
  const held = (seen & WRITING) !== 0 && (seen & OWNER) === loss.dead;
  if (held || ((seen & WRITING) !== 0 && unseenWriter)) {
    abandoned = held && !unseenWriter;
    if (abandoned) Atomics.store(words, monitor.at + RWMutexWord.abandoned, 1);
    woken.push(...lockedWriterLeaves(monitor));
  }
  const gone = Math.min(unseenReaders + loss.readHolds, readersIn(Atomics.load(words, state)));
  if (gone > 0) Atomics.sub(words, state, gone);
  woken.push(...lockedAdmit(monitor));
  return { woken, abandoned };
}

/** The dead thread had let others in and died before the word said so. */
function finishGrants(monitor: SharedMonitor, loss: Loss): void {
  const { words, at } = monitor;
  const state = at + RWMutexWord.state;
  const granted = loss.decided.filter(({ code }) => code === Code.granted);
  const writer = granted.find(({ queue }) => queue === 1);
  const seen = Atomics.load(words, state);
  if (writer !== undefined) {
    const owner = words[at + RWMutexWord.ranked] === 0 ? 0 : writer.thread;
    Atomics.store(words, state, WRITING | owner);
  } else if (granted.length > 0 && (seen & WRITING) !== 0) {
    Atomics.store(words, state, granted.length);
  }
}

function repairOnce(monitor: SharedMonitor, loss: Loss): Repaired {
  const { words, at } = monitor;
  const running = words[at + OnceWord.state] === 1 && words[at + OnceWord.runner] === loss.dead;
  // As after a panic: it counts as done. A OnceFunc has no outcome then, and says so.
  if (running) return { woken: lockedComplete(monitor), abandoned: true };
  return { woken: words[at + OnceWord.state] === 2 ? drain(monitor, 0, Code.granted) : [], abandoned: false };
}

function repairChan(monitor: SharedMonitor): Claimed[] {
  const { words, at } = monitor;
  const chan = Chan.over<unknown>(monitor);
  const woken: Claimed[] = [];
  if (words[at + ChanWord.closed] !== 0) {
    return [...drain(monitor, RECEIVERS, Code.closed), ...drain(monitor, SENDERS, Code.closed)];
  }
  // A ring's values may be waited for, and room in it may be waited for: serve both until neither can move.
  for (;;) {
    if (
      words[at + ChanWord.elem] !== Elem.void &&
      words[at + ChanWord.cap] > 0 &&
      words[at + ChanWord.ring] === 0
    )
      break;
    const before = woken.length;
    if (chan.len > 0 && !monitor.isEmpty(RECEIVERS)) push(woken, chan.lockedServe());
    if (chan.len < words[at + ChanWord.cap] && !monitor.isEmpty(SENDERS)) {
      chan.lockedRefill();
      push(woken, chan.takeDecided());
    }
    if (woken.length === before) break;
  }
  return woken;
}

function drain(monitor: SharedMonitor, queue: number, code: number): Claimed[] {
  const woken: Claimed[] = [];
  for (let place = monitor.dequeue(queue); place !== null; place = monitor.dequeue(queue)) {
    place.grant(code);
    woken.push(place);
  }
  return woken;
}

function signalOne(monitor: SharedMonitor): Claimed[] {
  const place = monitor.dequeue(0);
  if (place === null) return [];
  place.grant(Code.granted);
  return [place];
}

function push(list: Claimed[], place: Claimed | null): void {
  if (place !== null) list.push(place);
}
