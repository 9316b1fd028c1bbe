/**
 * Programs: a shape (what there is) and a list of choices, each made into a step by looking at the model as it
 * runs, so that no step is for a goroutine that sleeps, whatever was left out by shrinking.
 */
import fc from 'fast-check';
import { type ChanModel, newChan, stepChan } from './chan.js';
import { newCond, stepCond } from './cond.js';
import { newMutex, stepMutex } from './mutex.js';
import { newRWMutex, stepRWMutex } from './rwmutex.js';
import { stepSelect } from './select.js';
import { newWaitGroup, stepWaitGroup } from './wait-group.js';
import { type Op, type Outcome, type SelectStep, type World, outcomes } from './world.js';

export type Theme = 'channels' | 'select' | 'locks' | 'cond' | 'everything';
export const THEMES: readonly Theme[] = ['channels', 'select', 'locks', 'cond', 'everything'];

export interface Shape {
  readonly theme: Theme;
  readonly goroutines: number;
  readonly chans: readonly { readonly cap: number; readonly elem: ChanModel['elem'] }[];
  readonly nil: boolean;
}

export interface Choice {
  readonly who: number;
  readonly what: number;
  readonly which: number;
  /** Take a handle of some object before the step, where the run allows it. */
  readonly promote: number;
}

export interface Program {
  readonly shape: Shape;
  readonly choices: readonly Choice[];
}

export const program = (theme: Theme, steps: number): fc.Arbitrary<Program> =>
  fc.record({
    shape: fc.record({
      theme: fc.constant(theme),
      goroutines: fc.integer({ min: 2, max: 5 }),
      chans: fc.array(
        fc.record({
          cap: fc.integer({ min: 0, max: 3 }),
          elem: fc.constantFrom<ChanModel['elem'][]>('any', 'number', 'void'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      nil: fc.boolean(),
    }),
    choices: fc.array(
      fc.record({ who: fc.nat(59), what: fc.nat(9999), which: fc.nat(9999), promote: fc.nat(99) }),
      { maxLength: steps, size: 'max' },
    ),
  });

export function emptyWorld(shape: Shape): World {
  const chans = shape.chans.map(({ cap, elem }) => newChan(cap, elem));
  if (shape.nil) chans.push(newChan(0, 'any', true));
  return {
    chans,
    mutexes: [newMutex(), newMutex()],
    rwmutexes: [newRWMutex()],
    groups: [newWaitGroup()],
    conds: [newCond(0), newCond(1)],
    routines: Array.from({ length: shape.goroutines }, () => null),
  };
}

export function step(world: World, index: number, g: number, op: Op): Outcome[] {
  return outcomes(world, index, (run) => {
    if ('ch' in op) stepChan(run, g, op);
    else if ('cases' in op) stepSelect(run, g, op);
    else if ('mu' in op) stepMutex(run, g, op);
    else if ('rw' in op) stepRWMutex(run, g, op);
    else if ('wg' in op) stepWaitGroup(run, g, op);
    else stepCond(run, g, op);
  });
}

/** The step a choice stands for in this world; null: nothing can be done that leaves anybody awake. */
export function chosenStep(
  world: World,
  theme: Theme,
  index: number,
  choice: Choice,
): { g: number; op: Op } | null {
  const idle = world.routines.flatMap((blocked, g) => (blocked === null ? [g] : []));
  if (idle.length === 0) return null;
  const g = idle[choice.who % idle.length];
  const candidates = candidatesOf(world, theme, index, choice.which);
  for (let i = 0; i < candidates.length; i++) {
    const op = candidates[(choice.what + i) % candidates.length];
    const mayStopAll = step(world, index, g, op).some((o) => o.world.routines.every((b) => b !== null));
    if (!mayStopAll) return { g, op };
  }
  return null;
}

/** What may be done, the more useful things several times. */
function candidatesOf(world: World, theme: Theme, index: number, which: number): Op[] {
  const channels = theme === 'channels' || theme === 'select' || theme === 'everything';
  const locks = theme === 'locks' || theme === 'everything';
  const conds = theme === 'cond' || theme === 'everything';
  return [
    ...(channels ? channelOps(world, index, which) : []),
    ...(theme === 'select' || theme === 'everything' ? selectOps(world, index, which) : []),
    ...(locks ? lockOps(world, which) : []),
    ...(conds ? condOps(world, which) : []),
  ];
}

function channelOps(world: World, v: number, which: number): Op[] {
  const ch = which % world.chans.length;
  // Closing too early leaves nothing to see, closing twice is seen soon enough.
  const close: Op[] = which % 3 === 0 ? [{ op: 'close', ch }] : [];
  return [
    { op: 'send', ch, v },
    { op: 'recv', ch },
    { op: 'send', ch, v },
    { op: 'recv', ch },
    { op: 'trySend', ch, v },
    { op: 'tryRecv', ch },
    ...close,
  ];
}

function selectOps(world: World, v: number, which: number): Op[] {
  const cases = (seed: number): SelectStep[] => {
    const list: SelectStep[] = [];
    let rest = seed;
    for (let n = 1 + (seed % 4); n > 0; n--) {
      rest = (rest * 31 + 17) % 10_007;
      const ch = rest % world.chans.length;
      list.push(rest % 7 < 4 ? { dir: 'recv', ch } : { dir: 'send', ch, v: v * 10 + n });
    }
    return list;
  };
  return [
    { op: 'select', cases: cases(which) },
    { op: 'select', cases: cases(which + 1) },
    { op: 'select', cases: cases(which + 2) },
    { op: 'select', cases: [...cases(which), { dir: 'default' }] },
  ];
}

function lockOps(world: World, which: number): Op[] {
  const mu = which % world.mutexes.length;
  const wg = 0;
  const rw = 0;
  const { readers, writing } = world.rwmutexes[rw];
  const misuse = which % 11 === 0;
  const when = (wanted: boolean, op: Op): Op[] => (wanted || misuse ? [op, op] : []);
  return [
    { op: 'lock', mu },
    ...when(world.mutexes[mu].locked, { op: 'unlock', mu }),
    { op: 'tryLock', mu },
    { op: 'wLock', rw },
    { op: 'rLock', rw },
    { op: 'rLock', rw },
    ...when(writing, { op: 'wUnlock', rw }),
    ...when(readers > 0, { op: 'rUnlock', rw }),
    which % 2 === 0 ? { op: 'wTryLock', rw } : { op: 'tryRLock', rw },
    { op: 'add', wg, n: which % 3 },
    ...when(world.groups[wg].counter !== 0, { op: 'add', wg, n: -1 }),
    ...when(world.groups[wg].counter < 0, { op: 'add', wg, n: -world.groups[wg].counter }),
    { op: 'wait', wg },
  ];
}

function condOps(world: World, which: number): Op[] {
  const cond = which % world.conds.length;
  const mu = world.conds[cond].l;
  const { locked } = world.mutexes[mu];
  const wait: Op = { op: 'condWait', cond };
  return [
    { op: 'lock', mu },
    ...(locked ? [wait, wait, wait, { op: 'unlock' as const, mu }] : []),
    ...(which % 11 === 0 ? [wait] : []),
    { op: 'signal', cond },
    { op: 'broadcast', cond },
  ];
}
