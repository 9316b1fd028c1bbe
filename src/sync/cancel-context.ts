/**
 * Contexts that end: withCancel, withTimeout, withDeadline.
 *
 * Invariants
 * - A context that has not ended is among its parent's children (`#above` is that parent, the nearest one that
 *   can end). One that has ended is nobody's child, has no children, no timer and no watch.
 * - Local, the truth is `#outcome`. Shared, it is the word at the Done channel, and `#outcome` is what this
 *   thread knows of it.
 * - A shared context watches its word exactly while something here hangs on it: a child, a signal, a timer.
 *   So a dropped attachment costs nothing, and the timer of a context ended elsewhere is stopped.
 * - `#polled`: it, or one above, is shared or has a deadline. Others never look further than themselves.
 *
 * Ending goes through the whole tree before the first abort listener runs: those may do anything.
 */
import { Chan, type ChanHandle } from './chan.js';
import { type TimerHandle, checkTime } from './clock.js';
import {
  type Outcome,
  canceledFor,
  causeToWire,
  deadlineExceeded,
  expiredFor,
  lost,
} from './context-errors.js';
import { Context, type ContextHandle, type ContextKey, checkParent } from './context.js';
import { staleHandle } from './errors.js';
import { goDeadline } from './go-time.js';
import type { Park } from './park.js';
import { SharedDone } from './shared-done.js';

export type CancelFunc = () => void;
/** What is not an Error becomes one; nothing means the context's error is the cause. */
export type CancelCauseFunc = (cause?: unknown) => void;

export interface DeadlineOptions {
  /** The cause if the deadline ends it; not used when the cancel function does. */
  readonly cause?: unknown;
}

/** What the end of a context is passed on to. */
export interface Child {
  end(outcome: Outcome, aborts: Abort[]): void;
  markPolled(): void;
}

export interface Abort {
  readonly controller: AbortController;
  readonly reason: Error;
}

interface Deadline {
  readonly at: number;
  /** What its passing comes to. */
  readonly outcome: Outcome;
}

/** Made elsewhere: where its end is told, and the ends of those above it there. */
export interface Elsewhere {
  readonly done: Chan<void>;
  readonly above: readonly SharedDone[];
}

export class CancelContext extends Context implements Child {
  readonly #parent: Context;
  readonly #deadline: Deadline | null;
  #above: CancelContext | null = null;
  #children: Set<Child> | null = null;
  #outcome: Outcome | null = null;
  #done: Chan<void> | null = null;
  #shared: SharedDone | null = null;
  /** Of an attached one: shared contexts above it, which have no object on this thread. */
  #aboveElsewhere: readonly SharedDone[] = [];
  #watch: Park | null = null;
  #timer: TimerHandle | null = null;
  #controller: AbortController | null = null;
  #polled: boolean;
  #disposed = false;

