/**
 * Where goroutines sleep. One parker a thread, one word a thread to sleep on.
 *
 * A `Park` is one sleep of one goroutine: it stands at one place (a lock, a channel) or, in a select, at
 * several. Whoever ends the sleep first *claims* the park, so that only one does; then it stores how it ended,
 * then it wakes the thread. Within a thread a wake-up is the resolution of a promise. Between threads it is a
 * push on the other thread's ready stack and, only if that thread may be asleep, a notify.
 *
 * No wake-up is lost: a waker publishes (claim, ready, stack), then bumps the wake word, then looks at `armed`;
 * a sleeper reads the wake word, then looks at what is published, then arms, then sleeps on the value it read.
 *
 * The pending count of a thread is raised by the waker before the sleeper can run, and lowered by the sleeper's
 * thread when everything the wake-up set going has come to rest: at the next turn of the event loop, or when a
 * blocking thread goes to sleep again. Sum zero = settled (goroutine.ts).
 */
import { isMainThread } from 'node:worker_threads';
import { type Arena, arena } from './arena.js';
import { EventLoopHold } from './event-loop-hold.js';
import { SyncError, asleepDeadlock, blockingNotAllowed } from './errors.js';
import {
  Header,
  MAX_THREADS,
  NODE_POOL,
  Node,
  NodeState,
  Signal,
  Thread,
  ThreadState,
  threadAt,
} from './layout.js';
import { ORPHANED, type Park } from './park.js';
import { takeSlot } from './thread-slot.js';
import { notifyAll, sleepWhile, whenNotified } from './wait.js';

/** Timers of this thread, for the time it blocks; filled by clock.ts. */
export interface TimerService {
  /** Runs what is due; ms until the next real timer, Infinity if there is none. */
  runDue(): number;
}

/** Told of sleeps, when somebody watches goroutines (goroutine.ts). */
export interface SleepWatcher {
  asleep(park: Park): void;
  awake(park: Park): void;
}

export class Parker {
  readonly arena: Arena;
  readonly words: Int32Array;
  readonly slot: number;
  readonly record: number;
  /** Which life of the slot this thread is. */
  readonly incarnation: number;
  timers: TimerService | null = null;
  watcher: SleepWatcher | null = null;
  readonly settleListeners = new Set<() => void>();
  /** Told that another thread rang for mail; they only take note, as the ring may be seen inside a blocking call. */
  readonly mailListeners = new Set<() => void>();
  /** Woken goroutines of this thread that wait for a lock and have not run yet: their grants are provisional. */
  readonly waking = new Set<Park>();

  #dedicated = false;
  #hosting = false;
  #parks: (Park | undefined)[] = [];
  #freeTokens: number[] = [];
  #freeNodes: number[] = [];
  readonly #loop = new EventLoopHold();
  #armedAsync = false;
  #owed = 0;
  #owedBlocking = 0;
  #brief = 0;
  #attended = 0;
  #tickQueued = false;

  constructor(shared: Arena) {
    this.arena = shared;
    this.words = shared.words;
    this.slot = takeSlot(shared);
    this.record = threadAt(this.slot);
    this.incarnation = this.words[this.record + Thread.incarnation];
    shared.floats[(this.record + Thread.nextDue) >> 1] = Infinity;
  }

  /** This thread may block although it hosts goroutines: they stand still meanwhile. */
  openDedicated(): void {
    if (isMainThread) {
      throw new SyncError(
        'ERR_BLOCKING_NOT_ALLOWED',
        'the main thread cannot be opened as dedicated: it must never wait for a thread',
      );
    }
    this.#dedicated = true;
  }

  /** The thread runs goroutines from now on, so blocking forms throw unless it was opened as dedicated. */
  hostGoroutines(): void {
    this.#hosting = true;
  }

