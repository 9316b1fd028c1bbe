/**
 * After a thread has died: nobody may wait for it, and nothing it held may stay held.
 *
 * The sweep runs on another thread (the sentinel's), which knows the dead one's slot. A thread can die between
 * any two stores, so the sweep trusts only what is committed by one store and rebuilds the rest from it:
 * - who holds a raw lock or a ranked lock stands in the lock's word;
 * - a queue's links are rebuilt from its places' tickets if the dead thread was inside the queue's lock;
 * - a sleep that the dead thread claimed but did not decide goes back to waiting; one it decided but did not
 *   announce is announced;
 * - what the dead thread itself waited for it no longer waits for; what was granted to it passes on.
 * Then each primitive is brought back to its own invariants (`repair`), and the dead thread's private blocks and
 * its slot are freed.
 *
 * Not recovered, because nobody can know: an unranked lock whose holder died (it has no owner, as Go's), and a
 * value a channel had already handed to the dead thread.
 */
import {
  Block,
  HEAP_START,
  Header,
  Kind,
  MONITOR_POOL,
  MAX_THREADS,
  Mon,
  NODE_POOL,
  Node,
  NodeState,
  POOLS,
} from './layout.js';
import { ChanWord, Elem, Signal, Thread, ThreadState, threadAt } from './layout.js';
import { type Claimed } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { Code, ORPHANED } from './park.js';
import { type Parker, departure, parker } from './parker.js';
import { rawLockSeize, rawLockWithin, rawUnlock } from './raw-lock.js';
import { type Loss, repair } from './repair.js';

/** How long the sweep waits for a live thread's raw lock before it comes back later. */
const PATIENCE_MS = 50;

export interface SweepResult {
  /** Ranked locks the thread held, by block address. */
  readonly abandoned: number;
  /** Places in queues it stood at. */
  readonly places: number;
  /** True: some lock could not be had in time (another thread died?); sweep again. */
  readonly again: boolean;
}

/** Everything at one primitive that the death concerns. */
interface Affair {
  readonly block: number;
  /** Every place at the primitive, of any thread. */
  readonly nodes: number[];
}

/** Sweeps after the thread that had slot `dead` in its `incarnation`-th life; nothing if that is over already. */
export function sweep(dead: number, incarnation: number): SweepResult {
  const mine = parker();
  const { words } = mine;
  const record = threadAt(dead);
  const gone = Atomics.load(words, record + Thread.state) === ThreadState.free;
  if (gone || words[record + Thread.incarnation] !== incarnation)
    return { abandoned: 0, places: 0, again: false };
  seizeHeap(mine, dead);
  Atomics.store(words, record + Thread.state, ThreadState.dead);
  const affairs = findAffairs(words, dead);
  let abandoned = 0;
  let places = 0;
  let again = false;
  for (const affair of affairs) {
    const done = settleAffair(mine, dead, affair);
    if (done === null) {
      again = true;
      continue;
    }
    abandoned += done.abandoned ? 1 : 0;
    places += done.places;
  }
  if (!again) bury(mine, dead);
  return { abandoned, places, again };
}

/** The heap's lock may be the dead thread's; then its lists are rebuilt from the blocks. */
function seizeHeap(mine: Parker, dead: number): void {
  const { words } = mine;
  if (!rawLockSeize(words, Header.lock, mine.slot, dead)) return;
  for (let pool = 0; pool < POOLS.length; pool++) words[Header.free + pool] = 0;
  let live = 0;
  for (const block of mine.arena.blocks()) {
    if (words[block + Block.owner] !== 0) {
      live++;
      continue;
    }
    const head = Header.free + words[block + Block.pool];
    words[block + Block.link] = words[head];
    words[head] = block;
  }
  words[Header.live] = live;
  rawUnlock(words, Header.lock);
}

function findAffairs(words: Int32Array, dead: number): Affair[] {
  const affairs = new Map<number, Affair>();
  const concerned = new Set<number>();
  const end = Atomics.load(words, Header.bump);
  for (let at = HEAP_START; at < end; at += POOLS[words[at + Block.pool]]) {
    const pool = words[at + Block.pool];
    if (words[at + Block.owner] === 0) continue;
    if (pool === MONITOR_POOL && (words[at + Mon.lock] & 0xffff) === dead) concerned.add(at);
    if (pool === MONITOR_POOL && holdsRanked(words, at, dead)) concerned.add(at);
    if (pool !== NODE_POOL) continue;
    const home = words[at + Node.home];
    if (home === 0) continue;
    let affair = affairs.get(home);
    if (affair === undefined) affairs.set(home, (affair = { block: home, nodes: [] }));
    affair.nodes.push(at);
    const state = Atomics.load(words, words[at + Node.primary] + Node.state);
    if (words[at + Node.thread] === dead || (state !== 0 && state >>> 8 === dead)) concerned.add(home);
  }
  const record = threadAt(dead);
  for (let i = 0; i < words[record + Thread.heldCount]; i++) {
    const held = words[record + Thread.held + i];
    if (held !== 0) concerned.add(held);
  }
  return [...concerned].map((block) => affairs.get(block) ?? { block, nodes: [] });
}

