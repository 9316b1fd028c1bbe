/** Mutex: with everything settled between steps nobody barges, so the line is served in order. */
import type { Op, Run } from './world.js';

export interface MutexModel {
  locked: boolean;
  line: number[];
}

export const newMutex = (): MutexModel => ({ locked: false, line: [] });

export function stepMutex(run: Run, g: number, op: Extract<Op, { mu: number }>): void {
  const mutex = run.world.mutexes[op.mu];
  switch (op.op) {
    case 'lock':
      run.block(g, op);
      return enter(run, mutex, g);
    case 'tryLock':
      run.complete(g, { ok: !mutex.locked });
      mutex.locked = true;
      return;
    case 'unlock':
      if (!mutex.locked) return run.complete(g, { error: 'ERR_UNLOCK_OF_UNLOCKED' });
      leave(run, mutex);
      run.complete(g);
  }
}

/** `g`, which is blocked in some operation, completes it as soon as it has the lock. */
export function enter(run: Run, mutex: MutexModel, g: number): void {
  if (mutex.locked) mutex.line.push(g);
  else {
    mutex.locked = true;
    run.complete(g);
  }
}

export function leave(run: Run, mutex: MutexModel): void {
  const next = mutex.line.shift();
  if (next === undefined) mutex.locked = false;
  else run.complete(next);
}