  /** Throws where a blocking form must not be used, whether it would block this time or not. */
  assertMayBlock(op: string): void {
    if (this.#dedicated) return;
    if (isMainThread) throw blockingNotAllowed(op, 'the main thread');
    if (this.#hosting) throw blockingNotAllowed(op, 'a thread that hosts goroutines');
  }

  // --- places ------------------------------------------------------------------------------------------------

  /** A node for one place of `park`; the first one becomes its primary. */
  allocNode(park: Park): number {
    const words = this.words;
    const node = this.#freeNodes.pop() ?? this.arena.alloc(NODE_POOL, this.slot);
    if (park.node === 0) {
      park.node = node;
      park.token = this.#freeTokens.pop() ?? this.#parks.length;
      this.#parks[park.token] = park;
      words[node + Node.code] = 0;
      words[node + Node.winner] = 0;
      Atomics.store(words, node + Node.state, NodeState.waiting);
    }
    words[node + Node.thread] = this.slot;
    words[node + Node.token] = park.token;
    words[node + Node.primary] = park.node;
    return node;
  }

  /** Makes sure of `count` nodes, so that taking places under several locks cannot fail. */
  reserveNodes(count: number): void {
    while (this.#freeNodes.length < count) this.#freeNodes.push(this.arena.alloc(NODE_POOL, this.slot));
  }

  /** The sleep is over and no queue knows the node any more. */
  freeNode(node: number): void {
    this.words[node + Node.home] = 0;
    this.#freeNodes.push(node);
  }

  /** All nodes of the park are free. */
  freePark(park: Park): void {
    this.#parks[park.token] = undefined;
    this.#freeTokens.push(park.token);
    if (park.onWake !== null) this.#attended--;
    park.node = 0;
  }

  // --- sleeping ----------------------------------------------------------------------------------------------

  sleep(park: Park): Promise<void> {
    // A goroutine that was put back may be granted the lock again before it gets here.
    if (park.resumed) return Promise.resolve();
    this.watcher?.asleep(park);
    const woken = new Promise<void>((resolve) => (park.resolve = resolve));
    if (park.node !== 0) this.keepAlive(park);
    return woken;
  }

  /** The park stands at something shared: another thread may end it, so the event loop has to stay. */
  keepAlive(park: Park): void {
    if (park.keepsAlive) return;
    park.keepsAlive = true;
    this.hold();
    if (!this.#armedAsync) this.#arm();
  }

  /** The event loop has to stay, until unhold(). */
  hold(): void {
    this.#loop.take();
  }

  unhold(): void {
    this.#loop.release();
  }

  /**
   * The park stands at something shared for no goroutine: `onWake` is called when somebody ends it, also while
   * the thread blocks. It does not keep the event loop alive.
   */
  attend(park: Park, onWake: () => void): void {
    park.onWake = onWake;
    this.#attended++;
    this.listen();
  }

  /**
   * Puts the whole thread to sleep until the wake-up arrives. That the outcome stands in the node is not enough:
   * the waker has yet to push that node, which must not be in use for the next sleep by then. `rescue` is asked
   * before each sleep whether the matter is settled in another way; true: it is, and the park is to be forgotten.
   */
  block(park: Park, rescue?: () => boolean): boolean {
    const { words, record } = this;
    park.blocking = true;
    if (park.isBrief) this.#brief++;
    this.watcher?.asleep(park);
    for (;;) {
      const seen = Atomics.load(words, record + Thread.wake);
      this.drain();
      if (park.resumed) break;
      if (rescue !== undefined && rescue()) {
        if (park.isBrief) this.#brief--;
        this.watcher?.awake(park);
        return true;
      }
      const delay = park.isBrief ? Infinity : (this.timers?.runDue() ?? Infinity);
      if (park.resumed) break;
      // The nil channel and the empty select stand nowhere, and are meant to wait for ever.
      const isLocal = park.node === 0 && park.places.length > 0;
      if (isLocal && delay === Infinity && !this.#somebodyElseCanWake()) {
        this.watcher?.awake(park);
        for (const place of park.places) place.withdraw();
        throw asleepDeadlock();
      }
      this.#settleBlocking();
      Atomics.store(words, record + Thread.armed, 1);
      sleepWhile(words, record + Thread.wake, seen, delay);
    }
    if (park.isBrief) this.#brief--;
    this.watcher?.awake(park);
    return false;
  }

  /** The lock moved: whoever was woken for it and has not run is to be found at the new place. */
  rehome(from: object, to: object): void {
    for (const park of this.waking) if (park.home === from) park.home = to;
  }

  /** A goroutine of this thread that was woken for the lock `home` and has not run yet. */
  wakingAt(home: object): Park | null {
    for (const park of this.waking) if (sameHome(park.home, home)) return park;
    return null;
  }

  codeOf(park: Park): number {
    return park.fired ? park.code : this.words[park.node + Node.code];
  }

  /** A local park can only be ended by this thread: by a fake timer, or by what it does when an attended park ends. */
  #somebodyElseCanWake(): boolean {
    return this.#attended > 0 || this.arena.floats[(this.record + Thread.nextDue) >> 1] !== Infinity;
  }

  // --- waking ------------------------------------------------------------------------------------------------

  /** The park of this thread has its outcome: let its goroutine run. */
  wakeLocal(park: Park): void {
    this.raise(this.slot);
    this.#resume(park);
  }

  /** The node has its outcome: let its goroutine run, wherever it is. Its pending count was raised before. */
  wakeNode(node: number): void {
    const words = this.words;
    const target = words[node + Node.thread];
    if (target === this.slot) {
      const park = this.#parks[words[node + Node.token]];
      if (park !== undefined) this.#resume(park);
      return;
    }
    const record = threadAt(target);
    let head: number;
    do {
      head = Atomics.load(words, record + Thread.ready);
      words[node + Node.stacked] = head;
    } while (Atomics.compareExchange(words, record + Thread.ready, head, node) !== head);
    this.ring(target);
  }

  /** Wakes a thread to look at what was published for it. */
  ring(target: number): void {
    const record = threadAt(target);
    Atomics.add(this.words, record + Thread.wake, 1);
    if (Atomics.exchange(this.words, record + Thread.armed, 0) === 1)
      notifyAll(this.words, record + Thread.wake);
  }

  signal(target: number, bits: number): void {
    Atomics.or(this.words, threadAt(target) + Thread.signals, bits);
    this.ring(target);
  }

  /** signal() for what is work to the target: counted once, however often it is told before it looks. */
  assign(target: number, bits: number): void {
    this.raise(target);
    const before = Atomics.or(this.words, threadAt(target) + Thread.signals, bits);
    if ((before & bits) === bits) this.#lower(1, target);
    this.ring(target);
  }

  /** Counts work for a thread before that thread can see it. */
  raise(target: number): void {
    Atomics.add(this.words, Header.runVersion, 1);
    Atomics.add(this.words, threadAt(target) + Thread.pending, 1);
  }

  /** One raised unit has started to run here; it counts until the event loop turns. */
  owe(): void {
    this.#owed++;
    this.#queueTick();
  }

  /**
   * The same for work that is over once this code is: inside a blocking call, or where wake-ups are looked at. It
   * counts until the thread sleeps, too: a thread that blocks again and again never turns its event loop.
   */
  oweBlocking(): void {
    this.#owedBlocking++;
    this.#queueTick();
  }

  /** Here and now, but not while the thread sleeps for a ranked lock: then as soon as it has gone on. */
  #runSoon(work: () => void): void {
    if (this.#brief > 0) {
      this.owe();
      queueMicrotask(work);
    } else {
      this.oweBlocking();
      work();
    }
  }

  #queueTick(): void {
    if (this.#tickQueued) return;
    this.#tickQueued = true;
    setImmediate(this.#tick);
  }

  #tick = (): void => {
    this.#tickQueued = false;
    const owed = this.#owed + this.#owedBlocking;
    this.#owed = this.#owedBlocking = 0;
    this.#lower(owed);
  };

  /** About to sleep: what blocking calls had to do is done. Goroutines of this thread still wait to run. */
  #settleBlocking(): void {
    const owed = this.#owedBlocking;
    if (owed === 0) return;
    this.#owedBlocking = 0;
    this.#lower(owed);
  }

  #lower(owed: number, target = this.slot): void {
    if (owed === 0) return;
    const left = Atomics.sub(this.words, threadAt(target) + Thread.pending, owed) - owed;
    if (left === 0 && Atomics.load(this.words, Header.settlers) > 0) this.#announceSettled();
  }

