/** What the crew's threads do in the scenarios: blocking forms, every thread on its own. */
import {
  Chan,
  type ChanHandle,
  Cond,
  type CondHandle,
  Mutex,
  type MutexHandle,
  Once,
  type OnceHandle,
  RWMutex,
  type RWMutexHandle,
  WaitGroup,
  type WaitGroupHandle,
  arena,
  otherwise,
  recvFrom,
  select,
  sendTo,
} from '../../src/sync/index.js';
import { random } from '../support/seed.js';

/** Plain memory on purpose: only the lock makes an increment whole. */
export type Cells = Int32Array;

export interface Contend {
  readonly handle: MutexHandle;
  readonly cells: Cells;
  readonly times: number;
  readonly seed: number;
}

export function increment({ handle, cells, times, seed }: Contend): void {
  const mutex = Mutex.attach(handle);
  const below = random(seed);
  for (let i = 0; i < times; i++) {
    if (below(4) !== 0 || !mutex.tryLock()) mutex.lock();
    bump(cells, below(20));
    mutex.unlock();
  }
}

/** Reads, dawdles, writes: two inside at once would lose one. */
export function bump(cells: Cells, dawdle: number): void {
  const seen = cells[0];
  for (let i = 0; i < dawdle; i++) cells[1] = i;
  cells[0] = seen + 1;
}

/** Takes the lock again and again until cell 0 says stop; cell `me` counts how often. */
export function barge({ handle, cells, me }: Pick<Contend, 'handle' | 'cells'> & { me: number }): void {
  const mutex = Mutex.attach(handle);
  while (Atomics.load(cells, 0) === 0) {
    mutex.lock();
    Atomics.add(cells, me, 1);
    mutex.unlock();
  }
}

export interface ReadWrite {
  readonly handle: RWMutexHandle;
  readonly cells: Cells;
  readonly times: number;
  readonly seed: number;
}

/** Cells: 0 and 1 always equal outside a write, 2 readers inside, 3 writers inside, 4 what was seen wrong. */
export function readAndWrite({ handle, cells, times, seed }: ReadWrite): number {
  const rw = RWMutex.attach(handle);
  const below = random(seed);
  let writes = 0;
  for (let i = 0; i < times; i++) {
    if (below(4) === 0) {
      rw.lock();
      writeOnce(cells);
      rw.unlock();
      writes++;
    } else {
      if (below(3) !== 0 || !rw.tryRLock()) rw.rLock();
      readOnce(cells);
      rw.rUnlock();
    }
  }
  return writes;
}

export function writeOnce(cells: Cells): void {
  if (Atomics.add(cells, 3, 1) !== 0 || Atomics.load(cells, 2) !== 0) Atomics.add(cells, 4, 1);
  cells[0]++;
  cells[1]++;
  Atomics.sub(cells, 3, 1);
}

export function readOnce(cells: Cells): void {
  Atomics.add(cells, 2, 1);
  if (Atomics.load(cells, 3) !== 0 || cells[0] !== cells[1]) Atomics.add(cells, 4, 1);
  Atomics.sub(cells, 2, 1);
}

export interface Flow {
  readonly ch: ChanHandle;
  readonly done: WaitGroupHandle;
  readonly producer: number;
  readonly values: number;
  readonly seed: number;
}

/** Values carry their producer and their place in its order. */
export const stamp = (producer: number, i: number): number => producer * 2 ** 24 + i;

export function produce({ ch, done, producer, values, seed }: Flow): void {
  const out = Chan.attach<number>(ch);
  const below = random(seed);
  for (let i = 0; i < values; i++) {
    const value = stamp(producer, i);
    if (below(3) === 0 && out.trySend(value)) continue;
    if (below(2) === 0) select([sendTo(out, value)]);
    else out.send(value);
  }
  WaitGroup.attach(done).done();
}

/** Everything received, in order, until the channel closes; a length outside the capacity is a failure. */
export function consume({ ch, seed }: Pick<Flow, 'ch' | 'seed'>): number[] {
  const input = Chan.attach<number>(ch);
  const below = random(seed);
  const got: number[] = [];
  for (;;) {
    const { len } = input;
    if (len < 0 || len > input.cap) throw new Error(`a length of ${len} with room for ${input.cap}`);
    const received = (below(3) === 0 ? input.tryRecv() : undefined) ?? input.recv2();
    if (!received.ok) return got;
    got.push(received.value);
  }
}

