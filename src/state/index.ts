export type { PodResourceAllocation, ResizeStatuses, State } from './state.js';
export type { Checkpoint, CheckpointCodec } from './codec.js';
export type { CheckpointFile } from './checkpoint-file.js';
export { noopState } from './noop-state.js';
export { MemoryState } from './memory-state.js';
export { openCheckpointState, type CheckpointStateOptions } from './checkpoint-state.js';
export { codecV1 } from './codec-v1.js';
export { codecV129 } from './codec-v129.js';
export { CheckpointError, type CheckpointFault } from './errors.js';