  #announceSettled(): void {
    for (let slot = 1; slot <= MAX_THREADS; slot++) {
      if (Atomics.load(this.words, threadAt(slot) + Thread.state) === ThreadState.alive) {
        this.signal(slot, Signal.settled);
      }
    }
  }

  /** Keeps a wait armed, so that rings of other threads are seen although nothing is parked. */
  listen(): void {
    if (!this.#armedAsync) this.#arm();
  }

  /** Takes everything other threads have published for this one. */
  drain(): void {
    const words = this.words;
    const signals = Atomics.exchange(words, this.record + Thread.signals, 0);
    let node = Atomics.exchange(words, this.record + Thread.ready, 0);
    if (node !== 0) {
      // The stack has the newest on top; wake in the order it was filled.
      let previous = 0;
      while (node !== 0) {
        const next = words[node + Node.stacked];
        words[node + Node.stacked] = previous;
        previous = node;
        node = next;
      }
      node = previous;
      while (node !== 0) {
        const next = words[node + Node.stacked];
        const park = this.#parks[words[node + Node.token]];
        if (park !== undefined) this.#resume(park);
        node = next;
      }
    }
    if (signals !== 0) this.#onSignals(signals);
  }

  #onSignals(signals: number): void {
    if ((signals & Signal.rescan) !== 0) this.#rescan();
    if ((signals & Signal.mail) !== 0) for (const listener of this.mailListeners) listener();
    if ((signals & Signal.timers) !== 0) {
      this.#runSoon(() => void this.timers?.runDue());
    }
    if ((signals & Signal.settled) !== 0) for (const listener of [...this.settleListeners]) listener();
  }

  /** A thread died that had decided a sleep of ours and may not have told us; the sweep marked such nodes. */
  #rescan(): void {
    for (const park of this.#parks) {
      if (park !== undefined && Atomics.load(this.words, park.node + Node.state) === ORPHANED)
        this.#resume(park);
    }
  }

  #resume(park: Park): void {
    if (park.resumed) return;
    park.resumed = true;
    if (park.blocking) {
      this.oweBlocking();
      return;
    }
    if (park.onWake !== null) {
      this.#runSoon(park.onWake);
      return;
    }
    this.owe();
    if (park.home !== null) this.waking.add(park);
    if (park.keepsAlive) this.unhold();
    this.watcher?.awake(park);
    park.resolve?.();
  }

  #arm(): void {
    const { words, record } = this;
    for (;;) {
      const seen = Atomics.load(words, record + Thread.wake);
      this.drain();
      // What drain() ran may have armed already, and there must never be two waits.
      if (this.#armedAsync) return;
      Atomics.store(words, record + Thread.armed, 1);
      const notified = whenNotified(words, record + Thread.wake, seen);
      if (notified !== null) {
        this.#armedAsync = true;
        void notified.then(this.#onNotified);
        return;
      }
    }
  }

  #onNotified = (): void => {
    this.#armedAsync = false;
    this.#arm();
  };
}

/** Two attachments of one shared lock are two objects with one block. */
function sameHome(a: object | null, b: object): boolean {
  if (a === b) return true;
  const blockA = (a as { block?: number } | null)?.block ?? 0;
  return blockA !== 0 && blockA === (b as { block?: number }).block;
}

let mine: Parker | null = null;

/** What a thread does when it ends in an orderly way; filled by sweep.ts. */
export const departure: { leave: ((mine: Parker) => void) | null } = { leave: null };

/** This thread's parker; made, and the thread registered, at first use. */
export function parker(): Parker {
  return mine ?? join();
}

function join(): Parker {
  const joined = (mine = new Parker(arena()));
  if (!isMainThread) process.once('exit', () => departure.leave?.(joined));
  return joined;
}

/** The parker if this thread has one: what only looks must not register it. */
export function parkerIfAny(): Parker | null {
  return mine;
}
