/** Goroutines from start to end. */
import { go } from '../../src/sync/index.js';
import { type Effort, type Loop, compare, measure } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';

/** So many at once, as a host starts them; then they all run. */
const BATCH = 64;

const nothing = async (): Promise<void> => {};

function spawnLoop(start: (body: () => Promise<void>) => void): Loop {
  return async (times) => {
    for (let started = 0; started < times; started += BATCH) {
      for (let i = 1; i < BATCH; i++) start(nothing);
      await new Promise<void>((resolve) => start(async () => resolve()));
    }
  };
}

export function onOneThread(effort: Effort): Promise<Record<string, number[]>> {
  return measure(
    {
      raw: spawnLoop((body) => queueMicrotask(() => void body())),
      go: spawnLoop((body) => void go(body)),
    },
    effort,
  );
}

export const spawn: Bench = {
  names: ['sync.go.spawn'],
  async run(effort) {
    const ns = await onThread<Record<string, number[]>>(import.meta.url, 'onOneThread', effort);
    return [compare('sync.go.spawn', ns.go, 'queueMicrotask', ns.raw)];
  },
};