export interface Switchboard {
  readonly chans: readonly ChanHandle[];
  readonly quit: ChanHandle;
  readonly done: WaitGroupHandle;
  readonly values: number;
  readonly producer: number;
  readonly seed: number;
}

/** Sends its values wherever there is room, says so, and takes whatever comes until quit: what it took. */
export function exchange({ chans, quit, done, values, producer, seed }: Switchboard): number[] {
  const all = chans.map((handle) => Chan.attach<number>(handle));
  const end = Chan.attach<void>(quit);
  const below = random(seed);
  const got: number[] = [];
  let sent = 0;
  const sending = WaitGroup.attach(done);
  for (;;) {
    const ways = sent < values ? all.map((ch) => sendTo(ch, stamp(producer, sent))) : [];
    const cases = [...all.map((ch) => recvFrom(ch)), ...ways, recvFrom(end)];
    if (sent < values && below(4) === 0) cases.push(otherwise);
    const { index, value } = select(cases);
    if (index < all.length) got.push(value as number);
    else if (index < all.length + ways.length) {
      if (++sent === values) sending.done();
    } else if (index === all.length + ways.length) return got;
  }
}

export interface Rounds {
  readonly handles: readonly OnceHandle[];
  readonly cells: Cells;
}

/** Cell i: how often the i-th function ran; a call must not return before it has. */
export function onces({ handles, cells }: Rounds): number {
  let early = 0;
  handles.forEach((handle, i) => {
    const once = Once.attach(handle);
    once.do(() => {
      for (let spin = 0; spin < 200; spin++) Atomics.load(cells, i);
      Atomics.add(cells, i, 1);
    });
    if (Atomics.load(cells, i) !== 1) early++;
  });
  return early;
}

export interface Barrier {
  readonly start: WaitGroupHandle;
  readonly finish: WaitGroupHandle;
  readonly cells: Cells;
}

/** Adds to the cell, says so, waits for everybody, and sees all of it. */
export function meet({ start, finish, cells }: Barrier): number {
  Atomics.add(cells, 0, 1);
  WaitGroup.attach(start).done();
  WaitGroup.attach(start).wait();
  const seen = Atomics.load(cells, 0);
  WaitGroup.attach(finish).done();
  return seen;
}

export interface Turns {
  readonly mutex: MutexHandle;
  readonly cond: CondHandle;
  readonly cells: Cells;
  readonly me: number;
  readonly players: number;
  readonly times: number;
}

/** Cell 0: whose turn it is. Each takes its turns in a ring, woken by broadcast. */
export function takeTurns({ mutex, cond, cells, me, players, times }: Turns): void {
  const l = Mutex.attach(mutex);
  const turned = Cond.attach(cond, l);
  for (let i = 0; i < times; i++) {
    l.lock();
    while (cells[0] % players !== me) turned.wait();
    cells[0]++;
    turned.broadcast();
    l.unlock();
  }
}

/** Makes, shares, uses and disposes channels as fast as it can, beside others that do the same. */
export function churn({ times, seed }: { times: number; seed: number }): number {
  const below = random(seed);
  for (let i = 0; i < times; i++) {
    const ch = new Chan<unknown>(below(3), { elem: below(2) === 0 ? 'any' : 'number' });
    const twin = Chan.attach<unknown>(ch.handle());
    if (ch.trySend(i) !== twin.cap > 0) throw new Error('a fresh channel has the wrong room');
    if (twin.cap > 0 && below(2) === 0 && twin.tryRecv()?.value !== i) throw new Error('not what was sent');
    const mutex = new Mutex();
    const other = Mutex.attach(mutex.handle());
    if (!other.tryLock() || mutex.tryLock()) throw new Error('a fresh mutex is not free');
    mutex.dispose();
    ch.dispose();
  }
  return arena().liveBlocks;
}

/** Receives from channels that are disposed under its feet: what it got before it learned of that. */
export function receiveUntilStale({ chans }: { chans: readonly ChanHandle[] }): number[] {
  const seen: number[] = [];
  for (const handle of chans) {
    try {
      const ch = Chan.attach<number>(handle);
      for (;;) seen.push(ch.recv());
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_STALE_HANDLE') throw error;
    }
  }
  return seen;
}
