/** The package's public names, layer by layer. */
export { PodloomError, RemoteError, fromWireError, toWireError } from './observe/errors.js';
export type { WireError } from './observe/errors.js';
export * from './sync/index.js';
export * from './check/index.js';
export * from './runtime/index.js';
export * from './api/index.js';
