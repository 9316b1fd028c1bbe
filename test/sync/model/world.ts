/**
 * A model of a program over the primitives: plain data, one goroutine runs at a time, everything settles after
 * each step. It is written from the rules of the Go vectors' format, not from src/sync.
 *
 * Where Go leaves the outcome open the model asks `choose`; `outcomes` runs a step once for every answer there
 * is, so a step leads to a set of worlds, and the real thing must have done one of them.
 */
import type { ChanModel } from './chan.js';
import type { CondModel } from './cond.js';
import type { MutexModel } from './mutex.js';
import type { RWMutexModel } from './rwmutex.js';
import type { WaitGroupModel } from './wait-group.js';

export type SelectStep =
  | { readonly dir: 'send'; readonly ch: number; readonly v: number }
  | { readonly dir: 'recv'; readonly ch: number }
  | { readonly dir: 'default' };

export type Op =
  | { readonly op: 'send' | 'trySend'; readonly ch: number; readonly v: number }
  | { readonly op: 'recv' | 'tryRecv' | 'close'; readonly ch: number }
  | { readonly op: 'select'; readonly cases: readonly SelectStep[] }
  | { readonly op: 'lock' | 'unlock' | 'tryLock'; readonly mu: number }
  | {
      readonly op: 'wLock' | 'wUnlock' | 'wTryLock' | 'rLock' | 'rUnlock' | 'tryRLock';
      readonly rw: number;
    }
  | { readonly op: 'add'; readonly wg: number; readonly n: number }
  | { readonly op: 'wait'; readonly wg: number }
  | { readonly op: 'condWait' | 'signal' | 'broadcast'; readonly cond: number };

/** What an operation came to; `v: null` stands for undefined. */
export interface Result {
  readonly v?: number | null;
  readonly ok?: boolean;
  readonly index?: number;
  readonly error?: string;
}

export interface Completed {
  readonly g: number;
  readonly step: number;
  readonly result: Result;
}

export interface Blocked {
  readonly step: number;
  readonly op: Op;
}

export interface World {
  readonly chans: ChanModel[];
  readonly mutexes: MutexModel[];
  readonly rwmutexes: RWMutexModel[];
  readonly groups: WaitGroupModel[];
  readonly conds: CondModel[];
  /** By goroutine: the operation it sleeps in. */
  readonly routines: (Blocked | null)[];
}

/** One step on its way through a world. */
export class Run {
  readonly world: World;
  readonly step: number;
  readonly choose: (options: number) => number;
  readonly completed: Completed[] = [];

  constructor(world: World, step: number, choose: (options: number) => number) {
    this.world = world;
    this.step = step;
    this.choose = choose;
  }

  block(g: number, op: Op): void {
    this.world.routines[g] = { step: this.step, op };
  }

  /** The operation `g` is in, this step's or an older one, is over. */
  complete(g: number, result: Result = {}): void {
    this.completed.push({ g, step: this.world.routines[g]?.step ?? this.step, result });
    this.world.routines[g] = null;
  }
}

export interface Outcome {
  readonly world: World;
  readonly completed: readonly Completed[];
}

/** Every way the step can go. */
export function outcomes(world: World, step: number, perform: (run: Run) => void): Outcome[] {
  const found: Outcome[] = [];
  const answers: number[] = [];
  for (;;) {
    const asked: number[] = [];
    const run = new Run(structuredClone(world), step, (options) => {
      const answer = answers[asked.length] ?? 0;
      answers[asked.length] = answer;
      asked.push(options);
      return answer;
    });
    perform(run);
    found.push({ world: run.world, completed: run.completed.sort((a, b) => a.g - b.g) });
    // The next combination of answers, the last question first.
    let last = asked.length - 1;
    while (last >= 0 && answers[last] === asked[last] - 1) last--;
    if (last < 0) return found;
    answers.length = last + 1;
    answers[last]++;
  }
}
