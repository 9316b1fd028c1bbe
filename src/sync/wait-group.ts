/**
 * WaitGroup: waits until a counter is back at zero.
 *
 * The counter is an int32 and changes under the monitor's lock; whoever brings it to zero releases all waiters.
 * An add that leaves it below zero panics after it changed it, as in Go: the counter stays negative.
 *
 * Happens before: a done before the waits it releases return.
 */
import { badDelta, negativeWaitGroup, staleHandle, waitGroupReused } from './errors.js';
import { go } from './goroutine.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { Kind, WaitGroupWord } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Claimed, type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive, share } from './sleepers.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';

export type WaitGroupHandle = Handle<'waitGroup'>;

export class WaitGroup {
  #monitor: Monitor;

  constructor(monitor?: SharedMonitor) {
    this.#monitor = monitor ?? new LocalMonitor(1);
  }

  static attach(handle: WaitGroupHandle): WaitGroup {
    return new WaitGroup(fromHandle('waitGroup', handle));
  }

  handle(): WaitGroupHandle {
    if (this.#monitor instanceof LocalMonitor) this.#monitor = share(this.#monitor, Kind.waitGroup, () => 0);
    return toHandle('waitGroup', this.#monitor as SharedMonitor);
  }

  add(delta: number): void {
    const monitor = this.#live();
    const { words } = monitor;
    const counter = monitor.at + WaitGroupWord.counter;
    const woken: Claimed[] = [];
    if (!Number.isInteger(delta)) throw badDelta(delta);
    lockLive(monitor, 'waitGroup');
    const value = (words[counter] + delta) | 0;
    Atomics.store(words, counter, value);
    if (value === 0) {
      for (let place = monitor.dequeue(0); place !== null; place = monitor.dequeue(0)) {
        place.grant(Code.granted);
        woken.push(place);
      }
    }
    monitor.unlock();
    if (value < 0) throw negativeWaitGroup();
    for (const place of woken) place.wake();
  }

  done(): void {
    this.add(-1);
  }

  wait(): void {
    parker().assertMayBlock('wait');
    const park = this.#queue();
    if (park === null) return;
    parker().block(park);
    this.#awake(park);
  }

  async waitAsync(): Promise<void> {
    const park = this.#queue();
    if (park === null) return;
    await parker().sleep(park);
    this.#awake(park);
  }

  /** add(1), a goroutine on this thread that runs `fn`, done(). If `fn` throws, the group is not done: it crashes. */
  go(fn: () => void | Promise<void>): void {
    this.add(1);
    go(async () => {
      await fn();
      this.done();
    });
  }

  dispose(): void {
    disposeMonitor(this.#monitor);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #live(): Monitor {
    if (!this.#monitor.isLive()) throw staleHandle('waitGroup');
    return this.#monitor;
  }

  #queue(): Park | null {
    const monitor = this.#live();
    lockLive(monitor, 'waitGroup');
    const park =
      monitor.words[monitor.at + WaitGroupWord.counter] === 0 ? null : new Park('sync.WaitGroup.Wait');
    if (park !== null) monitor.enqueue(0, park, 0, 0);
    monitor.unlock();
    return park;
  }

  #awake(park: Park): void {
    finish(park);
    if (park.code === Code.disposed) throw staleHandle('waitGroup');
    // Disposed since it was released: there is nothing left to have been used again.
    if (!this.#monitor.isLive()) return;
    const { words, at } = this.#monitor;
    if (Atomics.load(words, at + WaitGroupWord.counter) !== 0) throw waitGroupReused();
  }
}
