/** A thread that is one goroutine. Blocking forms. */
import { WaitGroup } from '../../../src/sync/index.js';
import type { GoOp } from './format.js';
import { innerOp } from './group-ops.js';
import { attachObjects } from './objects.js';
import { performBlocking } from './ops.js';
import { crashReport } from './panics.js';
import { ask, describeContext, tell } from './remote.js';
import { runBlocking } from './script.js';
import type { Common } from './thread.js';
import type { Message } from './thread-link.js';
import { type MadeContext, World } from './world.js';

type Open = Extract<Message, { is: 'open' }>;

export class DedicatedThread {
  readonly #common: (message: Open) => Common;
  #world: World | null = null;
  #known: MadeContext[] = [];

  constructor(common: (message: Open) => Common) {
    this.#common = common;
  }

  take(message: Message): void {
    if (message.is === 'open') return this.#open(message);
    const world = this.#world;
    if (world === null || (message.is !== 'start' && message.is !== 'go')) return;
    for (const context of message.contexts) world.learn(context);
    this.#known.push(...message.contexts);
    const { step } = message;
    if (message.is === 'start') world.report(performBlocking(world, message.op, { g: message.g, step }));
    else go(world, message.op, step);
  }

  #open(message: Open): void {
    const common = this.#common(message);
    const { threads } = message;
    this.#known = [];
    this.#world = new World({
      ...common,
      contextMade: (name, context, cancellable) => {
        const made = describeContext(name, context, cancellable);
        common.report({ is: 'made', ...made });
      },
      startGo: (world, op, step) => {
        world.get(op.wg, WaitGroup).add(1);
        tell(threads[op.as], { is: 'go', op, step, contexts: this.#known });
      },
      afterFunc: function* (_, op, step) {
        yield* ask(threads[op.as], (answer) => ({ is: 'afterFunc', op, step, answer }));
      },
      stop: function* (_, name) {
        return (yield* ask(threads[name], (answer) => ({ is: 'stop', name, answer }))) as boolean;
      },
    });
    attachObjects(this.#world, message.objects, 'blocking');
  }
}

/** What wg.Go runs, on a thread of its own. */
function go(world: World, op: GoOp, step: number): void {
  const actor = { g: op.as, step };
  world.report({ is: 'started', ...actor, op: op.do.op });
  try {
    world.report({ is: 'completed', ...actor, result: runBlocking(innerOp(world, op.do, actor)) });
    world.get(op.wg, WaitGroup).done();
  } catch (error) {
    world.report(crashReport(error, op.as));
  }
}
