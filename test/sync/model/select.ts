/** Select: one decision over several channels; a blocked one stands in all their lines until one fires it. */
import { type Waiter, canRecv, canSend, recvNow, sendNow } from './chan.js';
import type { Op, Result, Run } from './world.js';

type SelectOp = Extract<Op, { op: 'select' }>;

export function stepSelect(run: Run, g: number, op: SelectOp): void {
  const { chans } = run.world;
  const ready = op.cases.flatMap((c, index) =>
    c.dir !== 'default' && (c.dir === 'send' ? canSend(chans[c.ch]) : canRecv(chans[c.ch])) ? [index] : [],
  );
  if (ready.length > 0) {
    const index = ready[run.choose(ready.length)];
    const c = op.cases[index];
    if (c.dir === 'recv') run.complete(g, { index, ...recvNow(run, chans[c.ch]) });
    else if (c.dir === 'send') {
      run.complete(g, sendNow(run, chans[c.ch], c.v) ? { index } : { error: 'ERR_SEND_ON_CLOSED' });
    }
    return;
  }
  const fallback = op.cases.findIndex((c) => c.dir === 'default');
  if (fallback >= 0) return run.complete(g, { index: fallback });
  run.block(g, op);
  chans.forEach((ch, at) => {
    if (ch.nil) return;
    const casesOf = (dir: 'send' | 'recv'): number[] =>
      op.cases.flatMap((c, index) => (c.dir === dir && c.ch === at ? [index] : []));
    const receives = casesOf('recv');
    const sends = casesOf('send');
    if (receives.length > 0) ch.receivers.push({ g, cases: receives });
    if (sends.length > 0) ch.senders.push({ g, cases: sends });
  });
}

/** A sleeping select was chosen from the line it stood in: answers the value of the case, if it sends. */
export function fireSelect(run: Run, waiter: Waiter, outcome: Result): number {
  const { g, cases = [] } = waiter;
  const { op } = run.world.routines[g] as { op: SelectOp };
  const index = cases[run.choose(cases.length)];
  for (const ch of run.world.chans) {
    ch.receivers = ch.receivers.filter((other) => other.g !== g);
    ch.senders = ch.senders.filter((other) => other.g !== g);
  }
  run.complete(g, outcome.error === undefined ? { index, ...outcome } : outcome);
  const chosen = op.cases[index];
  return chosen.dir === 'send' ? chosen.v : 0;
}
