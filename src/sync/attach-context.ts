/**
 * Contexts and cancel functions of other threads.
 *
 * What attachContext gives is the same context: what ends it anywhere ends it here. Cancelling is a capability
 * of its own: cancelHandle gives it away, and only for a context made on this thread.
 */
import { Chan, type ChanHandle } from './chan.js';
import { CancelContext, type CancelCauseFunc } from './cancel-context.js';
import { realClock } from './clock.js';
import { canceledFor, causeFromWire, expiredFor } from './context-errors.js';
import { Context, type ContextHandle, type ContextKey, background } from './context.js';
import { SyncError, foreignHandle } from './errors.js';
import { FakeClock } from './fake-clock.js';
import { SharedDone } from './shared-done.js';

class AttachedContext extends Context {
  readonly core: CancelContext | null;
  readonly #deadline: number | undefined;
  readonly #values: ReadonlyMap<ContextKey, unknown>;
  readonly #name: string;

  constructor(handle: ContextHandle) {
    const clock = handle.clock === null ? realClock : FakeClock.attach(handle.clock);
    super(clock);
    this.#deadline = handle.deadline ?? undefined;
    this.#values = handle.values;
    this.#name = handle.name;
    if (handle.done === null) {
      this.core = null;
      return;
    }
    const { deadline, expiry } = handle;
    const cause = expiry === null || expiry.cause === null ? null : causeFromWire(expiry.cause);
    this.core = new CancelContext(
      background({ clock }),
      expiry === null || deadline === null ? null : { at: deadline, outcome: expiredFor(cause) },
      { done: Chan.attach<void>(handle.done), above: handle.above.flatMap(attachLive) },
    );
  }

  deadline(): number | undefined {
    return this.#deadline;
  }

  value(key: ContextKey): unknown {
    return this.#values.get(key);
  }

  carry(values: Map<ContextKey, unknown>): void {
    for (const [key, value] of this.#values) if (!values.has(key)) values.set(key, value);
  }

  toString(): string {
    return this.#name;
  }

  override dispose(): void {
    this.core?.dispose();
  }
}

/** One above that was disposed of since the handle was taken will not end anything. */
function attachLive(handle: ChanHandle): SharedDone[] {
  try {
    return [new SharedDone(Chan.attach<void>(handle))];
  } catch (error) {
    if (error instanceof SyncError && error.code === 'ERR_STALE_HANDLE') return [];
    throw error;
  }
}

export function attachContext(handle: ContextHandle): Context {
  checkHandle('context', handle);
  return new AttachedContext(handle);
}

/** The right to cancel a context, as plain data. */
export interface CancelHandle {
  readonly podloom: 'cancel';
  readonly done: ChanHandle;
}

/** `ctx` is one that withCancel, withTimeout and their like gave on this thread. */
export function cancelHandle(ctx: Context): CancelHandle {
  if (!(ctx instanceof CancelContext)) {
    throw new SyncError(
      'ERR_NOT_CANCELLABLE',
      `no right to cancel ${String(ctx)}; take the handle on the thread that made it, from what withCancel or its like returned`,
    );
  }
  return { podloom: 'cancel', done: ctx.share().done as ChanHandle };
}

/** The cancel function of another thread's context. Without a cause it does what a plain one does. */
export function attachCancel(handle: CancelHandle): CancelCauseFunc {
  checkHandle('cancel', handle);
  const ctx = new CancelContext(background(), null, {
    done: Chan.attach<void>(handle.done),
    above: [],
  });
  return (cause) => ctx.cancel(canceledFor(cause));
}

function checkHandle(kind: 'context' | 'cancel', handle: ContextHandle | CancelHandle): void {
  const given: unknown = handle;
  if (typeof given !== 'object' || given === null) throw foreignHandle(kind, `got ${String(given)}`);
  if (handle.podloom !== kind) throw foreignHandle(kind, `it says it is a ${String(handle.podloom)}`);
}
