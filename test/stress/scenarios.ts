/**
 * Real contention: blocking threads and async main at the same primitives. Each scenario makes its primitives,
 * lets everybody loose, and checks what must hold whatever the order was.
 *
 * Nothing here measures time: a scenario ends by itself or hangs, and then something was lost.
 */
import {
  Chan,
  Cond,
  Mutex,
  Once,
  RWMutex,
  WaitGroup,
  otherwise,
  recvFrom,
  selectAsync,
  sendTo,
} from '../../src/sync/index.js';
import type { Crew } from '../support/crew.js';
import { random } from '../support/seed.js';
import { type Cells, bump, readOnce, stamp, writeOnce } from './tasks.js';

export interface Scenario {
  readonly name: string;
  /** `size` is about how many operations each party does. */
  run(crew: Crew, size: number, seed: number): Promise<void>;
}

const cellsOf = (count: number): Cells => new Int32Array(new SharedArrayBuffer(count * 4));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function expectEqual(got: unknown, want: unknown, what: string): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
}

const mutualExclusion: Scenario = {
  name: 'mutex',
  async run(crew, size, seed) {
    const mutex = new Mutex();
    const cells = cellsOf(2);
    const handle = mutex.handle();
    const threads = crew.all('increment', (member) => ({ handle, cells, times: size, seed: seed + member }));
    const below = random(seed - 1);
    const mine = size >> 3;
    for (let i = 0; i < mine; i++) {
      await mutex.lockAsync();
      bump(cells, below(20));
      mutex.unlock();
    }
    await threads;
    expectEqual(cells[0], size * crew.size + mine, 'increments under the mutex');
    expectEqual(mutex.tryLock(), true, 'the mutex is free at the end');
    mutex.dispose();
  },
};

const starvation: Scenario = {
  name: 'starvation',
  async run(crew, size) {
    // Ends only if the waiter gets the lock among threads that never stop taking it.
    const mutex = new Mutex();
    const cells = cellsOf(1 + crew.size);
    const handle = mutex.handle();
    const bargers = crew.all('barge', (member) => ({ handle, cells, me: 1 + member }));
    while (cells.subarray(1).includes(0)) await turn();
    for (let i = 0; i < 4 + (size >> 9); i++) {
      await mutex.lockAsync();
      mutex.unlock();
    }
    Atomics.store(cells, 0, 1);
    await bargers;
    mutex.dispose();
  },
};

const readersAndWriters: Scenario = {
  name: 'rwmutex',
  async run(crew, size, seed) {
    const rw = new RWMutex();
    const cells = cellsOf(5);
    const handle = rw.handle();
    const threads = crew.all<number>('readAndWrite', (member) => ({
      handle,
      cells,
      times: size,
      seed: seed + member,
    }));
    let writes = 0;
    for (let i = 0; i < size >> 3; i++) {
      await rw.rLockAsync();
      readOnce(cells);
      rw.rUnlock();
      await rw.lockAsync();
      writeOnce(cells);
      rw.unlock();
      writes++;
    }
    for (const theirs of await threads) writes += theirs;
    expectEqual([...cells], [writes, writes, 0, 0, 0], 'writes, readers and writers inside, wrong sights');
    expectEqual(rw.tryLock(), true, 'the lock is free at the end');
    rw.dispose();
  },
};

/** Producers on every thread and on main, consumers likewise, over one channel. */
function flow(cap: number, elem: 'any' | 'number'): Scenario {
  return {
    name: `chan-${cap}-${elem}`,
    async run(crew, size, seed) {
      const ch = new Chan<number>(cap, { elem });
      const done = new WaitGroup();
      const values = size >> 1;
      const threads = crew.size;
      const producers = (threads >> 1) + 1;
      done.add(producers);
      const handles = { ch: ch.handle(), done: done.handle() };
      const results: Promise<number[]>[] = [];
      const sending: Promise<void>[] = [];
      for (let member = 0; member < threads; member++) {
        const args = { ...handles, producer: member, values, seed: seed + member };
        if (member < producers - 1) sending.push(crew.run(member, 'produce', args));
        else results.push(crew.run<number[]>(member, 'consume', args));
      }
      sending.push(produceHere(ch, done, producers - 1, values));
      results.push(consumeHere(ch, seed));
      await Promise.all([...sending, done.waitAsync()]);
      ch.close();
      checkFlow(await Promise.all(results), producers, values);
      expectEqual(ch.len, 0, 'left in the channel');
      ch.dispose();
      done.dispose();
    },
  };
}

async function produceHere(
  ch: Chan<number>,
  done: WaitGroup,
  producer: number,
  values: number,
): Promise<void> {
  for (let i = 0; i < values; i++) await ch.sendAsync(stamp(producer, i));
  done.done();
}

async function consumeHere(ch: Chan<number>, seed: number): Promise<number[]> {
  const below = random(seed);
  const got: number[] = [];
  for (;;) {
    const received = below(2) === 0 ? await ch.recv2Async() : await selectAsync([recvFrom(ch)]);
    if (received.ok !== true) return got;
    got.push(received.value as number);
  }
}

/** Each value once, and what one consumer has of one producer in that producer's order. */
function checkFlow(byConsumer: readonly number[][], producers: number, values: number): void {
  const seen = new Set<number>();
  for (const got of byConsumer) {
    const last = new Map<number, number>();
    for (const value of got) {
      if (seen.has(value)) throw new Error(`${value} was received twice`);
      seen.add(value);
      const producer = Math.floor(value / 2 ** 24);
      const i = value % 2 ** 24;
      if (i < (last.get(producer) ?? -1)) throw new Error(`${value} came after a later one of its producer`);
      last.set(producer, i);
    }
  }
  expectEqual(seen.size, producers * values, 'values received');
}

