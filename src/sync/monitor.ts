/**
 * What every primitive is made of: a few words, a lock around them, and queues of sleeping goroutines.
 *
 * There are two forms with one interface, so each primitive is written once. A local monitor belongs to one
 * thread: its lock is nothing, its queues are linked objects, values pass by reference. A shared one lives in
 * the arena: its lock is a raw lock, its queues are linked nodes, values pass as numbers (the number itself,
 * or the address of a serialized payload). A primitive starts local; `share` moves it, sleepers and all.
 *
 * Invariants, under the lock
 * - A queue holds the places of sleeping goroutines in ticket order; front() places get lower tickets.
 * - dequeue() answers only a place whose park it has claimed: places of selects that were decided elsewhere are
 *   dropped on the way, so nobody ever sees them.
 * - Wake-ups come after unlock: whoever is woken may take the lock at once.
 */
import type { Arena } from './arena.js';
import { staleHandle } from './errors.js';
import { Block, type Kind, MONITOR_POOL, Mon, Node, NodeState } from './layout.js';
import { Code, type Park, type Parker, type Place, parker } from './parker.js';
import { rawLock, rawUnlock } from './raw-lock.js';

/** A claimed place: its goroutine sleeps until wake() and only the claimer decides what it wakes to. */
export interface Claimed {
  slot: unknown;
  /** Slot of the goroutine's thread. */
  readonly thread: number;
  grant(code: number): void;
  /** After unlock. */
  wake(): void;
}

export interface Monitor {
  readonly words: Int32Array;
  /** Index of the primitive's first word in `words`. */
  readonly at: number;
  /** Block address, 0 = local. */
  readonly block: number;
  isLive(): boolean;
  lock(): void;
  unlock(): void;
  enqueue(queue: number, park: Park, index: number, slot: unknown): Place;
  /** In front of everybody: for a goroutine that was woken and lost the race. */
  enqueueFront(queue: number, park: Park): Place;
  dequeue(queue: number): Claimed | null;
  isEmpty(queue: number): boolean;
  /** Forgets it all; sleepers must have been taken out. */
  dispose(): void;
}

export const QUEUES = 2;

// --- local ---------------------------------------------------------------------------------------------------

class LocalPlace implements Place, Claimed {
  prev: LocalPlace | null = null;
  next: LocalPlace | null = null;
  queue: LocalQueue | null = null;
  readonly park: Park;
  readonly index: number;
  readonly isShared = false;
  slot: unknown;

  constructor(park: Park, index: number, slot: unknown) {
    this.park = park;
    this.index = index;
    this.slot = slot;
  }

  get thread(): number {
    return parker().slot;
  }

  withdraw(): void {
    this.queue?.unlink(this);
  }

  grant(code: number): void {
    this.park.code = code;
    this.park.winner = this;
    this.park.fired = true;
  }

  wake(): void {
    parker().wakeLocal(this.park);
  }
}

class LocalQueue {
  head: LocalPlace | null = null;
  tail: LocalPlace | null = null;

  push(place: LocalPlace): void {
    place.queue = this;
    place.prev = this.tail;
    if (this.tail === null) this.head = place;
    else this.tail.next = place;
    this.tail = place;
  }

  unshift(place: LocalPlace): void {
    place.queue = this;
    place.next = this.head;
    if (this.head === null) this.tail = place;
    else this.head.prev = place;
    this.head = place;
  }

  unlink(place: LocalPlace): void {
    if (place.prev === null) this.head = place.next;
    else place.prev.next = place.next;
    if (place.next === null) this.tail = place.prev;
    else place.next.prev = place.prev;
    place.prev = place.next = null;
    place.queue = null;
  }
}

export class LocalMonitor implements Monitor {
  readonly words: Int32Array;
  readonly at = 0;
  readonly block = 0;
  readonly queues: readonly LocalQueue[] = [new LocalQueue(), new LocalQueue()];
  #live = true;

  constructor(words: number) {
    this.words = new Int32Array(words);
  }

  isLive(): boolean {
    return this.#live;
  }

  // One thread, no await inside: nobody else can be in here.
  lock(): void {}
  unlock(): void {}

  enqueue(queue: number, park: Park, index: number, slot: unknown): Place {
    const place = new LocalPlace(park, index, slot);
    this.queues[queue].push(place);
    park.places.push(place);
    return place;
  }

  enqueueFront(queue: number, park: Park): Place {
    const place = new LocalPlace(park, 0, undefined);
    this.queues[queue].unshift(place);
    park.places.push(place);
    return place;
  }

  dequeue(queue: number): Claimed | null {
    const list = this.queues[queue];
    for (;;) {
      const place = list.head;
      if (place === null) return null;
      list.unlink(place);
      if (place.park.node === 0 ? !place.park.fired : place.park.claim(parker())) return place;
    }
  }

