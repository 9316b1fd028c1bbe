/** WaitGroup: a counter that may go below zero, with a panic, and stays there. */
import type { Op, Run } from './world.js';

export interface WaitGroupModel {
  counter: number;
  waiting: number[];
}

export const newWaitGroup = (): WaitGroupModel => ({ counter: 0, waiting: [] });

export function stepWaitGroup(run: Run, g: number, op: Extract<Op, { wg: number }>): void {
  const group = run.world.groups[op.wg];
  if (op.op === 'wait') {
    run.block(g, op);
    if (group.counter === 0) run.complete(g);
    else group.waiting.push(g);
    return;
  }
  group.counter += op.n;
  if (group.counter < 0) return run.complete(g, { error: 'ERR_NEGATIVE_WAITGROUP' });
  run.complete(g);
  if (group.counter === 0) for (const waiter of group.waiting.splice(0)) run.complete(waiter);
}
