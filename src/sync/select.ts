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
import { type Monitor } from './monitor.js';
import { finish } from './sleepers.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';

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
  const park = attempt.park as Park;
  parker().block(park);
  return attempt.end(park);
}

export async function selectAsync(cases: readonly SelectCase[]): Promise<Selected> {
  const attempt = new Attempt(cases);
  if (attempt.selected !== null) return attempt.selected;
  const park = attempt.park as Park;
  await parker().sleep(park);
  return attempt.end(park);
}

type ChanCase = Exclude<SelectCase, { dir: 'default' }>;

interface Decision {
  readonly index: number;
  /** Of a receive. */
  readonly done?: Done;
  readonly panic?: Error;
}

class Attempt {
  /** What was decided at once; else there is a park. */
  selected: Selected | null = null;
  park: Park | null = null;
  readonly #cases: readonly SelectCase[];
  /** What the send cases would send, by case. */
  readonly #slots: unknown[] = [];
  /** Indices of the cases that can ever be ready, in random order. */
  readonly #order: number[] = [];

  constructor(cases: readonly SelectCase[]) {
    this.#cases = cases;
    let fallback = -1;
    let sends = 0;
    const shared: Monitor[] = [];
    for (let index = 0; index < cases.length; index++) {
      const c = cases[index];
      if (c.dir === 'default') fallback = index;
      else if (!c.ch.isNil) {
        this.#order.push(index);
        const monitor = c.ch.live();
        if (monitor.block !== 0) shared.push(monitor);
        if (c.dir === 'send') sends++;
      }
    }
    shuffle(this.#order);
    if (shared.length > 0) parker().reserveNodes(shared.length);
    if (sends > 0) this.#fillSlots();
    inAddressOrder(shared);
    for (const monitor of shared) monitor.lock();
    if (!shared.every((monitor) => monitor.isLive())) {
      for (const monitor of shared) monitor.unlock();
      this.#dropSlots(-1);
      throw staleHandle('chan');
    }
    const decided: Decision | null = this.#lockedDecide() ?? (fallback < 0 ? null : { index: fallback });
    if (decided === null) this.#lockedQueue();
    for (const monitor of shared) monitor.unlock();
    if (decided === null) return;
    const c = cases[decided.index];
    if (c.dir !== 'default') c.ch.wakeDecided();
    if (sends > 0) this.#dropSlots(decided.panic === undefined ? decided.index : -1);
    if (decided.panic !== undefined) throw decided.panic;
    this.selected =
      c.dir === 'recv' && decided.done !== undefined
        ? received(decided.index, c, decided.done)
        : { index: decided.index };
  }

  /** After the sleep: what was decided. */
  end(park: Park): Selected {
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
    if (c.dir === 'recv') return received(index, c, takenBy(park));
    if (park.code === Code.closed) throw sendOnClosed();
    return { index };
  }

  #fillSlots(): void {
    try {
      for (const index of this.#order) {
        const c = this.#cases[index] as ChanCase;
        if (c.dir === 'send') this.#slots[index] = c.ch.toSlot(c.value);
      }
    } catch (error) {
      this.#dropSlots(-1);
      throw error;
    }
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
    const park = (this.park = new Park('select'));
    for (const index of this.#order) {
      const c = this.#cases[index] as ChanCase;
      if (c.dir === 'recv') c.ch.live().enqueue(RECEIVERS, park, index, 0);
      else c.ch.live().enqueue(SENDERS, park, index, this.#slots[index]);
    }
  }

  #dropSlots(sent: number): void {
    for (const index of this.#order) {
      const c = this.#cases[index] as ChanCase;
      if (c.dir === 'send' && index !== sent && index in this.#slots) c.ch.dropSlot(this.#slots[index]);
    }
  }
}

function received(index: number, { ch }: ChanCase, done: Done): Selected {
  const { value, ok } = ch.received(done);
  return { index, value, ok };
}

/** Sorts shared monitors, few as they are, by address and keeps each once. Local ones need no lock. */
function inAddressOrder(monitors: Monitor[]): void {
  if (monitors.length < 2) return;
  monitors.sort((a, b) => a.block - b.block);
  let kept = 1;
  for (const monitor of monitors) if (monitor.block !== monitors[kept - 1].block) monitors[kept++] = monitor;
  monitors.length = kept;
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
