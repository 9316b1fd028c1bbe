/** A select over four channels, from which it receives. */
import { Chan, recvFrom, selectAsync, type SelectCase } from '../../src/sync/index.js';
import { type Effort, type Loop, measure, summarize } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';

interface Four {
  readonly chans: readonly Chan<void>[];
  readonly cases: readonly SelectCase[];
}

function four(shared: boolean): Four {
  const chans = Array.from({ length: 4 }, () => new Chan<void>(1, { elem: 'void' }));
  if (shared) for (const chan of chans) chan.handle();
  return { chans, cases: chans.map((chan) => recvFrom(chan)) };
}

/** One is ready: signal it, select. */
function readyLoop({ chans, cases }: Four): Loop {
  return async (times) => {
    for (let i = 0; i < times; i++) {
      chans[i & 3].trySend();
      await selectAsync(cases);
    }
  };
}

/** None is ready: select, signal one, wake. */
function parkedLoop({ chans, cases }: Four): Loop {
  return async (times) => {
    for (let i = 0; i < times; i++) {
      const selected = selectAsync(cases);
      chans[i & 3].trySend();
      await selected;
    }
  };
}

export function onOneThread(effort: Effort): Promise<Record<string, number[]>> {
  return measure(
    {
      ready: readyLoop(four(false)),
      parked: parkedLoop(four(false)),
      readyShared: readyLoop(four(true)),
      parkedShared: parkedLoop(four(true)),
    },
    effort,
  );
}

export const select4: Bench = {
  names: [
    'sync.select4.ready',
    'sync.select4.parked',
    'sync.select4.ready.shared',
    'sync.select4.parked.shared',
  ],
  async run(effort) {
    const ns = await onThread<Record<string, number[]>>(import.meta.url, 'onOneThread', effort);
    return [
      summarize('sync.select4.ready', ns.ready),
      summarize('sync.select4.parked', ns.parked),
      summarize('sync.select4.ready.shared', ns.readyShared),
      summarize('sync.select4.parked.shared', ns.parkedShared),
    ];
  },
};
