/** How a checkpoint looks on disk. Codecs are pure: content in, content out. */
import type { ResourceList } from '../kube/types.js';
import type { PodResourceAllocation, ResizeStatuses } from './state.js';

export interface Checkpoint {
  readonly allocations: PodResourceAllocation;
  readonly resizeStatuses: ResizeStatuses;
}

export interface CheckpointCodec {
  readonly name: string;
  /** Whether a change that changed nothing is written all the same. */
  readonly rewritesUnchanged: boolean;
  /** Throws what makes a list impossible to write, before it gets into memory. */
  admit(alloc: ResourceList): void;
  encode(checkpoint: Checkpoint): string;
  /** Throws CheckpointContentError. */
  decode(content: Buffer): Checkpoint;
  /** What to tell whoever starts the node, of a file that could not be restored. */
  restoreMessage(file: string, detail: string): string;
}
