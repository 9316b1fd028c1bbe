/** Checks of locks, and what happens when a thread dies with one. */
export { Sentinel, holdLifeline } from './sentinel.js';
export type { Death } from './sentinel.js';
