/**
 * select: one decision over several channels.
 *
 * The channels are locked in address order, so two selects never wait for each other. Ready cases are looked at
 * in random order, so each is equally likely to be taken. If none is ready the goroutine takes a place at every
 * channel; whoever claims its park first decides, and the places left over are withdrawn. Until then they are
 * invisible: a dequeue that finds them cannot claim them and drops them.
 *
 * Places are taken in random order too: with one channel in several cases, each is equally likely to be told.
 */
import { type Chan, type Done, RECEIVERS, SENDERS, takenBy } from './chan.js';
import { sendOnClosed, staleHandle } from './errors.js';
import { type Monitor, finish } from './monitor.js';
import { Code, Park, parker } from './parker.js';

export type SelectCase =
  | { readonly dir: 'recv'; readonly ch: Chan<unknown> }
  | { readonly dir: 'send'; readonly ch: Chan<unknown>; readonly value: unknown }
  | { readonly dir: 'default' };

export interface Selected {
  /** Index of the chosen case. */
  readonly index: number;
  /** Of a receive. */
  readonly value?: unknown;
  readonly ok?: boolean;
}

export const recvFrom = <T>(ch: Chan<T>): SelectCase => ({ dir: 'recv', ch: ch });
export const sendTo = <T>(ch: Chan<T>, value: T): SelectCase => ({
  dir: 'send',
  ch: ch,
  value,
});
/** Taken if nothing else is ready. */
export const otherwise: SelectCase = { dir: 'default' };

export function select(cases: readonly SelectCase[]): Selected {
  parker().assertMayBlock('select');
  const attempt = new Attempt(cases);
  if (attempt.selected !== null) return attempt.selected;
  parker().block(attempt.park);
  return attempt.end();
}

export async function selectAsync(cases: readonly SelectCase[]): Promise<Selected> {
  const attempt = new Attempt(cases);
  if (attempt.selected !== null) return attempt.selected;
  await parker().sleep(attempt.park);
  return attempt.end();
}

type ChanCase = Exclude<SelectCase, { dir: 'default' }>;

interface Decision {
  readonly index: number;
  /** Of a receive. */
  readonly done?: Done;
  readonly panic?: Error;
}

class Attempt {
  selected: Selected | null = null;
  readonly park = new Park('select');
  readonly #cases: readonly SelectCase[];
  /** What the send cases would send, by case. */
  readonly #slots: unknown[] = [];
  /** Indices of the cases that can ever be ready, in random order. */
  readonly #order: number[] = [];

  constructor(cases: readonly SelectCase[]) {
    this.#cases = cases;
    let fallback = -1;
    let shared = 0;
    cases.forEach((c, index) => {
      if (c.dir === 'default') fallback = index;
      else if (!c.ch.isNil) {
        this.#order.push(index);
        if (c.ch.live().block !== 0) shared++;
      }
    });
    shuffle(this.#order);
    parker().reserveNodes(shared);
    const monitors = this.#monitors();
    try {
      for (const index of this.#order) {
        const c = cases[index] as ChanCase;
        if (c.dir === 'send') this.#slots[index] = c.ch.toSlot(c.value);
      }
    } catch (error) {
      this.#dropSlots(-1);
      throw error;
    }
    for (const monitor of monitors) monitor.lock();
    if (!monitors.every((monitor) => monitor.isLive())) {
      for (const monitor of monitors) monitor.unlock();
      this.#dropSlots(-1);
      throw staleHandle('chan');
    }
    const decided: Decision | null = this.#lockedDecide() ?? (fallback < 0 ? null : { index: fallback });
    if (decided === null) this.#lockedQueue();
    for (const monitor of monitors) monitor.unlock();
    if (decided === null) return;
    const c = cases[decided.index];
    if (c.dir !== 'default') c.ch.wakeDecided();
    this.#dropSlots(decided.panic === undefined ? decided.index : -1);
    if (decided.panic !== undefined) throw decided.panic;
    this.selected =
      c.dir === 'recv' && decided.done !== undefined
        ? { index: decided.index, ...c.ch.received(decided.done) }
        : { index: decided.index };
  }

  /** After the sleep: what was decided. */
  end(): Selected {
    const { park } = this;
    // From the places, before they are given back: a channel that was shared meanwhile has its payload there.
    const offered = park.places.flatMap((place) => {
      const c = this.#cases[place.index];
      return place.isShared && c.dir === 'send' ? [{ place, ch: c.ch, slot: place.slot }] : [];
    });
    finish(park);
    const index = park.winner?.index ?? -1;
    for (const { place, ch, slot } of offered) {
      if (place !== park.winner || park.code !== Code.granted) ch.dropSlot(slot);
    }
    if (park.code === Code.disposed) throw staleHandle('chan');
    const c = this.#cases[index] as ChanCase;
    if (c.dir === 'recv') return { index, ...c.ch.received(takenBy(park)) };
    if (park.code === Code.closed) throw sendOnClosed();
    return { index };
  }

  /** Every monitor once, shared ones in address order. */
  #monitors(): Monitor[] {
    const monitors = new Set<Monitor>();
    const blocks = new Set<number>();
    for (const index of this.#order) {
      const monitor = (this.#cases[index] as ChanCase).ch.live();
      if (monitor.block !== 0 && blocks.has(monitor.block)) continue;
      blocks.add(monitor.block);
      monitors.add(monitor);
    }
    return [...monitors].sort((a, b) => a.block - b.block);
  }

  #lockedDecide(): Decision | null {
    for (const index of this.#order) {
      const c = this.#cases[index] as ChanCase;
      if (c.dir === 'recv') {
        const done = c.ch.lockedRecv();
        if (done !== null) return { index, done };
      } else if (c.ch.lockedIsClosed()) {
        return { index, panic: sendOnClosed() };
      } else if (c.ch.lockedSend(this.#slots[index])) {
        return { index };
      }
    }
    return null;
  }

  #lockedQueue(): void {
    for (const index of this.#order) {
      const c = this.#cases[index] as ChanCase;
      if (c.dir === 'recv') c.ch.live().enqueue(RECEIVERS, this.park, index, 0);
      else c.ch.live().enqueue(SENDERS, this.park, index, this.#slots[index]);
    }
  }

  #dropSlots(sent: number): void {
    for (const index of this.#order) {
      const c = this.#cases[index] as ChanCase;
      if (c.dir === 'send' && index !== sent && index in this.#slots) c.ch.dropSlot(this.#slots[index]);
    }
  }
}

/** Fisher–Yates. */
function shuffle(list: number[]): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    const swap = list[i];
    list[i] = list[j];
    list[j] = swap;
  }
}
