/** What it costs to ask a context whether it has ended, as a loop that never yields does. */
import {
  type Context,
  attachContext,
  background,
  withCancel,
  withTimeout,
  type ContextHandle,
} from '../../src/sync/index.js';
import { type Effort, type Loop, compare, measure } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';

const LOAD = 'Atomics.load';

interface Shared {
  readonly effort: Effort;
  readonly ctx: ContextHandle;
}

function checkLoop(ctx: Context): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) if (ctx.isDone) throw new Error('nobody ends it');
  };
}

function loadLoop(): Loop {
  const words = new Int32Array(new SharedArrayBuffer(64));
  return (times) => {
    for (let i = 0; i < times; i++) if (Atomics.load(words, 4) !== 0) throw new Error('nobody writes it');
  };
}

export async function onOneThread({ effort, ctx }: Shared): Promise<Record<string, number[]>> {
  const [local] = withCancel(background());
  const [timed, cancel] = withTimeout(background(), 3_600_000);
  const attached = attachContext(ctx);
  try {
    return await measure(
      { raw: loadLoop(), local: checkLoop(local), shared: checkLoop(attached), timed: checkLoop(timed) },
      effort,
    );
  } finally {
    cancel();
  }
}

export const contextCheck: Bench = {
  names: ['sync.context.check', 'sync.context.check.local', 'sync.context.check.deadline'],
  async run(effort) {
    const [ctx, cancel] = withCancel(background());
    const shared: Shared = { effort, ctx: ctx.handle() };
    const ns = await onThread<Record<string, number[]>>(import.meta.url, 'onOneThread', shared);
    cancel();
    return [
      compare('sync.context.check', ns.shared, LOAD, ns.raw),
      compare('sync.context.check.local', ns.local, LOAD, ns.raw),
      compare('sync.context.check.deadline', ns.timed, LOAD, ns.raw),
    ];
  },
};
