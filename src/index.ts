/** The package's public names, layer by layer. */
export { PodloomError, RemoteError, fromWireError, toWireError } from './observe/errors.js';
export type { WireError } from './observe/errors.js';
export { silentLogger } from './observe/logger.js';
export type { LogFields, Logger } from './observe/logger.js';
export { MemoryMetrics } from './observe/memory-metrics.js';
export { noMetrics } from './observe/metrics.js';
export type { Counter, Gauge, Histogram, MetricOptions, Metrics } from './observe/metrics.js';
export * from './sync/index.js';
export * from './check/index.js';
export * from './kube/index.js';
export * from './table/index.js';
export * from './runtime/index.js';
export * from './state/index.js';
export * from './status/index.js';
export * from './pod/index.js';
export * from './api/index.js';
export * from './apiserver/index.js';
