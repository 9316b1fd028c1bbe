/** A scripted goroutine of a thread that hosts many: takes one command after the other. */
import { Chan, go } from '../../../src/sync/index.js';
import type { Command } from './crew.js';
import { performAsync } from './ops.js';
import type { World } from './world.js';

export class Routine {
  readonly #commands = new Chan<Command>();

  constructor(world: World, name: string) {
    go(async () => {
      for await (const { op, g, step } of this.#commands)
        world.report(await performAsync(world, op, { g, step }));
    }, name);
  }

  /** It must be idle. */
  start(command: Command): void {
    if (!this.#commands.trySend(command)) throw new Error(`${command.g} is not idle`);
  }

  /** If it is idle it ends; if it is asleep for ever it is forgotten. */
  end(): void {
    this.#commands.close();
  }
}
