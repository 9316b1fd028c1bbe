/**
 * Replays one case: starts a step, lets everything settle, compares what can be observed, goes on.
 *
 * A case that does not settle within the watchdog's time fails with what every goroutine is in.
 */
import { FakeClock, goroutines, isSettled, settled } from '../../../src/sync/index.js';
import { MAX_THREADS, Thread, ThreadState, threadAt } from '../../../src/sync/layout.js';
import { parker } from '../../../src/sync/parker.js';
import type { Verdict } from '../kind.js';
import type { Cast, Crew } from './crew.js';
import type { GoCase, Outcome, Step, Want } from './format.js';
import { observe } from './observe.js';
import { Ledger, canonical, outcomeText } from './outcome.js';

const WATCHDOG_MS = 30_000;

/** The case hung, or a thread died: the crew cannot be used any more. */
export class CrewLost extends Error {}

export async function runCase(vector: GoCase, crew: Crew): Promise<Verdict> {
  const cast = await watched(crew.open(vector), crew, () => 'while the case was set up');
  const ledger = new Ledger();
  const verdict = await replay(vector, cast, ledger, crew);
  await watched(cast.end(), crew, () => `while the case was thrown away; it ${verdict.is}`);
  return verdict;
}

async function replay(vector: GoCase, cast: Cast, ledger: Ledger, crew: Crew): Promise<Verdict> {
  let want = vector.want;
  let position = 0;
  const isExact = vector.clock === 'virtual' || !vector.steps.some(({ op }) => op.startsWith('withTimeout'));
  for (const [index, step] of vector.steps.entries()) {
    const expected: Want | undefined = want[position++];
    const where = `step ${index} ${canonical(step)}`;
    const work = async () => {
      await begin(step, index, cast, ledger);
      await settled();
      ledger.take(await cast.reports());
      return look(cast, ledger, vector.clock === 'virtual');
    };
    const got = await watched(work(), crew, () => `${where}, blocked: ${canonical(ledger.blocked())}`);
    const matched = match(expected, ledger, isExact ? got : forgive(got, expected));
    if (matched === null) return different(where, expected, ledger, got);
    if (matched === 'end') return { is: 'passed' };
    if (matched !== 'go on') {
      want = matched;
      position = 0;
    }
  }
  if (position < want.length) {
    const more = `${want.length - position} more outcomes`;
    return { is: 'failed', step: 'after the last step', expected: more, got: 'the end of the script' };
  }
  return { is: 'passed' };
}

async function begin(step: Step, index: number, cast: Cast, ledger: Ledger): Promise<void> {
  if (step.op !== 'advance') {
    ledger.start(step.g, index, step.op);
    cast.start(step, step.g, index);
    return;
  }
  ledger.tick();
  const { clock } = cast.world.around;
  if (!(clock instanceof FakeClock)) throw new Error('a case on the real clock cannot move time');
  await clock.advance(step.ms);
}

/**
 * What can be seen now. Looking must not set anything going: a context that is asked may find out only then that
 * it has ended. (Not settled is no proof yet: a thread for a later case may be starting.)
 */
async function look(cast: Cast, ledger: Ledger, isVirtual: boolean): Promise<Outcome> {
  const { world } = cast;
  const objects = observe(world);
  if (!isSettled()) {
    await settled();
    const late = await cast.reports();
    if (late.length > 0) ledger.broken ??= `only looking at the objects led to ${canonical(late)}`;
  }
  return {
    completed: ledger.completed(),
    blocked: ledger.blocked(),
    objects,
    ...(isVirtual ? { now: world.around.clock.now() } : {}),
  };
}

/** A deadline counted from now, on the real clock, is what was recorded give or take what has passed since. */
function forgive(got: Outcome, want: Want | undefined): Outcome {
  if (want === undefined || !('completed' in want)) return got;
  const completed = got.completed.map((one) => {
    const at = want.completed.find(({ g, step }) => g === one.g && step === one.step)?.result.at;
    const isNear = Math.abs(Number(at) - Number(one.result.at)) <= WATCHDOG_MS;
    return isNear ? { ...one, result: { ...one.result, at } } : one;
  });
  return { ...got, completed };
}

/** Null: it differs. Otherwise how to go on: as before, not at all, or with what an alternative wants then. */
function match(
  want: Want | undefined,
  ledger: Ledger,
  got: Outcome,
): 'go on' | 'end' | readonly Want[] | null {
  if (want === undefined || ledger.broken !== null) return null;
  if ('fatal' in want) return ledger.crash === null && ledger.fatal === want.fatal ? 'end' : null;
  if ('crash' in want) return ledger.crash?.startsWith(want.crash) === true ? 'end' : null;
  if (ledger.fatal !== null || ledger.crash !== null) return null;
  const text = outcomeText(got);
  if ('oneOf' in want) return want.oneOf.find((one) => outcomeText(one) === text)?.then ?? null;
  return outcomeText(want) === text ? 'go on' : null;
}

function different(where: string, want: Want | undefined, ledger: Ledger, got: Outcome): Verdict {
  const expected =
    want === undefined
      ? 'the case to have ended'
      : 'oneOf' in want
        ? `one of ${want.oneOf.map(outcomeText).join('\n         or ')}`
        : canonical(want);
  const seen =
    ledger.broken ??
    (ledger.crash !== null
      ? canonical({ crash: ledger.crash })
      : ledger.fatal !== null
        ? canonical({ fatal: ledger.fatal })
        : outcomeText(got));
  return { is: 'failed', step: where, expected, got: seen };
}

/** Fails loudly instead of hanging. */
async function watched<T>(work: Promise<T>, crew: Crew, where: () => string): Promise<T> {
  let lose!: (why: string) => void;
  const lost = new Promise<string>((resolve) => (lose = resolve));
  crew.onLost = lose;
  const timer = setTimeout(() => lose(`not settled after ${WATCHDOG_MS} ms; ${hereAndNow()}`), WATCHDOG_MS);
  const done = work.then((value) => ({ value }));
  const first = await Promise.race([done, lost]).finally(() => clearTimeout(timer));
  if (typeof first !== 'string') return first.value;
  done.catch(() => undefined);
  throw new CrewLost(`${where()}: ${first}`);
}

function hereAndNow(): string {
  const { words } = parker();
  const threads: string[] = [];
  for (let slot = 1; slot <= MAX_THREADS; slot++) {
    const record = threadAt(slot);
    const pending = words[record + Thread.pending];
    if (words[record + Thread.state] === ThreadState.alive && pending !== 0)
      threads.push(`thread ${words[record + Thread.tid]} has ${pending} pending`);
  }
  const here = goroutines().map(({ name, status }) => `${name} ${status}`);
  return `${threads.join(', ') || 'no thread has anything pending'}; goroutines of this thread: ${here.join(', ') || 'none'}`;
}
