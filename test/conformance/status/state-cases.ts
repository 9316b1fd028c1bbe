/** Cases of the checkpoint alone. */
import type { Verdict } from '../kind.js';
import type { StateCase } from './format.js';

export async function runStateCase(_vector: StateCase): Promise<Verdict> {
  return { is: 'failed', step: 'state', expected: 'a runner', got: 'none' };
}