  isEmpty(queue: number): boolean {
    return this.queues[queue].head === null;
  }

  dispose(): void {
    this.#live = false;
  }
}

// --- shared --------------------------------------------------------------------------------------------------

class SharedPlace implements Place {
  readonly monitor: SharedMonitor;
  readonly node: number;
  readonly index: number;
  readonly isShared = true;

  constructor(monitor: SharedMonitor, node: number, index: number) {
    this.monitor = monitor;
    this.node = node;
    this.index = index;
  }

  get slot(): number {
    return this.monitor.arena.floats[(this.node + Node.slot) >> 1];
  }

  set slot(value: number) {
    this.monitor.arena.floats[(this.node + Node.slot) >> 1] = value;
  }

  withdraw(): void {
    const { monitor, node } = this;
    if (Atomics.load(monitor.words, node + Node.queue) === 0) return;
    monitor.lock();
    monitor.unlink(node);
    monitor.unlock();
  }
}

class SharedClaimed implements Claimed {
  readonly monitor: SharedMonitor;
  readonly node: number;
  readonly primary: number;

  constructor(monitor: SharedMonitor, node: number, primary: number) {
    this.monitor = monitor;
    this.node = node;
    this.primary = primary;
  }

  get thread(): number {
    return this.monitor.words[this.node + Node.thread];
  }

  get slot(): number {
    return this.monitor.arena.floats[(this.node + Node.slot) >> 1];
  }

  set slot(value: number) {
    this.monitor.arena.floats[(this.node + Node.slot) >> 1] = value;
  }

  grant(code: number): void {
    const { monitor, node, primary } = this;
    const words = monitor.words;
    words[primary + Node.code] = code;
    words[primary + Node.winner] = node;
    monitor.mine.raise(this.thread);
    Atomics.store(words, primary + Node.state, NodeState.ready | (monitor.mine.slot << 8));
  }

  wake(): void {
    this.monitor.mine.wakeNode(this.primary);
  }
}

export class SharedMonitor implements Monitor {
  readonly arena: Arena;
  readonly words: Int32Array;
  readonly block: number;
  readonly at: number;
  readonly generation: number;
  readonly mine: Parker;

  constructor(block: number, generation: number) {
    this.mine = parker();
    this.arena = this.mine.arena;
    this.words = this.arena.words;
    this.block = block;
    this.at = block + Mon.words;
    this.generation = generation;
  }

  static create(kind: Kind): SharedMonitor {
    const mine = parker();
    const block = mine.arena.alloc(MONITOR_POOL, mine.slot);
    mine.words[block + Mon.kind] = kind;
    return new SharedMonitor(block, mine.arena.generation(block));
  }

  isLive(): boolean {
    return this.words[this.block + Block.gen] === this.generation;
  }

  lock(): void {
    rawLock(this.words, this.block + Mon.lock, this.mine.slot);
  }

  unlock(): void {
    rawUnlock(this.words, this.block + Mon.lock);
  }

  enqueue(queue: number, park: Park, index: number, slot: unknown): Place {
    const node = this.#newNode(queue, park, index, slot);
    const { words, block } = this;
    words[node + Node.ticket] = words[block + Mon.back] = (words[block + Mon.back] + 1) | 0;
    this.link(node);
    const place = new SharedPlace(this, node, index);
    park.places.push(place);
    return place;
  }

  enqueueFront(queue: number, park: Park): Place {
    const node = this.#newNode(queue, park, 0, 0);
    const { words, block } = this;
    words[node + Node.ticket] = words[block + Mon.front] = (words[block + Mon.front] - 1) | 0;
    this.link(node);
    const place = new SharedPlace(this, node, 0);
    park.places.push(place);
    return place;
  }

