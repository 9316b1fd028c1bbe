/** Contexts. */
import {
  Chan,
  Context,
  afterFunc,
  withCancel,
  withCancelCause,
  withDeadline,
  withTimeout,
  withValue,
  withoutCancel,
} from '../../../src/sync/index.js';
import type { AfterFuncOp, ContextOp, MakeContextOp, Result, Scalar } from './format.js';
import { innerOp } from './group-ops.js';
import { thrownReport } from './panics.js';
import { type Script, runAsync, wait } from './script.js';
import type { Actor, World } from './world.js';

export function* contextOp(world: World, op: ContextOp, { step }: Actor): Script<Result> {
  switch (op.op) {
    case 'cancel':
      world.cancelOf(op.ctx)();
      return {};
    case 'cancelCause':
      world.cancelOf(op.ctx)(op.cause === undefined ? undefined : new Error(op.cause));
      return {};
    case 'err':
      return { err: textOf(context(world, op.ctx).err()) };
    case 'cause':
      return { cause: causeOf(world, op.ctx) };
    case 'deadline': {
      const at = context(world, op.ctx).deadline();
      return at === undefined ? { ok: false } : { ok: true, at: Math.round(at - world.around.start) };
    }
    case 'value':
      return { value: context(world, op.ctx).value(keyOf(op.key)) ?? null };
    case 'string':
      return { string: context(world, op.ctx).toString() };
    case 'waitDone': {
      const ctx = context(world, op.ctx);
      const done = ctx.done();
      yield* wait(
        () => done.recv(),
        () => done.recvAsync(),
      );
      return { err: textOf(ctx.err()), cause: textOf(ctx.cause()) };
    }
    case 'afterFunc':
      yield* world.around.afterFunc(world, op, step);
      return {};
    case 'stop':
      return { stopped: yield* world.around.stop(world, op.fn) };
    default:
      make(world, op);
      return {};
  }
}

function make(world: World, op: MakeContextOp): void {
  const parent = context(world, op.parent);
  const { start } = world.around;
  switch (op.op) {
    case 'withCancel':
      return world.addContext(op.as, ...withCancel(parent));
    case 'withCancelCause':
      return world.addContext(op.as, ...withCancelCause(parent));
    case 'withoutCancel':
      return world.addContext(op.as, withoutCancel(parent));
    case 'withTimeout':
    case 'withTimeoutCause':
      return world.addContext(op.as, ...withTimeout(parent, op.ms, because(op.cause)));
    case 'withDeadline':
    case 'withDeadlineCause':
      return world.addContext(op.as, ...withDeadline(parent, start + op.at, because(op.cause)));
    case 'withValue':
      return world.addContext(op.as, withValue(parent, keyOf(op.key), op.val));
    default:
      throw new Error(`no such operation: ${(op as { op: string }).op}`);
  }
}

const because = (cause: string | undefined) => (cause === undefined ? {} : { cause: new Error(cause) });

/** `nil` stands for no context at all. */
function context(world: World, name: string): Context {
  return name === 'nil' ? (null as unknown as Context) : world.get(name, Context);
}

/** A key the type system would not let through stands for what Go finds at run time. */
function keyOf(key: Scalar): string {
  return (key === 'uncomparable' ? [key] : key) as string;
}

export const textOf = (error: Error | null): string | null => error?.message ?? null;

export function doneOf(world: World, name: string): Chan<void> {
  return context(world, name).done();
}

export function causeOf(world: World, name: string): string | null {
  return textOf(context(world, name).cause());
}

/** Registers the function on this thread. It recovers what its function panics with, as the recording did. */
export function afterFuncHere(world: World, op: AfterFuncOp, step: number): void {
  const actor = { g: op.as, step };
  const stop = afterFunc(context(world, op.ctx), async () => {
    world.report({ is: 'started', ...actor, op: op.do.op });
    try {
      const result = await runAsync(innerOp(world, op.do, actor));
      world.report({ is: 'completed', ...actor, result });
    } catch (error) {
      world.report(thrownReport(error, actor.g, actor.step));
    }
  });
  world.stops.set(op.as, stop);
}

export function stopHere(world: World, name: string): boolean {
  const stop = world.stops.get(name);
  if (stop === undefined) throw new Error(`no afterFunc called ${name} here`);
  return stop();
}
