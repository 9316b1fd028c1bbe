/** Locks and conditions. */
import { Cond, type Locker, Mutex, RWMutex } from '../../../src/sync/index.js';
import type { LockOp, Result } from './format.js';
import { type Script, wait } from './script.js';
import type { World } from './world.js';

export function* lockOp(world: World, op: LockOp): Script<Result> {
  if ('cond' in op) return yield* condOp(world.get(op.cond, Cond), op.op);
  switch (op.op) {
    case 'lock':
      yield* lock(exclusive(world, op.mu));
      return {};
    case 'unlock':
      exclusive(world, op.mu).unlock();
      return {};
    case 'tryLock':
      return { ok: exclusive(world, op.mu).tryLock() };
  }
  const mu = world.get(op.mu, RWMutex);
  switch (op.op) {
    case 'rLock':
      yield* wait(
        () => mu.rLock(),
        () => mu.rLockAsync(),
      );
      return {};
    case 'rUnlock':
      mu.rUnlock();
      return {};
    case 'tryRLock':
      return { ok: mu.tryRLock() };
    case 'rlockerLock':
      yield* lock(mu.rlocker());
      return {};
    case 'rlockerUnlock':
      mu.rlocker().unlock();
      return {};
  }
}

function exclusive(world: World, name: string): Mutex | RWMutex {
  const mu = world.get<object>(name, Object);
  return mu instanceof Mutex ? mu : world.get(name, RWMutex);
}

const lock = (l: Locker): Script<void> =>
  wait(
    () => l.lock(),
    () => l.lockAsync(),
  );

function* condOp(cond: Cond, op: string): Script<Result> {
  const compound = op === 'condWaitUnlock';
  if (op === 'signal') cond.signal();
  else if (op === 'broadcast') cond.broadcast();
  else {
    if (compound) yield* lock(cond.l);
    yield* wait(
      () => cond.wait(),
      () => cond.waitAsync(),
    );
    if (compound) cond.l.unlock();
  }
  return {};
}
