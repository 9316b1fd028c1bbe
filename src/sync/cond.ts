/**
 * Cond: a line of goroutines that wait for something to be announced.
 *
 * wait() takes its place in line before it unlocks L, so no signal that comes after the unlock is missed.
 * Signals are not stored. A woken waiter locks L again like anybody else and stays inside wait() until then.
 */
import { condCopied, staleHandle } from './errors.js';
import type { Locker } from './guard.js';
import { type Handle, fromHandle, toHandle } from './handle.js';
import { Kind } from './layout.js';
import { LocalMonitor } from './local-monitor.js';
import { type Claimed, type Monitor } from './monitor.js';
import { SharedMonitor } from './shared-monitor.js';
import { disposeMonitor, finish, lockLive, share } from './sleepers.js';
import { Code, Park } from './park.js';
import { parker } from './parker.js';

export type CondHandle = Handle<'cond'>;

export class Cond {
  readonly l: Locker;
  #monitor: Monitor;

  constructor(l: Locker, monitor?: SharedMonitor) {
    this.l = l;
    this.#monitor = monitor ?? new LocalMonitor(1);
  }

  /** False for an object that only inherits from a Cond, or had its members copied. */
  static isOriginal(cond: object): boolean {
    return #monitor in cond;
  }

  /** `l` is this thread's attachment of the lock the cond was made with. */
  static attach(handle: CondHandle, l: Locker): Cond {
    return new Cond(l, fromHandle('cond', handle));
  }

  handle(): CondHandle {
    if (this.#monitor instanceof LocalMonitor) this.#monitor = share(this.#monitor, Kind.cond, () => 0);
    return toHandle('cond', this.#monitor as SharedMonitor);
  }

  wait(): void {
    assertOriginal(this);
    parker().assertMayBlock('wait');
    const park = this.#queue();
    parker().block(park);
    this.#awake(park);
    this.l.lock();
  }

  async waitAsync(): Promise<void> {
    assertOriginal(this);
    const park = this.#queue();
    await parker().sleep(park);
    this.#awake(park);
    await this.l.lockAsync();
  }

  signal(): void {
    assertOriginal(this);
    this.#wake(1);
  }

  broadcast(): void {
    assertOriginal(this);
    this.#wake(Infinity);
  }

  dispose(): void {
    disposeMonitor(this.#monitor);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #live(): Monitor {
    if (!this.#monitor.isLive()) throw staleHandle('cond');
    return this.#monitor;
  }

  #queue(): Park {
    const monitor = this.#live();
    const park = new Park('sync.Cond.Wait');
    lockLive(monitor, 'cond');
    const place = monitor.enqueue(0, park, 0, 0);
    monitor.unlock();
    try {
      this.l.unlock();
    } catch (error) {
      // L was not locked: as if we had never come. A signal that chose us in between is lost, as we are.
      place.withdraw();
      if (park.node !== 0) finish(park);
      throw error;
    }
    return park;
  }

  #awake(park: Park): void {
    finish(park);
    if (park.code === Code.disposed) throw staleHandle('cond');
  }

  #wake(most: number): void {
    const monitor = this.#live();
    const woken: Claimed[] = [];
    lockLive(monitor, 'cond');
    while (woken.length < most) {
      const place = monitor.dequeue(0);
      if (place === null) break;
      place.grant(Code.granted);
      woken.push(place);
    }
    monitor.unlock();
    for (const place of woken) place.wake();
  }
}

function assertOriginal(cond: object): void {
  if (!Cond.isOriginal(cond)) throw condCopied();
}
