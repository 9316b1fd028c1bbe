/**
 * The values in a channel's buffer. A local channel keeps them in an array, a shared one in a ring of float64
 * cells: numbers as they are, addresses of payloads, nothing for `void`.
 *
 * sendx - recvx values are in it, and each operation commits by storing one of the two. Under the monitor's lock.
 */
import { encode, release } from './codec.js';
import { notSerializable } from './errors.js';
import { Block, ChanWord, Elem, Kind } from './layout.js';
import type { LocalMonitor } from './local-monitor.js';
import type { Monitor } from './monitor.js';
import { parker } from './parker.js';
import type { SharedMonitor } from './shared-monitor.js';
import { share } from './sleepers.js';

export class ChanBuffer {
  readonly #elem: Elem;
  #values: unknown[] = [];

  constructor(elem: Elem) {
    this.#elem = elem;
  }

  push(monitor: Monitor, slot: unknown): void {
    const { words, at, block } = monitor;
    const sendx = words[at + ChanWord.sendx];
    const cell = sendx & words[at + ChanWord.ringMask];
    if (block === 0) this.#values[cell] = slot;
    else if (this.#elem !== Elem.void) {
      (monitor as SharedMonitor).arena.floats[firstCell(words[at + ChanWord.ring]) + cell] = slot as number;
    }
    words[at + ChanWord.sendx] = (sendx + 1) | 0;
  }

  shift(monitor: Monitor): unknown {
    const { words, at, block } = monitor;
    const recvx = words[at + ChanWord.recvx];
    const cell = recvx & words[at + ChanWord.ringMask];
    let slot: unknown;
    if (block === 0) {
      slot = this.#values[cell];
      this.#values[cell] = undefined;
    } else if (this.#elem !== Elem.void) {
      slot = (monitor as SharedMonitor).arena.floats[firstCell(words[at + ChanWord.ring]) + cell];
    }
    words[at + ChanWord.recvx] = (recvx + 1) | 0;
    return slot;
  }

  clear(): void {
    this.#values = [];
  }

  /** Moves a local channel into the arena: buffer, sleepers and their values. All of it, or nothing and an error. */
  share(local: LocalMonitor, senders: number): SharedMonitor {
    const { arena, slot: me } = parker();
    const made: number[] = [];
    const toShared = (slot: unknown): number => {
      if (this.#elem === Elem.void) return 0;
      if (this.#elem === Elem.number) {
        if (typeof slot !== 'number') throw notSerializable(new TypeError(`not a number: ${typeof slot}`));
        return slot;
      }
      const payload = encode(slot);
      made.push(payload);
      return payload;
    };
    try {
      const { words } = local;
      const mask = words[ChanWord.ringMask];
      const hasRing = words[ChanWord.cap] > 0 && this.#elem !== Elem.void;
      const ring = hasRing ? arena.allocPayload((mask + 1) * 8, me) : 0;
      if (ring !== 0) made.push(ring);
      for (let x = words[ChanWord.recvx]; hasRing && x !== words[ChanWord.sendx]; x = (x + 1) | 0) {
        arena.floats[firstCell(ring) + (x & mask)] = toShared(this.#values[x & mask]);
      }
      const inTransit = made.length;
      const shared = share(local, Kind.chan, (slot, queue) => (queue === senders ? toShared(slot) : 0));
      shared.words[shared.at + ChanWord.ring] = ring;
      for (const block of made.slice(0, inTransit)) arena.publish(block);
      this.#values = [];
      return shared;
    } catch (error) {
      for (const block of made) release(block);
      throw error;
    }
  }
}

const firstCell = (ring: number): number => (ring + Block.body) >> 1;
