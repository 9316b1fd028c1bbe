/** Checks of how locks are used: ranks, order, holds. */
export { checks, checksAreInherited, disableChecks, enableChecks } from './checks.js';
export type { CheckOptions } from './checks.js';
export type { HeldLocks, Report } from './held.js';
export { OrderGraph } from './order.js';
export type { Edge } from './order.js';
export { PROJECT_RANKS } from './project-ranks.js';
export { RankTextError } from './rank-text.js';
export { declareRanks } from './ranks.js';
export type { Ranks } from './ranks.js';
export { LockViolation } from './violation.js';
export type { Moment, ViolationCode } from './violation.js';
