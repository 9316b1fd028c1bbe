/**
 * Chan: Go's channel, between goroutines of any threads.
 *
 * Invariants, under the monitor's lock
 * - Receivers sleep only while the buffer is empty and nobody is sending; senders only while it is full.
 * - So at least one of the two queues is empty, but for one select that stands in both.
 * - A value goes straight to the first receiver if one sleeps; the buffer is by-passed. A receive from a full
 *   buffer takes its head and moves the first sleeping sender's value to its tail.
 * - sendx - recvx values are in the buffer; each operation on it commits by storing one of the two.
 * - After close nothing enters: sleeping receivers got (zero, false), sleeping senders a panic, and what is in
 *   the buffer can still be received.
 *
 * A local channel passes references. A shared one passes numbers as they are, nothing at all for `void`, and
 * anything else as a serialized payload whose address is the value that moves ("slot" below is what moves).
 *
 * Happens before: a send before its receive returns; the k-th receive before the (k+cap)-th send returns; close
 * before a receive that returns because of it.
 */
import { ChanBuffer } from './chan-buffer.js';
import { decode, encode, release } from './codec.js';
import {
  closeOfClosed,
  closeOfNil,
  foreignHandle,
  makechanSize,
  notSerializable,
  sendOnClosed,
  staleHandle,
} from './errors.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { ChanWord, Elem } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Claimed, type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive } from './sleepers.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';

export const RECEIVERS = 0;
export const SENDERS = 1;
const WORDS = 10;
const MAX_CAP = 2 ** 26;

export interface ChanOptions {
  /** What travels: `number` and `void` need no serialization between threads. Default `any`. */
  readonly elem?: keyof typeof Elem;
}

export interface ChanHandle extends Handle<'chan'> {
  readonly nil?: boolean;
}

export interface Received<T> {
  readonly value: T;
  readonly ok: boolean;
}

/** What an attempt came to: `null` would have to wait. */
export interface Done {
  readonly slot: unknown;
  readonly ok: boolean;
  /** Decided while the channel was local: the slot is the value, also if the channel is shared by now. */
  readonly byReference?: boolean;
}

export class Chan<T> {
  #monitor: Monitor | null;
  readonly #elem: Elem;
  readonly #buffer: ChanBuffer;
  /** Whom the operation under way has to wake once the lock is free. */
  #decided: Claimed | null = null;

  /** A channel with room for `capacity` values; 0: every send meets a receive. */
  constructor(capacity = 0, options: ChanOptions = {}) {
    if (!Number.isInteger(capacity) || capacity < 0 || capacity > MAX_CAP) throw makechanSize();
    const monitor = new LocalMonitor(WORDS);
    this.#elem = Elem[options.elem ?? 'any'];
    this.#buffer = new ChanBuffer(this.#elem);
    monitor.words[ChanWord.cap] = capacity;
    monitor.words[ChanWord.elem] = this.#elem;
    monitor.words[ChanWord.ringMask] = capacity <= 1 ? 0 : 2 ** (32 - Math.clz32(capacity - 1)) - 1;
    this.#monitor = monitor;
  }

  /** The nil channel: sends and receives wait for ever, in a select it is never ready, close panics. */
  static nil<T>(): Chan<T> {
    const chan = new Chan<T>();
    chan.#monitor = null;
    return chan;
  }

  static attach<T>(handle: ChanHandle): Chan<T> {
    if ((handle as unknown) !== null && typeof handle === 'object' && handle.nil === true)
      return Chan.nil<T>();
    return Chan.over<T>(fromHandle('chan', handle));
  }

  /** @internal A channel over a monitor that is in the arena already. */
  static over<T>(monitor: SharedMonitor): Chan<T> {
    const elem = monitor.words[monitor.at + ChanWord.elem];
    const name = (Object.keys(Elem) as (keyof typeof Elem)[]).find((key) => Elem[key] === elem);
    if (name === undefined) throw foreignHandle('chan', `element kind ${elem}`);
    const chan = new Chan<T>(0, { elem: name });
    chan.#monitor = monitor;
    return chan;
  }

