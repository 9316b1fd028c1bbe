/** The suite of src/sync, in the order it runs. */
import type { Suite } from '../result.js';
import { crossThread } from './chan-cross.js';
import { sameThread } from './chan-same.js';
import { contended, readers } from './contended.js';
import { contextCheck } from './context.js';
import { uncontended } from './locks.js';
import { select4 } from './select.js';
import { spawn } from './spawn.js';
import { wake } from './wake.js';

export const syncSuite: Suite = [
  uncontended,
  contended,
  readers,
  sameThread,
  ...crossThread,
  ...wake,
  select4,
  contextCheck,
  spawn,
];
