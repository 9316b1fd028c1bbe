/** The suite `status`: the status manager beside the real kubelet's, in one run. See docs/benchmarks.md. */
import { type Effort, FULL, summarize } from '../measure.js';
import type { Bench, Result, Suite } from '../result.js';
import { median } from '../stats.js';
import { DRAIN_CONCURRENCIES, DRAIN_DELAYS, DrainServer, drain } from './drain.js';
import { benchFullPass } from './full-pass.js';
import { benchSet } from './set.js';
import { SIGNAL_PODS, benchSignal } from './signal.js';
import { upstreamDrain, upstreamStatus } from './upstream.js';

const FULL_PASS_PODS = 10_000;
const DRAIN_PODS = 1000;
const UPSTREAM_DRAIN_PODS = 400;

/** The part of upstream's time a result may take, as docs/benchmarks.md derives it. */
const SET_CHANGED_GOAL = 1;
const SET_UNCHANGED_GOAL = 1 / 3;
const SIGNAL_GOAL_NS = 20_000;
const HOLD_GOAL_MS = 5;
const DRAIN_GOAL: Readonly<Record<number, number>> = { 0: 3, 5: 20 };

/** Upstream runs before and after ours: what the machine does meanwhile hits both. */
async function onMain(effort: Effort): Promise<Result[]> {
  const isFull = effort === FULL;
  const before = isFull ? await upstreamStatus() : new Map<string, number>();
  const set = await benchSet(effort);
  const signals = new Map<number, number[]>();
  for (const count of SIGNAL_PODS) signals.set(count, await benchSignal(count, effort));
  const passes = await benchFullPass(FULL_PASS_PODS, effort);
  const after = isFull ? await upstreamStatus() : new Map<string, number>();

  /** Beside upstream's mean of both runs, where there is one. */
  const beside = (name: string, samples: readonly number[], theirs: string, goal: number): Result => {
    const [first, second] = [before.get(theirs), after.get(theirs)];
    if (first === undefined || second === undefined) return summarize(name, samples);
    const upstreamNs = Math.round((first + second) / 2);
    const ratio = median(samples) / upstreamNs;
    return summarize(name, samples, 'ns', {
      base: `upstream ${theirs}`,
      upstreamNs,
      ratio,
      goal: `<= ${goal.toFixed(2)} of upstream`,
      ok: ratio <= goal,
    });
  };
  const pass = (name: string, which: readonly { ms: number; longestHoldMs: number }[]): Result => {
    const longestHoldMs = Math.max(...which.map((one) => one.longestHoldMs));
    return summarize(
      name,
      which.map(({ ms }) => ms),
      'ms',
      { longestHoldMs, goal: `holds <= ${HOLD_GOAL_MS} ms`, ok: longestHoldMs <= HOLD_GOAL_MS },
    );
  };
  return [
    beside('status.set.changed', set.changed, 'SetChanged', SET_CHANGED_GOAL),
    beside('status.set.unchanged', set.unchanged, 'SetUnchanged', SET_UNCHANGED_GOAL),
    beside('status.get', set.get, 'GetStatus', 1),
    ...[...signals].map(([count, samples]): Result => {
      const result = beside(`status.signal@${count}`, samples, `SyncBatchScan/${count}`, 1);
      return { ...result, goal: `<= ${SIGNAL_GOAL_NS / 1000} us, flat`, ok: result.value <= SIGNAL_GOAL_NS };
    }),
    pass(`status.fullpass@${FULL_PASS_PODS}`, passes.first),
    pass(`status.fullpass@${FULL_PASS_PODS}.again`, passes.next),
  ];
}

async function overHttp(delayMs: number, effort: Effort): Promise<Result[]> {
  const isFull = effort === FULL;
  const server = await DrainServer.start(DRAIN_PODS, delayMs);
  try {
    const upstream = isFull ? await upstreamDrain(server.url, UPSTREAM_DRAIN_PODS, true) : undefined;
    const results: Result[] = [];
    for (const concurrency of DRAIN_CONCURRENCIES) {
      const rounds = await drain(server, DRAIN_PODS, concurrency, isFull ? 5 : 1);
      const rates = rounds.map(({ podsPerSecond }) => podsPerSecond);
      const requestsPerPod = median(rounds.map((round) => round.requestsPerPod));
      const name = `status.drain@${DRAIN_PODS}.concurrency${concurrency}.delay${delayMs}ms`;
      if (upstream === undefined) {
        results.push(summarize(name, rates, 'pods/s', { requestsPerPod }));
        continue;
      }
      const ratio = median(rates) / upstream;
      const isGoal = concurrency === Math.max(...DRAIN_CONCURRENCIES);
      const goal = DRAIN_GOAL[delayMs];
      results.push(
        summarize(name, rates, 'pods/s', {
          requestsPerPod,
          base: `upstream, ${UPSTREAM_DRAIN_PODS} pods`,
          upstreamPodsPerSecond: upstream,
          ratio,
          ...(isGoal ? { goal: `>= ${goal} x upstream`, ok: ratio >= goal } : {}),
        }),
      );
    }
    return results;
  } finally {
    await server.stop();
  }
}

const onMainNames = ['status.set', 'status.get', 'status.signal', 'status.fullpass'];

export const statusSuite: Suite = [
  { names: onMainNames, run: onMain } satisfies Bench,
  ...DRAIN_DELAYS.map((delayMs): Bench => ({
    names: DRAIN_CONCURRENCIES.map(
      (each) => `status.drain@${DRAIN_PODS}.concurrency${each}.delay${delayMs}ms`,
    ),
    run: (effort) => overHttp(delayMs, effort),
  })),
];
