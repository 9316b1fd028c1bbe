/**
 * The monitor of one thread. With no await inside its operations nobody else can be in there, so its lock is
 * nothing; its queues are linked objects and values pass by reference.
 */
import type { Claimed, Monitor } from './monitor.js';
import type { Park, Place } from './park.js';
import { parker } from './parker.js';

export class LocalPlace implements Place, Claimed {
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
