/**
 * What one changed pod among N costs from the signal until its request starts: the loop wakes, takes the dirty set, asks
 * the lanes, and hands the pod to the queue. Upstream looks at all N pods for each signal.
 */
import { ApiError } from '../../src/kube/api-error.js';
import { defaultGates, withGates } from '../../src/kube/gates.js';
import type { MirrorPodUID } from '../../src/kube/types.js';
import type { StatusClient } from '../../src/status/index.js';
import type { Effort } from '../measure.js';
import { median } from '../stats.js';
import { benchStatus } from './pods.js';
import { setUp } from './setup.js';

export const SIGNAL_PODS = [100, 1000, 10_000, 50_000] as const;

/** Nanoseconds a change, the median of each round: each is a few microseconds between two waits, and one that was disturbed tells nothing. */
export async function benchSignal(count: number, effort: Effort): Promise<number[]> {
  let started: () => void = () => {};
  // The first request is a GET for a pod that is not there: that ends it until the pod changes again.
  const client: StatusClient = {
    getPod: async () => {
      started();
      throw new ApiError(404, 'NotFound', 'that is far enough');
    },
    patchPodStatus: () => Promise.reject(new Error('nobody gets here')),
    deletePod: () => Promise.reject(new Error('nobody gets here')),
  };
  const { manager, pods } = setUp(count, {
    client,
    gates: withGates(defaultGates, { PatchFirst: false }),
    syncPeriodMs: 1e9,
  });
  pods.forEach((pod, i) => {
    manager.setPodStatus(pod, benchStatus(i, false));
    manager.setApiStatusVersion(pod.metadata.uid as MirrorPodUID, 1);
  });
  await manager.start();
  const perRound = Math.max(20, Math.round(effort.samples / 2));
  const samples: number[] = [];
  let turn = 0;
  for (let round = -1; round < effort.rounds; round++) {
    const spent: number[] = [];
    for (let i = 0; i < perRound; i++, turn++) {
      const pod = (turn * 7919) % count;
      const status = benchStatus(pod, Math.floor(turn / count) % 2 === 0);
      await manager.idle();
      const reached = new Promise<void>((resolve) => (started = resolve));
      manager.setPodStatus(pods[pod], status);
      const start = process.hrtime.bigint();
      await reached;
      spent.push(Number(process.hrtime.bigint() - start));
    }
    if (round >= 0) samples.push(median(spent));
  }
  await manager.stop({ deadlineMs: 0 });
  return samples;
}
