/** Replays a life of the status manager: a step, then everything that can be seen, compared with what was recorded. */
import type { Verdict } from '../kind.js';
import { type Difference, NowMask, deepFreeze, firstDifference } from './difference.js';
import type { SequenceCase, Step } from './format.js';
import { Expectation } from './observation.js';
import { runStep, wantedRet } from './sequence-ops.js';
import { START, World } from './world.js';

/** A case that hangs fails after this long. */
const WATCHDOG_MS = 30_000;

/** Where a case is, in words; made only when asked for. */
interface Place {
  where: () => string;
}

/** `directory` does not exist, and will not when this is over. */
export async function runSequenceCase(vector: SequenceCase, directory: string): Promise<Verdict> {
  const place: Place = { where: () => 'opening the manager' };
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${WATCHDOG_MS} ms`)), WATCHDOG_MS);
  });
  try {
    return await Promise.race([replay(vector, directory, place), hung]);
  } catch (error) {
    const got = (error as Error).stack ?? String(error);
    return { is: 'failed', step: place.where(), expected: 'no error', got };
  } finally {
    clearTimeout(timer);
  }
}

async function replay(vector: SequenceCase, directory: string, place: Place): Promise<Verdict> {
  const world = await World.open(vector, directory);
  try {
    // The loop's clock goes on with each tick; the recorded one stood still.
    const mask = new NowMask(START, world.isStarted);
    const expectation = new Expectation(World.initialStateFile(vector));
    for (const [index, step] of vector.steps.entries()) {
      place.where = () => `step ${index}: ${inShort(step)}`;
      const got = await world.observe(await runStep(world, deepFreeze(step)));
      const want = vector.want[index];
      const expected = expectation.after({ ...want, ret: wantedRet(step, want.ret) });
      const difference = firstDifference(expected, got, mask);
      if (difference !== null) return failed(place.where(), difference);
    }
    return { is: 'passed' };
  } finally {
    await world.close();
  }
}

const failed = (where: string, { path, expected, got }: Difference): Verdict => ({
  is: 'failed',
  step: `${where}\n    at ${path}`,
  expected,
  got,
});

/** A step without its objects, which are long. */
function inShort({ op, pod, status, ...rest }: Step): string {
  const name = pod && { pod: `${pod.metadata.namespace}/${pod.metadata.name}`, uid: pod.metadata.uid };
  const phase = status && { phase: status.phase };
  return `${op} ${JSON.stringify({ ...name, ...phase, ...rest })}`;
}