  handle(): ChanHandle {
    const monitor = this.#monitor;
    if (monitor === null) {
      return { podloom: 'chan', memory: parker().arena.memory, block: 0, generation: 0, nil: true };
    }
    return toHandle(
      'chan',
      monitor instanceof LocalMonitor ? this.#share(monitor) : (monitor as SharedMonitor),
    );
  }

  get isNil(): boolean {
    return this.#monitor === null;
  }

  get cap(): number {
    return this.#monitor === null ? 0 : this.#word(ChanWord.cap);
  }

  get len(): number {
    if (this.#monitor === null) return 0;
    // Two words, read while others move them: what is in between was never the length, but is a length.
    const len = (this.#word(ChanWord.sendx) - this.#word(ChanWord.recvx)) | 0;
    return Math.max(0, Math.min(len, this.#word(ChanWord.cap)));
  }

  /** One look at one word: for polling. A channel that is not closed may be by the time you read this. */
  get isClosed(): boolean {
    return this.#monitor !== null && this.#word(ChanWord.closed) !== 0;
  }

  send(value: T): void {
    parker().assertMayBlock('send');
    const park = this.#startSend(value);
    if (park === null) return;
    parker().block(park);
    this.endSend(park);
  }

  async sendAsync(value: T): Promise<void> {
    const park = this.#startSend(value);
    if (park === null) return;
    await parker().sleep(park);
    this.endSend(park);
  }

  recv(): T {
    return this.recv2().value;
  }

  /** Written out: through recv2Async every receive would pay for a second promise. */
  async recvAsync(): Promise<T> {
    const started = this.#startRecv();
    if (!(started instanceof Park)) return this.received(started).value;
    await parker().sleep(started);
    return this.endRecv(started).value;
  }

  /** With `ok: false` the channel is closed and drained, and the value is the zero value. */
  recv2(): Received<T> {
    parker().assertMayBlock('recv');
    const started = this.#startRecv();
    if (!(started instanceof Park)) return this.received(started);
    parker().block(started);
    return this.endRecv(started);
  }

  async recv2Async(): Promise<Received<T>> {
    const started = this.#startRecv();
    if (!(started instanceof Park)) return this.received(started);
    await parker().sleep(started);
    return this.endRecv(started);
  }

  /** False if it would have to wait. */
  trySend(value: T): boolean {
    if (this.#monitor === null) return false;
    const monitor = this.live();
    const slot = this.toSlot(value);
    this.#lockToSend(monitor, slot);
    const closed = this.lockedIsClosed();
    const sent = !closed && this.lockedSend(slot);
    monitor.unlock();
    this.wakeDecided();
    if (!sent) this.dropSlot(slot);
    if (closed) throw sendOnClosed();
    return sent;
  }

  /** Undefined if it would have to wait. */
  tryRecv(): Received<T> | undefined {
    if (this.#monitor === null) return undefined;
    const monitor = this.live();
    lockLive(monitor, 'chan');
    const done = this.lockedRecv();
    monitor.unlock();
    this.wakeDecided();
    return done === null ? undefined : this.received(done);
  }

  close(): void {
    if (this.#monitor === null) throw closeOfNil();
    if (!this.closeWith()) throw closeOfClosed();
  }

  /** @internal close(), with something to store first under the same lock. False: it was closed already. */
  closeWith(first?: (words: Int32Array, at: number) => void): boolean {
    const monitor = this.live();
    const { words, at } = monitor;
    const woken: Claimed[] = [];
    lockLive(monitor, 'chan');
    if (words[at + ChanWord.closed] !== 0) {
      monitor.unlock();
      return false;
    }
    first?.(words, at);
    Atomics.store(words, at + ChanWord.closed, 1);
    // Receivers first: a select that stands in both queues receives rather than panics.
    for (const queue of [RECEIVERS, SENDERS]) {
      for (let place = monitor.dequeue(queue); place !== null; place = monitor.dequeue(queue)) {
        place.grant(Code.closed);
        woken.push(place);
      }
    }
    monitor.unlock();
    for (const place of woken) place.wake();
    return true;
  }

  /** Receives until the channel is closed and drained. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const { value, ok } = await this.recv2Async();
      if (!ok) return;
      yield value;
    }
  }

  /** The same in the blocking form. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (;;) {
      const { value, ok } = this.recv2();
      if (!ok) return;
      yield value;
    }
  }

  /** Frees a shared channel and what is in it. Whoever waits at it gets ERR_STALE_HANDLE. */
  dispose(): void {
    const monitor = this.#monitor;
    if (monitor === null || !monitor.isLive()) return;
    disposeMonitor(monitor, () => {
      if (monitor.block === 0) return this.#buffer.clear();
      const { words, at } = monitor;
      const ring = words[at + ChanWord.ring];
      if (this.#elem === Elem.any) while (this.len > 0) release(this.#buffer.shift(monitor) as number);
      if (ring !== 0) release(ring);
      if (words[at + ChanWord.cause] !== 0) release(words[at + ChanWord.cause]);
      words[at + ChanWord.ring] = 0;
    });
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  // --- for select -------------------------------------------------------------------------------------------

  /** @internal */
  live(): Monitor {
    const monitor = this.#monitor as Monitor;
    if (!monitor.isLive()) throw staleHandle('chan');
    return monitor;
  }

  /** @internal What travels in place of the value. */
  toSlot(value: T): unknown {
    if ((this.#monitor as Monitor).block === 0) return this.#elem === Elem.void ? undefined : value;
    if (this.#elem === Elem.any) return encode(value);
    if (this.#elem === Elem.void) return 0;
    // Checked here: the store into the ring would throw, or make something else of it, under the lock.
    if (typeof value !== 'number') throw notSerializable(new TypeError(`not a number: ${typeof value}`));
    return value;
  }

  /** @internal The slot was not sent after all. */
  dropSlot(slot: unknown): void {
    if (this.#elem === Elem.any && (this.#monitor as Monitor).block !== 0) release(slot as number);
  }

  /** @internal */
  lockedIsClosed(): boolean {
    const { words, at } = this.#monitor as Monitor;
    return words[at + ChanWord.closed] !== 0;
  }

  /** @internal Sends at once if it can, on a channel that is not closed. Under the monitor's lock. */
  lockedSend(slot: unknown): boolean {
    const monitor = this.#monitor as Monitor;
    const { words, at } = monitor;
    const receiver = monitor.dequeue(RECEIVERS);
    if (receiver !== null) {
      this.#publish(slot);
      receiver.slot = slot;
      receiver.grant(Code.granted);
      this.#decided = receiver;
      return true;
    }
    if (((words[at + ChanWord.sendx] - words[at + ChanWord.recvx]) | 0) >= words[at + ChanWord.cap])
      return false;
    this.#publish(slot);
    this.#buffer.push(monitor, slot);
    return true;
  }

  /** @internal Receives at once if it can. Under the monitor's lock. */
  lockedRecv(): Done | null {
    const monitor = this.#monitor as Monitor;
    const { words, at } = monitor;
    if (words[at + ChanWord.sendx] !== words[at + ChanWord.recvx]) {
      const slot = this.#buffer.shift(monitor);
      this.lockedRefill();
      return { slot, ok: true };
    }
    const sender = monitor.dequeue(SENDERS);
    if (sender !== null) {
      const slot = sender.slot;
      this.#publish(slot);
      sender.grant(Code.granted);
      this.#decided = sender;
      return { slot, ok: true };
    }
    return words[at + ChanWord.closed] === 0 ? null : { slot: undefined, ok: false };
  }

  /** @internal There is room: the first sleeping sender's value goes to the tail. Under the monitor's lock. */
  lockedRefill(): void {
    const monitor = this.#monitor as Monitor;
    const sender = monitor.dequeue(SENDERS);
    if (sender === null) return;
    this.#publish(sender.slot);
    this.#buffer.push(monitor, sender.slot);
    sender.grant(Code.granted);
    this.#decided = sender;
  }

  /** @internal A value is in the buffer and a receiver sleeps: brings them together. Under the monitor's lock. */
  lockedServe(): Claimed | null {
    const monitor = this.#monitor as Monitor;
    const receiver = monitor.dequeue(RECEIVERS);
    if (receiver === null) return null;
    receiver.slot = this.#buffer.shift(monitor);
    receiver.grant(Code.granted);
    return receiver;
  }

  /** @internal Whom the last locked operation decided; the caller wakes it. */
  takeDecided(): Claimed | null {
    const decided = this.#decided;
    this.#decided = null;
    return decided;
  }

  /** @internal After unlock: whoever the last locked operation decided may run. */
  wakeDecided(): void {
    const decided = this.#decided;
    if (decided === null) return;
    this.#decided = null;
    decided.wake();
  }

  /** @internal */
  received(done: Done): Received<T> {
    if (!done.ok) return { value: this.#zero(), ok: false };
    if ((this.#monitor as Monitor).block === 0 || done.byReference === true)
      return { value: done.slot as T, ok: true };
    if (this.#elem === Elem.any) return { value: decode(done.slot as number) as T, ok: true };
    return { value: (this.#elem === Elem.number ? done.slot : undefined) as T, ok: true };
  }

  /** @internal After a sleep in a send. */
  endSend(park: Park): void {
    finish(park);
    if (park.code === Code.granted) return;
    if (park.winner?.isShared === true) this.dropSlot(park.slot);
    throw park.code === Code.closed ? sendOnClosed() : staleHandle('chan');
  }

  /** @internal After a sleep in a receive. */
  endRecv(park: Park): Received<T> {
    finish(park);
    if (park.code === Code.disposed) throw staleHandle('chan');
    return this.received(takenBy(park));
  }

  // --- inside -----------------------------------------------------------------------------------------------

  #zero(): T {
    return (this.#elem === Elem.number ? 0 : undefined) as T;
  }

  #word(word: number): number {
    const monitor = this.live();
    return Atomics.load(monitor.words, monitor.at + word);
  }

  #startSend(value: T): Park | null {
    if (this.#monitor === null) return new Park('chan send (nil chan)');
    const monitor = this.live();
    // Before there is a payload to lose.
    if (monitor.block !== 0) parker().reserveNodes(1);
    const slot = this.toSlot(value);
    this.#lockToSend(monitor, slot);
    const closed = this.lockedIsClosed();
    if (closed || this.lockedSend(slot)) {
      monitor.unlock();
      this.wakeDecided();
      if (!closed) return null;
      this.dropSlot(slot);
      throw sendOnClosed();
    }
    const park = new Park('chan send');
    monitor.enqueue(SENDERS, park, 0, slot);
    monitor.unlock();
    return park;
  }

  #startRecv(): Park | Done {
    if (this.#monitor === null) return new Park('chan receive (nil chan)');
    const monitor = this.live();
    lockLive(monitor, 'chan');
    const done = this.lockedRecv();
    if (done !== null) {
      monitor.unlock();
      this.wakeDecided();
      return done;
    }
    const park = new Park('chan receive');
    monitor.enqueue(RECEIVERS, park, 0, 0);
    monitor.unlock();
    return park;
  }

  #lockToSend(monitor: Monitor, slot: unknown): void {
    try {
      lockLive(monitor, 'chan');
    } catch (error) {
      this.dropSlot(slot);
      throw error;
    }
  }

  #share(local: LocalMonitor): SharedMonitor {
    const shared = this.#buffer.share(local, SENDERS);
    this.#monitor = shared;
    return shared;
  }

  /** A payload that has left its sender must outlive the sender's thread. */
  #publish(slot: unknown): void {
    const monitor = this.#monitor as Monitor;
    if (monitor.block !== 0 && this.#elem === Elem.any)
      (monitor as SharedMonitor).arena.publish(slot as number);
  }
}

/** What a sleeping receive was woken with. */
export function takenBy(park: Park): Done {
  return { slot: park.slot, ok: park.code === Code.granted, byReference: park.winner?.isShared === false };
}
