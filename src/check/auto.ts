/**
 * Turns the checks on without a line in the program: `PODLOOM_CHECK=1 node --import <this module> …`.
 *
 * Node loads an --import into every worker too; there it goes by what the thread that started it has, so that
 * one disableChecks() on main is enough for a part of a program that must run without.
 */
import { isMainThread } from 'node:worker_threads';
import { checksAreInherited, enableChecks } from './checks.js';
import { PROJECT_RANKS } from './project-ranks.js';

if (isMainThread) {
  if (process.env.PODLOOM_CHECK === '1') enableChecks({ ranks: PROJECT_RANKS, undeclared: 'learn' });
} else if (checksAreInherited()) {
  enableChecks();
}
