/** RWMutex: writers win their own line first, then announce themselves and wait for the readers inside. */
import type { Op, Run } from './world.js';

export interface RWMutexModel {
  readers: number;
  writing: boolean;
  /** The writer that has announced itself. */
  pending: number | null;
  readerLine: number[];
  writerLine: number[];
}

export const newRWMutex = (): RWMutexModel => ({
  readers: 0,
  writing: false,
  pending: null,
  readerLine: [],
  writerLine: [],
});

export function stepRWMutex(run: Run, g: number, op: Extract<Op, { rw: number }>): void {
  const rw = run.world.rwmutexes[op.rw];
  const barred = rw.writing || rw.pending !== null;
  switch (op.op) {
    case 'wLock':
      run.block(g, op);
      if (barred) rw.writerLine.push(g);
      else announce(run, rw, g);
      return;
    case 'rLock':
      run.block(g, op);
      if (barred) rw.readerLine.push(g);
      else admit(run, rw, g);
      return;
    case 'wTryLock': {
      const ok = !barred && rw.readers === 0;
      rw.writing ||= ok;
      return run.complete(g, { ok });
    }
    case 'tryRLock':
      if (!barred) rw.readers++;
      return run.complete(g, { ok: !barred });
    case 'wUnlock': {
      if (!rw.writing) return run.complete(g, { error: 'ERR_RW_UNLOCK_OF_UNLOCKED' });
      rw.writing = false;
      for (const reader of rw.readerLine.splice(0)) admit(run, rw, reader);
      const writer = rw.writerLine.shift();
      if (writer !== undefined) announce(run, rw, writer);
      return run.complete(g);
    }
    case 'rUnlock': {
      if (rw.readers === 0) return run.complete(g, { error: 'ERR_RUNLOCK_OF_UNLOCKED' });
      rw.readers--;
      const { pending } = rw;
      if (pending !== null && rw.readers === 0) announce(run, rw, pending);
      run.complete(g);
    }
  }
}

function admit(run: Run, rw: RWMutexModel, g: number): void {
  rw.readers++;
  run.complete(g);
}

function announce(run: Run, rw: RWMutexModel, g: number): void {
  rw.writing = rw.readers === 0;
  rw.pending = rw.writing ? null : g;
  if (rw.writing) run.complete(g);
}
