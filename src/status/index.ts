/** The status manager. */
export type { DeleteOptions, StatusClient } from './client.js';
export type { PodDeletionSafetyProvider, PodManager, PodStartupLatencyStateHelper } from './collaborators.js';
export { StatusError } from './errors.js';
export { POD_STATUS_MANAGER_STATE_FILE, StatusManager } from './manager.js';
export type { StopResult } from './manager.js';
export type { StatusManagerOptions } from './options.js';
export { PodStartupLatencyTracker } from './startup-latency.js';
export type { VersionedPodStatus } from './versioned-status.js';