function holdsRanked(words: Int32Array, block: number, dead: number): boolean {
  const kind = words[block + Mon.kind];
  const state = Atomics.load(words, block + Mon.words);
  if (kind === Kind.mutex) return state >> 8 === dead;
  if (kind === Kind.rwmutex) return (state & (1 << 30)) !== 0 && (state & 0xffff) === dead;
  return kind === Kind.once && state === 1 && words[block + Mon.words + 1] === dead;
}

function settleAffair(
  mine: Parker,
  dead: number,
  affair: Affair,
): { abandoned: boolean; places: number } | null {
  const { words } = mine;
  const { block, nodes } = affair;
  const lock = block + Mon.lock;
  const seized = rawLockSeize(words, lock, mine.slot, dead);
  if (!seized && !rawLockWithin(words, lock, mine.slot, PATIENCE_MS)) return null;
  const monitor = new SharedMonitor(block, mine.arena.generation(block));
  const loss: Loss = { dead, seized, granted: [], decided: [], readHolds: readHoldsOf(words, dead, block) };
  let places = 0;
  if (seized) forgetLinks(words, block, nodes);
  for (const node of nodes) {
    const primary = words[node + Node.primary];
    const state = Atomics.load(words, primary + Node.state);
    if (words[node + Node.thread] === dead) {
      places++;
      monitor.unlink(node);
      const ready = (state & 0xff) === NodeState.ready && words[primary + Node.winner] === node;
      if (ready)
        loss.granted.push({ code: words[primary + Node.code], queue: words[node + Node.homeQueue] - 1 });
      if (ready) dropHandedValue(mine, monitor, node);
      words[node + Node.home] = 0;
      continue;
    }
    if (state >>> 8 === dead && state !== ORPHANED) {
      if ((state & 0xff) === NodeState.claimed)
        Atomics.compareExchange(words, primary + Node.state, state, NodeState.waiting);
      else if (words[primary + Node.winner] === node) {
        loss.decided.push({
          code: words[primary + Node.code],
          queue: words[node + Node.homeQueue] - 1,
          thread: words[node + Node.thread],
        });
        Atomics.compareExchange(words, primary + Node.state, state, ORPHANED);
        mine.signal(words[node + Node.thread], Signal.rescan);
      }
    }
    const waits = Atomics.load(words, primary + Node.state) === NodeState.waiting;
    if (waits && words[node + Node.queue] === 0) monitor.link(node);
  }
  const { woken, abandoned } = repair(monitor, loss, nodes);
  monitor.unlock();
  for (const place of woken as Claimed[]) place.wake();
  return { abandoned, places };
}

/** The dead thread was inside the queues: only tickets can be trusted. */
function forgetLinks(words: Int32Array, block: number, nodes: readonly number[]): void {
  words.fill(0, block + Mon.queues, block + Mon.words);
  for (const node of nodes) words[node + Node.queue] = 0;
}

function readHoldsOf(words: Int32Array, dead: number, block: number): number {
  const record = threadAt(dead);
  let holds = 0;
  for (let i = 0; i < words[record + Thread.heldCount]; i++) {
    if (words[record + Thread.held + i] !== block) continue;
    holds++;
    words[record + Thread.held + i] = 0;
  }
  return holds;
}

/** A value was on its way to the dead thread: nobody will ever take it out of the arena. */
function dropHandedValue(mine: Parker, monitor: SharedMonitor, node: number): void {
  const { words, block, at } = monitor;
  if (words[block + Mon.kind] !== Kind.chan || words[at + ChanWord.elem] !== Elem.any) return;
  const received =
    words[node + Node.homeQueue] === 1 && words[words[node + Node.primary] + Node.code] === Code.granted;
  if (received) mine.arena.free(mine.arena.floats[(node + Node.slot) >> 1], mine.slot);
}

/** Frees what was the dead thread's alone, then its slot. */
function bury(mine: Parker, dead: number): void {
  const { words } = mine;
  const record = threadAt(dead);
  if (!rawLockWithin(words, Header.lock, mine.slot, PATIENCE_MS)) return;
  for (const block of mine.arena.blocks())
    if (words[block + Block.owner] === dead) mine.arena.lockedFree(block);
  for (const word of [
    Thread.pending,
    Thread.goroutines,
    Thread.asleep,
    Thread.timers,
    Thread.heldCount,
    Thread.ready,
  ]) {
    Atomics.store(words, record + word, 0);
  }
  mine.arena.floats[(record + Thread.nextDue) >> 1] = Infinity;
  Atomics.store(words, record + Thread.state, ThreadState.free);
  rawUnlock(words, Header.lock);
  Atomics.add(words, Header.runVersion, 1);
  if (Atomics.load(words, Header.settlers) === 0) return;
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    if (Atomics.load(words, threadAt(slot) + Thread.state) === ThreadState.alive)
      mine.signal(slot, Signal.settled);
  }
}

// A thread that ends in an orderly way sweeps after itself, with no sentinel needed.
departure.leave = (mine) => void sweep(mine.slot, mine.incarnation);
