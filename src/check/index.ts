/** Checks of how locks are used: ranks, order, holds; and what happens when a thread dies with one. */
export { Sentinel, holdLifeline } from './sentinel.js';
export type { Death } from './sentinel.js';
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
