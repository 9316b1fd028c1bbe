/** What the status manager's loop drives: upstream's batches or the engine. */
import type { PodRecord } from './status-cache.js';

export interface SyncDriver {
  /** Something is in the dirty set. */
  onSignal(): Promise<void>;
  /** It is time for a full pass. */
  onTick(): Promise<void>;
  /** How many pods the API server is behind on. */
  readonly unsynced: number;
  /** Resolves when nothing is under way; what waits for its backoff is not. */
  idle(): Promise<void>;
  /** Tries to send all there is, and resolves when it is sent, or nothing more will be tried. */
  drain(): Promise<void>;
  /** Ends what is under way, at once. */
  abort(): void;
  /** The pod's status is gone, and so is what is remembered for sending it. */
  forget(record: PodRecord): void;
}