const switchboard: Scenario = {
  name: 'select',
  async run(crew, size, seed) {
    const chans = [0, 1, 3].map((cap, i) => new Chan<number>(cap, { elem: i === 1 ? 'any' : 'number' }));
    const quit = new Chan<void>();
    const done = new WaitGroup();
    const values = size >> 2;
    done.add(crew.size);
    const handles = { chans: chans.map((ch) => ch.handle()), quit: quit.handle(), done: done.handle() };
    const threads = crew.all<number[]>('exchange', (member) => ({
      ...handles,
      values,
      producer: member,
      seed: seed + member,
    }));
    const got = await exchangeHere(chans, crew.size, values, seed);
    await done.waitAsync();
    quit.close();
    const theirs = await threads;
    const rest: number[] = [];
    for (const ch of chans) for (let r = ch.tryRecv(); r !== undefined; r = ch.tryRecv()) rest.push(r.value);
    const all = [...theirs.flat(), ...got, ...rest];
    expectEqual(all.length, (crew.size + 1) * values, 'values received');
    expectEqual(new Set(all).size, all.length, 'different ones among them');
    for (const it of [...chans, quit, done]) it.dispose();
  },
};

/** Main's part: sends its own and takes what comes meanwhile. */
async function exchangeHere(
  chans: readonly Chan<number>[],
  producer: number,
  values: number,
  seed: number,
): Promise<number[]> {
  const below = random(seed);
  const got: number[] = [];
  let sent = 0;
  while (sent < values) {
    const cases = [
      ...chans.map((ch) => recvFrom(ch)),
      ...chans.map((ch) => sendTo(ch, stamp(producer, sent))),
    ];
    if (below(5) === 0) cases.push(otherwise);
    const { index, value } = await selectAsync(cases);
    if (index < chans.length) got.push(value as number);
    else if (index < chans.length * 2) sent++;
    else await turn();
  }
  return got;
}

const waitGroup: Scenario = {
  name: 'wait-group',
  async run(crew, size) {
    for (let round = 0; round < 1 + (size >> 8); round++) {
      const start = new WaitGroup();
      const finish = new WaitGroup();
      const cells = cellsOf(1);
      start.add(crew.size);
      finish.add(crew.size);
      const threads = crew.all<number>('meet', () => ({
        start: start.handle(),
        finish: finish.handle(),
        cells,
      }));
      await finish.waitAsync();
      expectEqual(
        await threads,
        Array.from({ length: crew.size }, () => crew.size),
        'what each saw after the wait',
      );
      start.dispose();
      finish.dispose();
    }
  },
};

const once: Scenario = {
  name: 'once',
  async run(crew, size) {
    const all = Array.from({ length: 1 + (size >> 4) }, () => new Once());
    const cells = cellsOf(all.length);
    const handles = all.map((o) => o.handle());
    const threads = crew.all<number>('onces', () => ({ handles, cells }));
    let early = 0;
    for (const [i, o] of all.entries()) {
      await o.doAsync(async () => {
        await turn();
        Atomics.add(cells, i, 1);
      });
      if (Atomics.load(cells, i) !== 1) early++;
    }
    for (const theirs of await threads) early += theirs;
    expectEqual(early, 0, 'calls that returned before the function had');
    expectEqual(new Set(cells), new Set([1]), 'runs of each');
    for (const o of all) o.dispose();
  },
};

const cond: Scenario = {
  name: 'cond',
  async run(crew, size) {
    const l = new Mutex();
    const turned = new Cond(l);
    const cells = cellsOf(1);
    const players = crew.size + 1;
    const times = size >> 5;
    const handles = { mutex: l.handle(), cond: turned.handle() };
    const threads = crew.all('takeTurns', (me) => ({ ...handles, cells, me, players, times }));
    for (let i = 0; i < times; i++) {
      await l.lockAsync();
      while (cells[0] % players !== crew.size) await turned.waitAsync();
      cells[0]++;
      turned.broadcast();
      l.unlock();
    }
    await threads;
    expectEqual(cells[0], players * times, 'turns taken');
    l.dispose();
    turned.dispose();
  },
};

const churn: Scenario = {
  name: 'churn',
  async run(crew, size, seed) {
    await crew.all('churn', (member) => ({ times: size, seed: seed + member }));
  },
};

const disposal: Scenario = {
  name: 'dispose',
  async run(crew, size) {
    // Channels are disposed while threads receive from them or are about to.
    const chans = Array.from({ length: 1 + (size >> 5) }, () => new Chan<number>(1, { elem: 'number' }));
    const handles = chans.map((ch) => ch.handle());
    const threads = crew.all<number[]>('receiveUntilStale', () => ({ chans: handles }));
    const sent: number[] = [];
    for (const [i, ch] of chans.entries()) {
      if (i % 2 === 0) await turn();
      if (ch.trySend(i)) sent.push(i);
      ch.dispose();
    }
    const got = (await threads).flat();
    expectEqual(new Set(got).size, got.length, 'values received once');
    if (!got.every((v) => sent.includes(v))) throw new Error('a value was received that nobody sent');
  },
};

export const scenarios: readonly Scenario[] = [
  mutualExclusion,
  starvation,
  readersAndWriters,
  flow(0, 'any'),
  flow(0, 'number'),
  flow(1, 'number'),
  flow(1, 'any'),
  flow(16, 'any'),
  switchboard,
  waitGroup,
  once,
  cond,
  churn,
  disposal,
];
