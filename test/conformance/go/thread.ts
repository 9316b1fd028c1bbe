/** A worker thread of the go runner: hosts scripted goroutines (async forms), or is one (blocking forms). */
import { workerData } from 'node:worker_threads';
import { Chan, WaitGroup, arena, go, onPanic, openDedicated } from '../../../src/sync/index.js';
import { startGoHere } from './crew.js';
import type { GoOp } from './format.js';
import { innerOp } from './group-ops.js';
import { attachObjects } from './objects.js';
import { performBlocking } from './ops.js';
import { crashReport } from './panics.js';
import { Routine } from './routine.js';
import { runBlocking } from './script.js';
import type { Message, ThreadData } from './thread-link.js';
import { type Report, World } from './world.js';

const { form, control, results, counters } = workerData as ThreadData;
const messages = Chan.attach<Message>(control);
const reports = Chan.attach<Report>(results);

function report(one: Report): void {
  if (!reports.trySend(one)) throw new Error('the driver does not take its reports');
}

type Open = Extract<Message, { is: 'open' }>;

// --- a host --------------------------------------------------------------------------------------------------

class Host {
  #routines = new Map<string, Routine>();

  take(message: Message): void {
    if (message.is === 'open') this.#open(message);
    else if (message.is === 'start') this.#routines.get(message.g)?.start(message);
  }

  #open({ objects, routines }: Open): void {
    for (const routine of this.#routines.values()) routine.end();
    const world = new World(counters, report, startGoHere);
    attachObjects(world, objects, 'async');
    this.#routines = new Map(routines.map((name) => [name, new Routine(world, name)]));
  }
}

// --- a goroutine ---------------------------------------------------------------------------------------------

class Dedicated {
  #world: World | null = null;
  #threads: Open['threads'] = {};

  take(message: Message): void {
    if (message.is === 'open') return this.#open(message);
    if (this.#world === null || message.is === 'hello') return;
    const { step } = message;
    if (message.is === 'start') report(performBlocking(this.#world, message.op, { g: message.g, step }));
    else this.#go(this.#world, message.op, step);
  }

  #open({ objects, threads }: Open): void {
    this.#threads = threads;
    this.#world = new World(counters, report, (world, op, step) => this.#startGo(world, op, step));
    attachObjects(this.#world, objects, 'blocking');
  }

  /** This thread may block at once and could not run the goroutine: another one does. */
  #startGo(world: World, op: GoOp, step: number): void {
    world.get(op.wg, WaitGroup).add(1);
    const thread = Chan.attach<Message>({ ...this.#threads[op.as], memory: arena().memory } as never);
    if (!thread.trySend({ is: 'go', op, step })) throw new Error(`the thread for ${op.as} is busy`);
  }

  #go(world: World, op: GoOp, step: number): void {
    const actor = { g: op.as, step };
    report({ is: 'started', ...actor, op: op.do.op });
    try {
      report({ is: 'completed', ...actor, result: runBlocking(innerOp(world, op.do, actor)) });
      world.get(op.wg, WaitGroup).done();
    } catch (error) {
      report(crashReport(error, op.as));
    }
  }
}

if (form === 'async') {
  const host = new Host();
  onPanic((panic, goroutine) => report(crashReport(panic, goroutine.name)));
  go(async () => {
    for await (const message of messages) host.take(message);
  }, 'control');
} else {
  const dedicated = new Dedicated();
  openDedicated();
  for (const message of messages) dedicated.take(message);
}
