/**
 * The state with a file behind it: `stateCheckpoint`.
 *
 * Upstream rewrites the file for each change, under its lock. Here one write is under way at a time, and the changes
 * made meanwhile go out together in the next one: a thousand changes in a row are two writes. Each caller's
 * promise is that of the write that has its change.
 *
 * A write that fails leaves the file as it was. Memory is ahead of it then, until a later write gets through.
 */
import { Mutex } from 'async-mutex';
import type { PodResizeStatus, ResourceList } from '../kube/types.js';
import { silentLogger, type Logger } from '../observe/logger.js';
import { DiskCheckpointFile, type CheckpointFile } from './checkpoint-file.js';
import type { Checkpoint, CheckpointCodec } from './codec.js';
import { codecV1 } from './codec-v1.js';
import { CheckpointContentError, CheckpointError } from './errors.js';
import { MemoryState } from './memory-state.js';
import type { PodResourceAllocation, ResizeStatuses, State } from './state.js';

export interface CheckpointStateOptions {
  readonly directory: string;
  /** `pod_status_manager_state` if not given, the kubelet's. */
  readonly fileName?: string;
  readonly codec?: CheckpointCodec;
  readonly logger?: Logger;
  /** In place of a file on disk. */
  readonly file?: CheckpointFile;
}

const DEFAULT_FILE_NAME = 'pod_status_manager_state';

/**
 * Restores what the file has, or makes an empty one. Throws CheckpointError for a file that it cannot take;
 * such a file is neither changed nor removed.
 */
export async function openCheckpointState(options: CheckpointStateOptions): Promise<State> {
  const { directory, fileName = DEFAULT_FILE_NAME, codec = codecV1, logger = silentLogger } = options;
  const file = options.file ?? new DiskCheckpointFile(directory, fileName);
  try {
    await file.prepare();
    await file.sweep();
  } catch (error) {
    throw failed(
      error,
      file,
      `failed to initialize checkpoint manager for pod allocation tracking: ${text(error)}`,
    );
  }
  const restored = await restore(file, codec);
  const state = new CheckpointState(file, codec, restored);
  if (restored === undefined) await state.create();
  logger.info(2, 'State checkpoint opened', {
    file: file.path,
    codec: codec.name,
    restored: restored !== undefined,
  });
  return state;
}

async function restore(file: CheckpointFile, codec: CheckpointCodec): Promise<Checkpoint | undefined> {
  try {
    const content = await file.read();
    return content === undefined ? undefined : codec.decode(content);
  } catch (error) {
    throw failed(error, file, codec.restoreMessage(file.path, text(error)));
  }
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function failed(error: unknown, file: CheckpointFile, message: string): unknown {
  if (!(error instanceof CheckpointContentError || error instanceof CheckpointError)) return error;
  return new CheckpointError(error.fault, file.path, message, { cause: error });
}

class CheckpointState implements State {
  readonly #file: CheckpointFile;
  readonly #codec: CheckpointCodec;
  readonly #memory = new MemoryState();
  /** Held while the file is written. */
  readonly #writing = new Mutex();
  /** A write that was asked for and has not looked at memory yet: it will have every change made until it does. */
  #next: Promise<void> | undefined;
  /** The newest write that has looked at memory, and the revision it saw. None if it failed. */
  #latest: { readonly revision: number; readonly done: Promise<void> } | undefined;

  constructor(file: CheckpointFile, codec: CheckpointCodec, restored: Checkpoint | undefined) {
    this.#file = file;
    this.#codec = codec;
    if (restored === undefined) return;
    void this.#memory.setPodResourceAllocation(restored.allocations);
    void this.#memory.setResizeStatus(restored.resizeStatuses);
    this.#latest = { revision: this.#memory.revision, done: Promise.resolve() };
  }

  create(): Promise<void> {
    return this.#write();
  }

  getContainerResourceAllocation(podUID: string, containerName: string): ResourceList | null | undefined {
    return this.#memory.getContainerResourceAllocation(podUID, containerName);
  }

  getPodResourceAllocation(): PodResourceAllocation {
    return this.#memory.getPodResourceAllocation();
  }

  getPodResizeStatus(podUID: string): PodResizeStatus | undefined {
    return this.#memory.getPodResizeStatus(podUID);
  }

  getResizeStatus(): ResizeStatuses {
    return this.#memory.getResizeStatus();
  }

  setContainerResourceAllocation(
    podUID: string,
    containerName: string,
    alloc: ResourceList | null,
  ): Promise<void> {
    return this.setContainerResourceAllocations(podUID, new Map([[containerName, alloc]]));
  }

  setContainerResourceAllocations(
    podUID: string,
    allocs: ReadonlyMap<string, ResourceList | null>,
  ): Promise<void> {
    return this.#change(
      () => this.#memory.setContainerResourceAllocations(podUID, allocs),
      [...allocs.values()],
    );
  }

  setPodResourceAllocation(allocations: PodResourceAllocation): Promise<void> {
    const lists = [...allocations.values()].flatMap((containers) => [...containers.values()]);
    return this.#change(() => this.#memory.setPodResourceAllocation(allocations), lists);
  }

  setPodResizeStatus(podUID: string, status: PodResizeStatus): Promise<void> {
    return this.#change(() => this.#memory.setPodResizeStatus(podUID, status));
  }

  setResizeStatus(statuses: ResizeStatuses): Promise<void> {
    return this.#change(() => this.#memory.setResizeStatus(statuses));
  }

  delete(podUID: string, containerName: string): Promise<void> {
    return this.#change(() => this.#memory.delete(podUID, containerName));
  }

  clearState(): Promise<void> {
    return this.#change(() => this.#memory.clearState());
  }

  flush(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const latest = this.#latest;
    return latest?.revision === this.#memory.revision ? latest.done : this.#write();
  }

  #change(apply: () => Promise<void>, lists: readonly (ResourceList | null)[] = []): Promise<void> {
    try {
      for (const list of lists) if (list !== null) this.#codec.admit(list);
    } catch (error) {
      return unobserved(Promise.reject(error instanceof Error ? error : new Error(String(error))));
    }
    void apply();
    return this.#codec.rewritesUnchanged ? this.#write() : this.flush();
  }

  #write(): Promise<void> {
    this.#next ??= unobserved(this.#writing.runExclusive(() => this.#writeNow()));
    return this.#next;
  }

  #writeNow(): Promise<void> {
    this.#next = undefined;
    const done = this.#replace();
    const latest = { revision: this.#memory.revision, done };
    this.#latest = latest;
    done.catch(() => {
      if (this.#latest === latest) this.#latest = undefined;
    });
    return done;
  }

  async #replace(): Promise<void> {
    await this.#file.replace(
      this.#codec.encode({
        allocations: this.#memory.getPodResourceAllocation(),
        resizeStatuses: this.#memory.getResizeStatus(),
      }),
    );
  }
}

/** A promise whose rejection may go unseen. */
function unobserved(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
