/** A thread that hosts scripted goroutines, and registrations of others. Async forms. */
import { afterFuncHere, stopHere } from './context-ops.js';
import { startGoHere } from './crew.js';
import { attachObjects } from './objects.js';
import { answerTo, ask, describeContext } from './remote.js';
import { Routine } from './routine.js';
import type { Common } from './thread.js';
import type { Message } from './thread-link.js';
import { World } from './world.js';

type Open = Extract<Message, { is: 'open' }>;

export class HostThread {
  readonly #common: (message: Open) => Common;
  #world: World | null = null;
  #routines = new Map<string, Routine>();

  constructor(common: (message: Open) => Common) {
    this.#common = common;
  }

  take(message: Message): void {
    if (message.is === 'open') return this.#open(message);
    const world = this.#world;
    if (world === null) return;
    if (message.is === 'learn') for (const context of message.contexts) world.learn(context);
    else if (message.is === 'start') this.#routines.get(message.g)?.start(message);
    else if (message.is === 'afterFunc')
      void answerTo(message.answer, () => afterFuncHere(world, message.op, message.step));
    else if (message.is === 'stop') void answerTo(message.answer, () => stopHere(world, message.name));
  }

  #open(message: Open): void {
    for (const routine of this.#routines.values()) routine.end();
    const common = this.#common(message);
    const { threads } = message;
    const world = new World({
      ...common,
      startGo: startGoHere,
      contextMade: (name, context, cancellable) =>
        common.report({ is: 'made', ...describeContext(name, context, cancellable) }),
      afterFunc: function* (here, op, step) {
        afterFuncHere(here, op, step);
      },
      stop: function* (here, name) {
        if (here.stops.has(name)) return stopHere(here, name);
        return (yield* ask(threads[name], (answer) => ({ is: 'stop', name, answer }))) as boolean;
      },
    });
    attachObjects(world, message.objects, 'async');
    this.#world = world;
    this.#routines = new Map(message.routines.map((name) => [name, new Routine(world, name)]));
  }
}
