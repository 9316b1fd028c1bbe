/** `setPodStatus` with a changed and with an equal status; `getPodStatus`. */
import type { PodUID } from '../../src/kube/types.js';
import { type Effort, measure } from '../measure.js';
import { benchStatus } from './pods.js';
import { setUp } from './setup.js';

const PODS = 1000;

export async function benchSet(effort: Effort) {
  const { manager, pods } = setUp(PODS);
  const still = setUp(PODS);
  const statuses = [false, true].map((ready) => pods.map((_, i) => benchStatus(i, ready)));
  pods.forEach((pod, i) => still.manager.setPodStatus(pod, statuses[1][i]));
  let turn = 0;
  let read = 0;
  const samples = await measure(
    {
      changed(times) {
        for (let i = 0; i < times; i++, turn++) {
          const pod = turn % PODS;
          manager.setPodStatus(pods[pod], statuses[Math.floor(turn / PODS) % 2][pod]);
        }
      },
      unchanged(times) {
        for (let i = 0; i < times; i++) {
          still.manager.setPodStatus(still.pods[i % PODS], statuses[1][i % PODS]);
        }
      },
      get(times) {
        for (let i = 0; i < times; i++) {
          if (still.manager.getPodStatus(still.pods[i % PODS].metadata.uid as PodUID) !== undefined) read++;
        }
      },
    },
    effort,
  );
  if (read === 0) throw new Error('no status was read');
  await manager.stop();
  await still.manager.stop();
  return samples;
}
