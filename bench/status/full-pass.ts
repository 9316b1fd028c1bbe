/**
 * The pass over 10,000 pods whose status on the server is what it should be: the first one, which compares them all, and
 * the next ones, which find that nothing was replaced; how long each took, and how long it held the thread at most.
 */
import type { MirrorPodUID } from '../../src/kube/types.js';
import { FakeClock } from '../../src/sync/index.js';
import type { Effort } from '../measure.js';
import { benchStatus } from './pods.js';
import { setUp } from './setup.js';

export interface Pass {
  readonly ms: number;
  readonly longestHoldMs: number;
}

const PERIOD_MS = 10_000;

export async function benchFullPass(count: number, effort: Effort): Promise<{ first: Pass[]; next: Pass[] }> {
  const first: Pass[] = [];
  const next: Pass[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const clock = new FakeClock();
    const { manager, podManager, pods } = setUp(count, { clock, syncPeriodMs: PERIOD_MS });
    pods.forEach((pod, i) => {
      manager.setPodStatus(pod, benchStatus(i, true));
      podManager.updatePod({ ...pod, status: manager.getPodStatus(pod.metadata.uid as never)! });
      manager.setApiStatusVersion(pod.metadata.uid as MirrorPodUID, 1);
    });
    await manager.start();
    await quiet();
    for (const passes of [first, next]) {
      passes.push(
        await held(async () => {
          await clock.advance(PERIOD_MS);
          // The loop wakes in the turn after; the pass is under way then.
          await quiet();
          await manager.idle();
        }),
      );
    }
    await manager.stop({ deadlineMs: 0 });
  }
  return { first, next };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function quiet(): Promise<void> {
  for (let i = 0; i < 3; i++) await turn();
}

/** How long it takes, and the longest time the event loop stood still meanwhile. */
async function held(work: () => Promise<void>): Promise<Pass> {
  let last = performance.now();
  let longestHoldMs = 0;
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    longestHoldMs = Math.max(longestHoldMs, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  isOver = true;
  await turn();
  return { ms, longestHoldMs };
}
