/**
 * The switch. Off, src/sync finds an empty hook table and nothing of this runs.
 *
 * Checks are on thread by thread, and share one lock-order table a process. The thread that turns them on first
 * leaves the table and the declared ranks in the environment data that workers inherit; a worker that turns them
 * on joins. Turning them off takes both out of the environment data again, so that later workers start without.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { hooks } from '../sync/hooks.js';
import { HeldLocks, type Report, type Rules } from './held.js';
import { OrderGraph } from './order.js';
import { type Ranks, declareRanks } from './ranks.js';

export interface CheckOptions {
  /** The lock order (ranks.ts). Without: the one inherited, else none, and the order is only learned. */
  readonly ranks?: string | Ranks;
  /** What a rank that is not declared means: ERR_UNKNOWN_RANK, or one whose order is learned. Default: reject. */
  readonly undeclared?: 'reject' | 'learn';
  /** Throw violations (default), or tell a function. What cannot be thrown to its cause is an uncaught error. */
  readonly report?: Report;
}

interface Inherited {
  readonly memory: SharedArrayBuffer;
  readonly ranks: string | null;
  readonly undeclared: 'reject' | 'learn';
}

const ENVIRONMENT_KEY = 'podloom.checks';

let active: HeldLocks | null = null;
/** What the thread that started this one left for it; outlives a disableChecks() here. */
const inherited = isMainThread ? null : readInherited();

/** Turns the checks on for this thread and the workers it starts; on already: changes the options given. */
export function enableChecks(options: CheckOptions = {}): void {
  const before = active?.rules ?? inheritedRules();
  const given = typeof options.ranks === 'string' ? declareRanks(options.ranks) : options.ranks;
  const rules: Rules = {
    ranks: given ?? before.ranks,
    undeclared: options.undeclared ?? (given === undefined ? before.undeclared : 'reject'),
    report: options.report ?? before.report,
  };
  active ??= new HeldLocks(rules, inherited ? new OrderGraph(inherited.memory) : OrderGraph.create());
  active.rules = rules;
  if (rules.ranks !== null) declareOrder(rules.ranks, active.graph);
  const left: Inherited = {
    memory: active.graph.memory,
    ranks: rules.ranks?.text ?? null,
    undeclared: rules.undeclared,
  };
  setEnvironmentData(ENVIRONMENT_KEY, left);
  hooks.locks = active;
}

/** Turns them off for this thread and the workers it starts from now on, and forgets what it held. */
export function disableChecks(): void {
  active = null;
  hooks.locks = null;
  setEnvironmentData(ENVIRONMENT_KEY, undefined);
}

/** The checks of this thread, null while they are off. */
export function checks(): HeldLocks | null {
  return active;
}

/** True on a worker whose parent had the checks on when it started it. */
export function checksAreInherited(): boolean {
  return inherited !== null;
}

function declareOrder(ranks: Ranks, graph: OrderGraph): void {
  for (const first of ranks.names)
    for (const after of ranks.names) if (ranks.isBefore(first, after)) graph.declare(first, after);
}

function readInherited(): Inherited | null {
  return (getEnvironmentData(ENVIRONMENT_KEY) as Inherited | undefined) ?? null;
}

function inheritedRules(): Rules {
  const ranks = inherited?.ranks ?? null;
  return {
    ranks: ranks === null ? null : declareRanks(ranks),
    undeclared: inherited?.undeclared ?? 'reject',
    report: 'throw',
  };
}
