/**
 * The monitor in the arena: a raw lock, queues of linked nodes, values as numbers.
 *
 * A node's ticket says where in its queue it belongs, so that the sweep can rebuild links a dying thread left
 * half done. A claim comes before the unlinking, for the same reason.
 */
import type { Arena } from './arena.js';
import { Block, type Kind, MONITOR_POOL, Mon, Node, NodeState } from './layout.js';
import type { Claimed, Monitor } from './monitor.js';
import type { Park, Place } from './park.js';
import { type Parker, parker } from './parker.js';
import { rawLock, rawUnlock } from './raw-lock.js';

export class SharedPlace implements Place {
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
