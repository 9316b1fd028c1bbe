/** The state of a case's objects that FORMAT.md counts as observable. */
import { Chan, Context, Once, OnceFunc } from '../../../src/sync/index.js';
import { textOf } from './context-ops.js';
import type { World } from './world.js';

/** Undefined if the case has nothing to show. */
export function observe(world: World): Record<string, unknown> | undefined {
  const seen: Record<string, unknown> = {};
  for (const [name, object] of world.objects()) {
    if (object instanceof Chan) seen[name] = { len: object.len, cap: object.cap };
    else if (object instanceof Once || object instanceof OnceFunc) seen[name] = { runs: world.runs(name) };
    else if (object instanceof Context) seen[name] = contextState(object);
  }
  return Object.keys(seen).length > 0 ? seen : undefined;
}

function contextState(ctx: Context): Record<string, unknown> {
  const done = ctx.done();
  return {
    done: done.isNil ? 'nil' : done.isClosed ? 'closed' : 'open',
    err: textOf(ctx.err()),
    cause: textOf(ctx.cause()),
  };
}
