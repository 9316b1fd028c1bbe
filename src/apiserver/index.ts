/** The embedded API server. */
export { ApiServer } from './server.js';
export type { ApiServerOptions } from './server.js';
export { Faults, Hold, Rule } from './faults.js';
export type { Failure, Point, RuleOptions } from './faults.js';
export { RequestLog } from './request-log.js';
export type { RequestMatch, RequestRecord } from './request-log.js';
export type { Verb } from './router.js';
export { CompactedError, Store } from './store.js';
export type { ApiObject, StoreEvent, StoreListener, StoreOptions } from './store.js';