  constructor(parent: Context, deadline: Deadline | null = null, elsewhere: Elsewhere | null = null) {
    super(parent.clock);
    this.#parent = parent;
    this.#deadline = deadline;
    this.#polled = deadline !== null || elsewhere !== null;
    if (elsewhere !== null) {
      this.#done = elsewhere.done;
      this.#shared = new SharedDone(elsewhere.done);
      this.#aboveElsewhere = elsewhere.above;
      return;
    }
    const above = parent.core;
    if (above === null) return;
    this.#polled ||= above.#polled;
    this.#outcome = above.outcome();
    if (this.#outcome !== null) return;
    this.#above = above;
    above.adopt(this);
  }

  get core(): CancelContext {
    return this;
  }

  deadline(): number | undefined {
    return this.#deadline?.at ?? this.#parent.deadline();
  }

  value(key: ContextKey): unknown {
    return this.#parent.value(key);
  }

  carry(values: Map<ContextKey, unknown>): void {
    this.#parent.carry(values);
  }

  toString(): string {
    const name = this.#parent.toString();
    return this.#deadline === null
      ? `${name}.WithCancel`
      : `${name}.WithDeadline(${goDeadline(this.#deadline.at, this.clock.now())})`;
  }

  override dispose(): void {
    if (this.#disposed) return;
    if (this.#shared?.isOver === true) this.#absorb();
    this.#disposed = true;
    const aborts: Abort[] = [];
    this.#unwatch();
    this.#done?.dispose();
    if (this.#outcome === null) this.#passOn(lost, aborts);
    dispatch(aborts);
  }

  // --- for contexts above and below --------------------------------------------------------------------------

  /** How it ended, as far as anybody knows by now. */
  outcome(): Outcome | null {
    if (this.#disposed || (this.#shared !== null && !this.#shared.isLive)) throw staleHandle('context');
    if (this.#polled && this.#outcome === null) this.#poll();
    return this.#outcome;
  }

  doneChan(): Chan<void> {
    const ended = this.outcome() !== null;
    if (this.#done === null) {
      this.#done = new Chan<void>(0, { elem: 'void' });
      if (ended) this.#done.close();
    }
    return this.#done;
  }

  abortSignal(): AbortSignal {
    const outcome = this.outcome();
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (outcome === null) this.#review();
      else this.#controller.abort(outcome.cause);
    }
    return this.#controller.signal;
  }

  adopt(child: Child): void {
    (this.#children ??= new Set()).add(child);
    this.#review();
  }

  release(child: Child): void {
    if (this.#children?.delete(child) === true) this.#review();
  }

  markPolled(): void {
    if (this.#polled) return;
    this.#polled = true;
    if (this.#children !== null) for (const child of this.#children) child.markPolled();
  }

  /** Ends it, unless it has ended. */
  cancel(outcome: Outcome): void {
    const aborts: Abort[] = [];
    this.end(outcome, aborts);
    dispatch(aborts);
  }

  end(outcome: Outcome, aborts: Abort[]): void {
    if (this.#outcome !== null || this.#disposed) return;
    const shared = this.#shared;
    if (shared === null) {
      this.#passOn(outcome, aborts, () => this.#done?.closeWith());
      return;
    }
    this.#unwatch();
    // Somebody on another thread may have been first.
    this.#passOn(shared.close(outcome) ? outcome : shared.outcome(), aborts);
  }

  /** Starts the timer, if there is still something to end. */
  startTimer(): void {
    const deadline = this.#deadline;
    if (deadline === null || this.#outcome !== null) return;
    if (deadline.at <= this.clock.now()) return this.cancel(deadline.outcome);
    this.#timer = this.clock.setTimer(deadline.at, () => this.cancel(deadline.outcome));
  }

  /** Moves it to shared memory; what of it goes into a handle. */
  share(): Pick<ContextHandle, 'done' | 'above' | 'expiry'> {
    const chan = this.doneChan();
    const done = chan.handle();
    if (this.#shared === null) {
      this.#shared = new SharedDone(chan);
      if (this.#outcome !== null) this.#shared.record(this.#outcome);
      this.markPolled();
      this.#review();
    }
    const above: ChanHandle[] = [];
    for (let core = this as CancelContext | null; core !== null; core = core.#above) {
      if (core !== this && core.#shared?.isLive === true) above.push(core.#shared.handle());
      for (const shared of core.#aboveElsewhere) if (shared.isLive) above.push(shared.handle());
    }
    const own = this.#deadline?.outcome.cause;
    const expiry = own === undefined ? null : { cause: own === deadlineExceeded ? null : causeToWire(own) };
    return { done, above, expiry };
  }

  // --- inside -----------------------------------------------------------------------------------------------

  /** Looks at every word and deadline that may have ended this context without this thread's doing. */
  #poll(): void {
    let looked = false;
    for (let core = this as CancelContext | null; core !== null && this.#outcome === null;) {
      const next: CancelContext | null = core.#above;
      if (core.#shared?.isOver === true) core.#absorb();
      const over = core.#aboveElsewhere.find((shared) => shared.isOver && shared.isLive);
      if (over !== undefined) core.cancel(over.outcome());
      // Deadlines only get later on the way up: the nearest one decides.
      if (!looked && core.#deadline !== null && core.#outcome === null) {
        looked = true;
        if (core.#deadline.at <= core.clock.now()) core.cancel(core.#deadline.outcome);
      }
      core = next;
    }
  }

  /** Its word changed on another thread. */
  #absorb(): void {
    if (this.#outcome !== null || this.#shared === null) return;
    const aborts: Abort[] = [];
    this.#unwatch();
    this.#passOn(this.#shared.outcome(), aborts);
    dispatch(aborts);
  }

  #passOn(outcome: Outcome, aborts: Abort[], close?: () => void): void {
    this.#outcome = outcome;
    close?.();
    this.#timer?.stop();
    this.#timer = null;
    const children = this.#children;
    this.#children = null;
    if (this.#controller !== null) aborts.push({ controller: this.#controller, reason: outcome.cause });
    if (children !== null) for (const child of children) child.end(outcome, aborts);
    this.#above?.release(this);
    this.#above = null;
  }

  /** Starts or ends the watch, as what hangs on the context asks for. */
  #review(): void {
    const shared = this.#shared;
    if (shared === null || this.#outcome !== null || this.#disposed) return;
    const hasChildren = this.#children !== null && this.#children.size > 0;
    if (!hasChildren && this.#controller === null && this.#timer === null) return this.#unwatch();
    if (this.#watch !== null) return;
    this.#watch = shared.watch(() => {
      this.#watch = null;
      if (shared.isOver) this.#absorb();
      else this.#review();
    });
    if (this.#watch === null) this.#absorb();
  }

  #unwatch(): void {
    const watch = this.#watch;
    this.#watch = null;
    if (watch !== null) this.#shared?.unwatch(watch);
  }
}

function dispatch(aborts: readonly Abort[]): void {
  for (const { controller, reason } of aborts) controller.abort(reason);
}

export function withCancel(parent: Context): [ctx: Context, cancel: CancelFunc] {
  const [ctx, cancel] = withCancelCause(parent);
  return [ctx, () => cancel()];
}

export function withCancelCause(parent: Context): [ctx: Context, cancel: CancelCauseFunc] {
  checkParent(parent);
  const ctx = new CancelContext(parent);
  return [ctx, (cause) => ctx.cancel(canceledFor(cause))];
}

/** Ends by itself after `ms`. */
export function withTimeout(
  parent: Context,
  ms: number,
  options?: DeadlineOptions,
): [ctx: Context, cancel: CancelFunc] {
  checkParent(parent);
  checkTime('ms', ms);
  return withDeadline(parent, parent.clock.now() + ms, options);
}

/** Ends by itself at time `at` of its clock. If the parent ends earlier anyway, the deadline and its cause are not used. */
export function withDeadline(
  parent: Context,
  at: number,
  options: DeadlineOptions = {},
): [ctx: Context, cancel: CancelFunc] {
  checkParent(parent);
  checkTime('at', at);
  const inherited = parent.deadline();
  if (inherited !== undefined && inherited < at) return withCancel(parent);
  const ctx = new CancelContext(parent, { at, outcome: expiredFor(options.cause) });
  ctx.startTimer();
  return [ctx, () => ctx.cancel(canceledFor(null))];
}
