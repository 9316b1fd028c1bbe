/** Wait groups and onces, and the functions they call. */
import { Chan, Once, OnceFunc, WaitGroup } from '../../../src/sync/index.js';
import { recv, send } from './chan-ops.js';
import { causeOf } from './context-ops.js';
import type { DoOp, GroupOp, InnerOp, Result } from './format.js';
import { isPanic } from './panics.js';
import { type Script, runAsync, runBlocking, wait } from './script.js';
import type { Actor, World } from './world.js';

export function* groupOp(world: World, op: GroupOp, actor: Actor): Script<Result> {
  switch (op.op) {
    case 'add':
      world.get(op.wg, WaitGroup).add(op.n);
      return {};
    case 'done':
      world.get(op.wg, WaitGroup).done();
      return {};
    case 'wait': {
      const wg = world.get(op.wg, WaitGroup);
      yield* wait(
        () => wg.wait(),
        () => wg.waitAsync(),
      );
      return {};
    }
    case 'go':
      world.around.startGo(world, op, actor.step);
      return {};
    case 'do':
      return yield* doOp(world, op, actor);
    case 'call':
      return callResult(yield* call(world, op.fn, actor));
  }
}

function* doOp(world: World, op: DoOp, actor: Actor): Script<Result> {
  let ran = false;
  let inner: Result = {};
  const function_ = function* (): Script<void> {
    ran = true;
    world.countRun(op.once);
    inner = yield* innerOp(world, op.do, actor);
  };
  const once = world.get(op.once, Once);
  try {
    yield* wait(
      () => once.do(() => runBlocking(function_())),
      () => once.doAsync(() => runAsync(function_())),
    );
  } catch (error) {
    if (!isPanic(error)) throw error;
    return { ran, panic: error.message };
  }
  return { ran, ...inner };
}

/** What an inner op adds to the result of the operation around it, or of the goroutine it is all of. */
export function* innerOp(world: World, op: InnerOp, actor: Actor): Script<Result> {
  switch (op.op) {
    case 'return':
      return {};
    case 'panic':
      throw new Error(op.text);
    case 'recvPanic':
      yield* recv(world.get(op.ch, Chan<number>));
      throw new Error(op.text);
    case 'recv':
      return { v: yield* recv(world.get(op.ch, Chan<number>)) };
    case 'send':
      yield* send(world.get(op.ch, Chan<number>), op.v);
      return {};
    case 'close':
      world.get(op.ch, Chan<number>).close();
      return {};
    case 'do': {
      const { ran, panic } = yield* doOp(world, op, actor);
      if (typeof panic === 'string') throw new Error(panic);
      return { inner: ran };
    }
    case 'call':
      yield* call(world, op.fn, actor);
      return {};
    case 'go':
      world.around.startGo(world, op, actor.step);
      return {};
    case 'cancel':
      world.cancelOf(op.ctx)();
      return {};
    case 'cause':
      return { cause: causeOf(world, op.ctx) };
    case 'goexit':
      throw new Error('goexit cases are skipped');
  }
}

// --- OnceFunc, OnceValue, OnceValues -------------------------------------------------------------------------

type OnceType = 'onceFunc' | 'onceValue' | 'onceValues';

/** What a call of each of the three returns, with its type: the calling thread may not be the one that ran it. */
interface Returned {
  readonly type: OnceType;
  readonly value?: unknown;
}

/** The function given to sync.OnceFunc and its like. */
export function onceBody(world: World, name: string, type: OnceType, f: InnerOp): Script<Returned> {
  return (function* () {
    world.countRun(name);
    // It runs inside the first call, which set the step just before.
    const actor = callers.get(world) ?? { g: '', step: -1 };
    const inner = yield* innerOp(world, f, actor);
    const given = f.op === 'return' ? (type === 'onceValue' ? f.value : f.values) : undefined;
    if (type === 'onceFunc') return { type };
    const v = inner.v ?? 0;
    return { type, value: given ?? (type === 'onceValue' ? v : [v, '']) };
  })();
}

const callers = new WeakMap<World, Actor>();

function* call(world: World, name: string, actor: Actor): Script<Returned> {
  const fn: OnceFunc<Returned> = world.get(name, OnceFunc<Returned>);
  const enter = <T>(form: () => T): T => {
    callers.set(world, actor);
    return form();
  };
  return yield* wait(
    () => enter(() => fn.call()),
    () => enter(() => fn.callAsync()),
  );
}

function callResult({ type, value }: Returned): Result {
  if (type === 'onceFunc') return {};
  return type === 'onceValue' ? { value } : { values: value };
}
