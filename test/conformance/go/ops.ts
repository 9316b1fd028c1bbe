/** The operations a step can ask for. Each answers the fields FORMAT.md §2 gives its result. */
import { contextOp } from './context-ops.js';
import { chanOp } from './chan-ops.js';
import type { Op, Result } from './format.js';
import { groupOp } from './group-ops.js';
import { lockOp } from './lock-ops.js';
import { thrownReport } from './panics.js';
import { type Script, runAsync, runBlocking } from './script.js';
import type { Actor, Report, World } from './world.js';

export function operation(world: World, op: Op, actor: Actor): Script<Result> {
  switch (op.op) {
    case 'send':
    case 'recv':
    case 'recv2':
    case 'trySend':
    case 'tryRecv':
    case 'close':
    case 'len':
    case 'cap':
    case 'range':
    case 'make':
    case 'select':
      return chanOp(world, op, actor);
    case 'lock':
    case 'unlock':
    case 'tryLock':
    case 'rLock':
    case 'rUnlock':
    case 'tryRLock':
    case 'rlockerLock':
    case 'rlockerUnlock':
    case 'condWait':
    case 'condWaitUnlock':
    case 'signal':
    case 'broadcast':
      return lockOp(world, op);
    case 'add':
    case 'done':
    case 'wait':
    case 'go':
    case 'do':
    case 'call':
      return groupOp(world, op, actor);
    default:
      return contextOp(world, op, actor);
  }
}

/** The operation in the blocking form, and how it ended. */
export function performBlocking(world: World, op: Op, actor: Actor): Report {
  try {
    return { is: 'completed', ...actor, result: runBlocking(operation(world, op, actor)) };
  } catch (error) {
    return thrownReport(error, actor.g, actor.step);
  }
}

/** The same in the async form. */
export async function performAsync(world: World, op: Op, actor: Actor): Promise<Report> {
  try {
    return { is: 'completed', ...actor, result: await runAsync(operation(world, op, actor)) };
  } catch (error) {
    return thrownReport(error, actor.g, actor.step);
  }
}
