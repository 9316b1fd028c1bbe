/** Every suite by the name it is asked for. */
import { benchChecks } from './check.js';
import { plain } from './plain.js';
import type { Suite } from './result.js';
import { statusSuite } from './status/index.js';
import { syncSuite } from './sync/index.js';
import { tableSuite } from './table.js';

export const SUITES: Readonly<Record<string, Suite>> = {
  sync: syncSuite,
  check: [plain('check/', benchChecks)],
  table: tableSuite,
  status: statusSuite,
};
