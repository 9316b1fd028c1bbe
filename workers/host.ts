/**
 * Entry of a host thread: piscina's one task for it.
 *
 * In order: take a parker slot, say hello, set up mailbox, scheduler and control methods, run the host module's
 * main, say ready; then live until stopped. A thread is one incarnation: an error on the way ends the thread, it
 * is not reported as the failed task of a thread that goes on.
 */
import { threadId } from 'node:worker_threads';
import { holdLifeline } from '../src/check/sentinel.js';
import { ControlLink } from '../src/runtime/control.js';
import { hostModuleWithoutMain, raiseUncaught } from '../src/runtime/errors.js';
import { inflict } from '../src/runtime/faults.js';
import type { HostEnv, HostHook, HostMain } from '../src/runtime/host-env.js';
import { Mailbox } from '../src/runtime/mailbox.js';
import type { Boot, Hello, HostMethods } from '../src/runtime/protocol.js';
import { Scheduler } from '../src/runtime/scheduler.js';
import { goroutines } from '../src/sync/goroutine.js';
import { parker } from '../src/sync/parker.js';
import '../src/sync/sweep.js';

/** The task. It resolves when the host was stopped, and only then. */
export async function run(boot: Boot): Promise<void> {
  const host = new HostThread(boot);
  try {
    await host.start();
  } catch (error) {
    raiseUncaught(error);
  }
  await host.ended;
}

class HostThread {
  readonly ended: Promise<void>;
  readonly #boot: Boot;
  readonly #control: ControlLink;
  readonly #mailbox: Mailbox;
  readonly #scheduler = new Scheduler();
  readonly #drainHooks: HostHook[] = [];
  readonly #stopHooks: HostHook[] = [];
  #end!: () => void;

  constructor(boot: Boot) {
    const mine = parker();
    mine.hostGoroutines();
    if (boot.lifeline !== null) holdLifeline(boot.lifeline);
    this.#boot = boot;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#control = new ControlLink(boot.control, 'the main thread');
    const hello: Hello = { threadId, slot: mine.slot };
    this.#tell('hello', hello);
    this.#mailbox = new Mailbox({
      port: boot.mail,
      memory: boot.mailMemory,
      side: 'thread',
      peer: boot.mainSlot,
    });
    this.#control.handleAll(this.#methods());
  }

  async start(): Promise<void> {
    const { hostModule, index, incarnation, threads, data } = this.#boot;
    const loaded = (await import(hostModule)) as { main?: HostMain };
    if (typeof loaded.main !== 'function') throw hostModuleWithoutMain(hostModule);
    const env: HostEnv = {
      index,
      incarnation,
      threads,
      data,
      mailbox: this.#mailbox,
      scheduler: this.#scheduler,
      control: this.#control,
      onDrain: (hook) => void this.#drainHooks.push(hook),
      onStop: (hook) => void this.#stopHooks.push(hook),
    };
    await loaded.main(env);
    this.#tell('ready');
  }

  #methods(): HostMethods {
    const { index, incarnation, faults } = this.#boot;
    return {
      stats: () => ({
        index,
        incarnation,
        threadId,
        slot: parker().slot,
        goroutines: goroutines().length,
        heapUsed: process.memoryUsage().heapUsed,
        scheduler: this.#scheduler.stats(),
        mailbox: this.#mailbox.stats(),
      }),
      goroutines: () => goroutines().map((g) => ({ ...g })),
      drain: () => this.#drain(),
      stop: () => this.#stop(),
      fault: (fault) => inflict(fault, faults),
    };
  }

  async #drain(): Promise<void> {
    await Promise.all(this.#drainHooks.map(async (hook) => hook()));
    await this.#scheduler.idle();
    await this.#mailbox.flushed();
  }

  async #stop(): Promise<void> {
    for (const hook of this.#stopHooks) await hook();
    this.#scheduler.stop();
    // After the reply to this very call has left.
    setImmediate(() => {
      this.#mailbox.close();
      this.#control.close();
      this.#end();
    });
  }

  /** Main's answer says nothing, and if main is gone so is this thread. */
  #tell(method: string, ...args: unknown[]): void {
    this.#control.call(method, ...args).catch(() => undefined);
  }
}
