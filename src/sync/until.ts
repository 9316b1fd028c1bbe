/**
 * wait: loops as k8s.io/apimachinery's util/wait runs them, on the clock of their context.
 *
 * The function runs at once, then again a period after it has returned (or, not sliding, after it was started),
 * until the context ends; it is never cut short. What it throws ends the loop.
 */
import { background, type Context } from './context.js';
import { recvFrom, selectAsync } from './select.js';
import { Timer } from './timer.js';

export interface JitterOptions {
  /** Each period is longer by a random part of itself, up to this many times; not above 0: by nothing. */
  readonly factor?: number;
  /** The period starts when the function returns. Default true. */
  readonly sliding?: boolean;
}

type Body = (ctx: Context) => unknown;

/** `duration`, longer by up to `factor` times itself; a factor not above 0 stands for 1. */
function jitter(duration: number, factor: number): number {
  return duration + Math.random() * (factor > 0 ? factor : 1) * duration;
}

async function jitterUntil(
  fn: Body,
  period: number,
  ctx: Context,
  options: JitterOptions = {},
): Promise<void> {
  const { factor = 0, sliding = true } = options;
  const start = (): Timer => new Timer(ctx.clock, factor > 0 ? jitter(period, factor) : period);
  while (!ctx.isDone) {
    const early = sliding ? null : start();
    try {
      await fn(ctx);
    } catch (error) {
      early?.stop();
      throw error;
    }
    const timer = early ?? start();
    const { index } = await selectAsync([recvFrom(ctx.done()), recvFrom(timer.c)]);
    if (index === 0) return void timer.stop();
  }
}

const until = (fn: Body, period: number, ctx: Context): Promise<void> => jitterUntil(fn, period, ctx);

/** Until the end of the process, or for as long as `root` has not ended. */
const forever = (fn: Body, period: number, root: Context = background()): Promise<void> =>
  jitterUntil(fn, period, root);

export const wait = { jitter, jitterUntil, until, forever } as const;
