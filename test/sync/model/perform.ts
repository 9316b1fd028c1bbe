/** The operations of a program, on the real primitives. Runs on main and on worker threads. */
import {
  Chan,
  type ChanHandle,
  Cond,
  type CondHandle,
  Mutex,
  type MutexHandle,
  RWMutex,
  type RWMutexHandle,
  WaitGroup,
  type WaitGroupHandle,
  arena,
  otherwise,
  recvFrom,
  selectAsync,
  sendTo,
} from '../../../src/sync/index.js';
import type { Handle } from '../../../src/sync/handle.js';
import type { Op, Result, World } from './world.js';

export interface Objects {
  readonly chans: Chan<unknown>[];
  readonly mutexes: Mutex[];
  readonly rwmutexes: RWMutex[];
  readonly groups: WaitGroup[];
  readonly conds: Cond[];
}

/** Handles without the memory, which a shared channel would refuse and every thread has. */
export type Addresses = { readonly [K in keyof Objects]: readonly Omit<Handle, 'memory'>[] };

export function makeObjects(world: World): Objects {
  const mutexes = world.mutexes.map(() => new Mutex());
  return {
    chans: world.chans.map(({ nil, cap, elem }) => (nil ? Chan.nil() : new Chan(cap, { elem }))),
    mutexes,
    rwmutexes: world.rwmutexes.map(() => new RWMutex()),
    groups: world.groups.map(() => new WaitGroup()),
    conds: world.conds.map(({ l }) => new Cond(mutexes[l])),
  };
}

export function addressesOf(objects: Objects): Addresses {
  const address = (object: { handle(): Handle }): Omit<Handle, 'memory'> => {
    const { memory: _memory, ...rest } = object.handle();
    return rest;
  };
  return {
    chans: objects.chans.map(address),
    mutexes: objects.mutexes.map(address),
    rwmutexes: objects.rwmutexes.map(address),
    groups: objects.groups.map(address),
    conds: objects.conds.map(address),
  };
}

export function attachObjects(addresses: Addresses, lOf: readonly number[]): Objects {
  const { memory } = arena();
  const mutexes = addresses.mutexes.map((a) => Mutex.attach({ ...a, memory } as MutexHandle));
  return {
    chans: addresses.chans.map((a) => Chan.attach({ ...a, memory } as ChanHandle)),
    mutexes,
    rwmutexes: addresses.rwmutexes.map((a) => RWMutex.attach({ ...a, memory } as RWMutexHandle)),
    groups: addresses.groups.map((a) => WaitGroup.attach({ ...a, memory } as WaitGroupHandle)),
    conds: addresses.conds.map((a, i) => Cond.attach({ ...a, memory } as CondHandle, mutexes[lOf[i]])),
  };
}

export function allOf(objects: Objects): { handle(): Handle; dispose(): void }[] {
  const { chans, mutexes, rwmutexes, groups, conds } = objects;
  return [...chans, ...mutexes, ...rwmutexes, ...groups, ...conds];
}

export async function perform(objects: Objects, op: Op): Promise<Result> {
  try {
    return await attempt(objects, op);
  } catch (error) {
    return { error: (error as { code?: string }).code ?? String(error) };
  }
}

const plain = (value: unknown): number | null => (value === undefined ? null : (value as number));

async function attempt(objects: Objects, op: Op): Promise<Result> {
  if ('ch' in op) return attemptChan(objects.chans[op.ch], op);
  if ('cases' in op) {
    const cases = op.cases.map((c) => {
      if (c.dir === 'default') return otherwise;
      const ch = objects.chans[c.ch];
      return c.dir === 'recv' ? recvFrom(ch) : sendTo(ch, c.v);
    });
    const { index, value, ok } = await selectAsync(cases);
    return ok === undefined ? { index } : { index, v: plain(value), ok };
  }
  if ('wg' in op) {
    const group = objects.groups[op.wg];
    if (op.op === 'wait') await group.waitAsync();
    else group.add(op.n);
    return {};
  }
  if ('cond' in op) {
    const cond = objects.conds[op.cond];
    if (op.op === 'condWait') await cond.waitAsync();
    else cond[op.op]();
    return {};
  }
  return 'mu' in op
    ? attemptMutex(objects.mutexes[op.mu], op.op)
    : attemptRW(objects.rwmutexes[op.rw], op.op);
}

async function attemptChan(ch: Chan<unknown>, op: Extract<Op, { ch: number }>): Promise<Result> {
  switch (op.op) {
    case 'send':
      await ch.sendAsync(op.v);
      return {};
    case 'trySend':
      return { ok: ch.trySend(op.v) };
    case 'recv': {
      const { value, ok } = await ch.recv2Async();
      return { v: plain(value), ok };
    }
    case 'tryRecv': {
      const got = ch.tryRecv();
      return got === undefined ? {} : { v: plain(got.value), ok: got.ok };
    }
    case 'close':
      ch.close();
      return {};
  }
}

async function attemptMutex(mutex: Mutex, op: 'lock' | 'unlock' | 'tryLock'): Promise<Result> {
  if (op === 'tryLock') return { ok: mutex.tryLock() };
  if (op === 'lock') await mutex.lockAsync();
  else mutex.unlock();
  return {};
}

async function attemptRW(rw: RWMutex, op: Extract<Op, { rw: number }>['op']): Promise<Result> {
  switch (op) {
    case 'wTryLock':
      return { ok: rw.tryLock() };
    case 'tryRLock':
      return { ok: rw.tryRLock() };
    case 'wLock':
      await rw.lockAsync();
      break;
    case 'rLock':
      await rw.rLockAsync();
      break;
    case 'wUnlock':
      rw.unlock();
      break;
    case 'rUnlock':
      rw.rUnlock();
  }
  return {};
}
