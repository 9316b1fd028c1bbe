/** The sentinel's thread: one life line a watched thread, a sweep when it closes. See src/check/sentinel.ts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { LifelineHello, SentinelReport } from '../src/check/sentinel.js';
import { toWireError } from '../src/observe/errors.js';
import { sweep } from '../src/sync/sweep.js';

const report = (what: SentinelReport): void => parentPort?.postMessage(what);

function watch(line: MessagePort): void {
  let hello: LifelineHello | null = null;
  line.on('message', (message: LifelineHello) => (hello = message));
  line.on('close', () => {
    if (hello !== null) bury(hello, { abandoned: 0, places: 0 });
  });
}

/** Another dead thread may stand in the way: then its own line closes too, and we come back to this one. */
function bury(who: LifelineHello, before: { abandoned: number; places: number }): void {
  try {
    const { abandoned, places, again } = sweep(who.slot, who.incarnation);
    const sum = { abandoned: before.abandoned + abandoned, places: before.places + places };
    if (again) setTimeout(bury, 10, who, sum);
    else report({ death: { slot: who.slot, incarnation: who.incarnation, ...sum } });
  } catch (error) {
    report({ failed: toWireError(error) });
  }
}

parentPort?.on('message', watch);
report({ ready: true });
