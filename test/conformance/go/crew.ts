/**
 * Where the scripted goroutines of a case run. A crew outlives its cases; its threads are reused.
 *
 * A crew promises: when start() has returned and settled() has resolved, every report of what happened is in
 * reports(). All it sends goes through podloom's own channels, so the shared count of pending work covers it.
 */
import { type Clock, FakeClock, WaitGroup, realClock } from '../../../src/sync/index.js';
import type { GoCase, GoOp, Op } from './format.js';
import { innerOp } from './group-ops.js';
import { runAsync } from './script.js';
import type { Report, World } from './world.js';

export interface Crew {
  /** Makes the objects and the goroutines; resolves when all of them are idle. */
  open(vector: GoCase): Promise<Cast>;
  /** Called when a thread died by itself. */
  onLost: ((why: string) => void) | null;
  close(): Promise<void>;
}

/** A crew with one case on its hands. */
export interface Cast {
  /** The driver's own view of the objects. */
  readonly world: World;
  start(op: Op, g: string, step: number): void;
  /** What was reported since the last call. */
  reports(): Promise<Report[]>;
  /** Throws the case away: sleepers are woken, goroutines that cannot be are given up. */
  end(): Promise<void>;
}

/** Which clock a case has, and what it says at the start. */
export function clockOf(vector: GoCase): { clock: FakeClock | Clock; start: number } {
  const clock = vector.clock === 'virtual' ? new FakeClock() : realClock;
  return { clock, start: clock.now() };
}

/** One step for one goroutine. */
export interface Command {
  readonly op: Op;
  readonly g: string;
  readonly step: number;
}

/** wg.Go on a thread that hosts goroutines: the library's own. A panic goes where the thread's onPanic says. */
export function startGoHere(world: World, op: GoOp, step: number): void {
  world.get(op.wg, WaitGroup).go(async () => {
    const actor = { g: op.as, step };
    world.report({ is: 'started', ...actor, op: op.do.op });
    const result = await runAsync(innerOp(world, op.do, actor));
    world.report({ is: 'completed', ...actor, result });
  });
}
