/**
 * One sleep of one goroutine. It stands at one place (a lock, a channel) or, in a select, at several; whoever
 * claims it first, and nobody else, ends it and says how.
 */
import { Node, NodeState } from './layout.js';
import type { Parker } from './parker.js';

/** How a sleep ended; what each means is the primitive's business. */
export const Code = { granted: 1, closed: 2, compete: 3, disposed: 4 } as const;

/** A place in a queue that can be given up. */
export interface Place {
  /** The value to hand over, or handed over. */
  slot: unknown;
  readonly index: number;
  /** At a shared monitor: the slot is a number or the address of a payload, else the value itself. */
  readonly isShared: boolean;
  withdraw(): void;
}

/** State of a node whose claimer died after deciding it. */
export const ORPHANED = NodeState.ready | (0xffff << 8);

export class Park {
  /** Primary node, 0 while every place is local. */
  node = 0;
  token = -1;
  /** Set by a local waker; a shared one sets the node's words. */
  fired = false;
  code = 0;
  winner: Place | null = null;
  /** What the winner handed over; set by finish(). */
  slot: unknown = undefined;
  readonly places: Place[] = [];
  /** What Go prints for a goroutine in this state. */
  readonly reason: string;
  resolve: (() => void) | null = null;
  /** A ranked lock's: the thread may hold others, so nothing of the user's may run until it wakes. */
  isBrief = false;
  /** The thread itself sleeps in this park. */
  blocking = false;
  /** The wake-up has reached the thread; a second one means nothing. */
  resumed = false;
  /** Counted among the parks that keep the event loop alive. */
  keepsAlive = false;
  /** Nobody sleeps: this is called instead; see attend(). */
  onWake: (() => void) | null = null;

  /** The lock it sleeps for, if a blocking call of the same thread may take the grant away again. */
  home: object | null;
  /** Where its goroutine sleeps on after that happened. */
  replacement: Park | null = null;

  constructor(reason: string, home: object | null = null) {
    this.reason = reason;
    this.home = home;
  }

  /** Whoever gets true, and nobody else, ends this sleep. */
  claim(mine: Parker): boolean {
    if (this.fired) return false;
    if (this.node !== 0) {
      const claimed = NodeState.claimed | (mine.slot << 8);
      if (
        Atomics.compareExchange(mine.words, this.node + Node.state, NodeState.waiting, claimed) !==
        NodeState.waiting
      ) {
        return false;
      }
    }
    return true;
  }

  isReady(mine: Parker): boolean {
    return (
      this.fired ||
      (this.node !== 0 && (Atomics.load(mine.words, this.node + Node.state) & 0xff) === NodeState.ready)
    );
  }
}