  #newNode(queue: number, park: Park, index: number, slot: unknown): number {
    let node: number;
    try {
      node = this.mine.allocNode(park);
    } catch (error) {
      // No room for a place: the caller holds our lock and gives up.
      this.unlock();
      throw error;
    }
    const words = this.words;
    words[node + Node.home] = this.block;
    words[node + Node.homeQueue] = queue + 1;
    words[node + Node.index] = index;
    this.arena.floats[(node + Node.slot) >> 1] = slot as number;
    return node;
  }

  /** Puts the node where its ticket belongs: nearly always at an end. */
  link(node: number): void {
    const { words } = this;
    const queue = words[node + Node.homeQueue];
    const head = this.block + Mon.queues + (queue - 1) * 2;
    const ticket = words[node + Node.ticket];
    let prev = words[head + 1];
    while (prev !== 0 && ((words[prev + Node.ticket] - ticket) | 0) > 0) prev = words[prev + Node.prev];
    const next = prev === 0 ? words[head] : words[prev + Node.next];
    words[node + Node.prev] = prev;
    words[node + Node.next] = next;
    if (prev === 0) words[head] = node;
    else words[prev + Node.next] = node;
    if (next === 0) words[head + 1] = node;
    else words[next + Node.prev] = node;
    Atomics.store(words, node + Node.queue, queue);
  }

  unlink(node: number): void {
    const { words } = this;
    const queue = words[node + Node.queue];
    if (queue === 0) return;
    const head = this.block + Mon.queues + (queue - 1) * 2;
    const prev = words[node + Node.prev];
    const next = words[node + Node.next];
    if (prev === 0) words[head] = next;
    else words[prev + Node.next] = next;
    if (next === 0) words[head + 1] = prev;
    else words[next + Node.prev] = prev;
    Atomics.store(words, node + Node.queue, 0);
  }

  dequeue(queue: number): Claimed | null {
    const { words } = this;
    const head = this.block + Mon.queues + queue * 2;
    const claimed = NodeState.claimed | (this.mine.slot << 8);
    for (;;) {
      const node = words[head];
      if (node === 0) return null;
      const primary = words[node + Node.primary];
      const won =
        Atomics.compareExchange(words, primary + Node.state, NodeState.waiting, claimed) ===
        NodeState.waiting;
      this.unlink(node);
      if (won) return new SharedClaimed(this, node, primary);
    }
  }

  isEmpty(queue: number): boolean {
    return this.words[this.block + Mon.queues + queue * 2] === 0;
  }

  dispose(): void {
    this.arena.free(this.block, this.mine.slot);
  }
}

/** The sleep is over: leaves every other queue, reads what was decided, gives the nodes back. */
export function finish(park: Park): void {
  const node = park.node;
  if (node !== 0) {
    const mine = parker();
    if (!park.fired) {
      park.code = mine.words[node + Node.code];
      const winner = mine.words[node + Node.winner];
      for (const place of park.places) {
        if (place instanceof SharedPlace && place.node === winner) park.winner = place;
      }
    }
    // Without a winner (a rescued lock) even the only place is still linked.
    for (const place of park.places) if (place !== park.winner) place.withdraw();
    const slot = park.winner?.slot;
    freeNodesOf(park, mine);
    park.slot = slot;
  } else {
    for (const place of park.places) if (place !== park.winner) place.withdraw();
    park.slot = park.winner?.slot;
  }
}

/** Gives the sleep up, for a park that stands only at shared places. False: it has been ended already. */
export function abandon(park: Park): boolean {
  const mine = parker();
  if (!park.claim(mine)) return false;
  for (const place of park.places) place.withdraw();
  freeNodesOf(park, mine);
  return true;
}

function freeNodesOf(park: Park, mine: Parker): void {
  for (const place of park.places) if (place instanceof SharedPlace) mine.freeNode(place.node);
  mine.freePark(park);
}

/** Moves a local monitor into the arena: its words and everybody who sleeps at it. */
export function share(
  local: LocalMonitor,
  kind: Kind,
  encode: (slot: unknown, queue: number) => number,
): SharedMonitor {
  const sleepers = local.queues.map((list, queue) => {
    const found: { place: LocalPlace; slot: number }[] = [];
    for (let place = list.head; place !== null; place = place.next) {
      if (!place.park.isReady(parker())) found.push({ place, slot: encode(place.slot, queue) });
    }
    return found;
  });
  // After this nothing can fail half-way.
  parker().reserveNodes(sleepers.reduce((sum, found) => sum + found.length, 0));
  const shared = SharedMonitor.create(kind);
  shared.words.set(local.words, shared.at);
  sleepers.forEach((found, queue) => {
    for (const { place, slot } of found) {
      const { park } = place;
      park.places.splice(park.places.indexOf(place), 1);
      shared.enqueue(queue, park, place.index, slot);
      if (park.home === local) park.home = shared;
      if (park.resolve !== null) shared.mine.keepAlive(park);
    }
  });
  shared.mine.rehome(local, shared);
  local.dispose();
  shared.arena.publish(shared.block);
  return shared;
}

/** Locks a monitor that another thread may dispose at any time. */
export function lockLive(monitor: Monitor, what: string): void {
  monitor.lock();
  if (monitor.isLive()) return;
  monitor.unlock();
  throw staleHandle(what);
}

/** Everybody who sleeps at the monitor learns that it is gone. */
export function disposeMonitor(monitor: Monitor, last?: () => void): void {
  if (!monitor.isLive()) return;
  const woken: Claimed[] = [];
  monitor.lock();
  if (!monitor.isLive()) {
    monitor.unlock();
    return;
  }
  for (let queue = 0; queue < QUEUES; queue++) {
    for (let place = monitor.dequeue(queue); place !== null; place = monitor.dequeue(queue)) {
      place.grant(Code.disposed);
      woken.push(place);
    }
  }
  last?.();
  monitor.dispose();
  monitor.unlock();
  for (const place of woken) place.wake();
}
