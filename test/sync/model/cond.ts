/** Cond over a Mutex: signal wakes the oldest, broadcast all, and then each goes for L in any order. */
import { enter, leave } from './mutex.js';
import type { Op, Run } from './world.js';

export interface CondModel {
  /** Index of the mutex it is made with. */
  readonly l: number;
  line: number[];
}

export const newCond = (l: number): CondModel => ({ l, line: [] });

export function stepCond(run: Run, g: number, op: Extract<Op, { cond: number }>): void {
  const cond = run.world.conds[op.cond];
  const l = run.world.mutexes[cond.l];
  switch (op.op) {
    case 'condWait':
      if (!l.locked) return run.complete(g, { error: 'ERR_UNLOCK_OF_UNLOCKED' });
      run.block(g, op);
      cond.line.push(g);
      return leave(run, l);
    case 'signal': {
      const oldest = cond.line.shift();
      if (oldest !== undefined) enter(run, l, oldest);
      return run.complete(g);
    }
    case 'broadcast': {
      const woken = cond.line.splice(0);
      while (woken.length > 0) enter(run, l, woken.splice(run.choose(woken.length), 1)[0]);
      run.complete(g);
    }
  }
}
