/** Every suite by the name it is asked for. */
import type { Suite } from './result.js';
import { syncSuite } from './sync/index.js';

export const SUITES: Readonly<Record<string, Suite>> = {
  sync: syncSuite,
};
