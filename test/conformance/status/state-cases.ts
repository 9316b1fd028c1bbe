/**
 * Cases of the allocation state: calls on a State with a v1.29 checkpoint, and after each the file, to the byte.
 *
 * Each case has a folder of its own, which is gone when it ends.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { canonicalQuantity } from '../../../src/kube/quantity.js';
import type { ResourceList } from '../../../src/kube/types.js';
import { CheckpointError, codecV129, openCheckpointState, type State } from '../../../src/state/index.js';
import { dump } from '../../../src/state/v129-dump.js';
import type { Verdict } from '../kind.js';

type Json = Readonly<Record<string, unknown>>;
type StoredLists = Readonly<Record<string, ResourceList | null>>;

interface Step extends Json {
  readonly op: string;
}

interface Observation {
  readonly ret?: unknown;
  /** What the file holds now, if that changed; null: it cannot be read any more. */
  readonly file?: string | null;
  readonly hashInput?: string;
}

export interface StateVector {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly want: readonly Observation[];
}

const FILE_NAME = 'pod_status_manager_state';

export async function runStateCase(vector: StateVector): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'podloom-state-'));
  try {
    return await compareSteps(vector, new World(join(folder, 'state')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareSteps({ steps, want }: StateVector, world: World): Promise<Verdict> {
  await world.makeDirectory();
  // A file that is not there and an empty one were recorded alike.
  let file = '';
  for (const [index, step] of steps.entries()) {
    const wanted = want[index] ?? {};
    if (wanted.file !== undefined) file = wanted.file ?? '';
    const expected = { ret: wanted.ret ?? null, file, hashInput: wanted.hashInput ?? null };
    const ret = (await world.run(step)) ?? null;
    const got = {
      ret,
      file: await world.fileContent(),
      hashInput: wanted.hashInput === undefined ? null : world.hashInput(),
    };
    if (isDeepStrictEqual(got, expected)) continue;
    const where = `${String(index)} ${step.op}`;
    return { is: 'failed', step: where, expected: JSON.stringify(expected), got: JSON.stringify(got) };
  }
  return { is: 'passed' };
}

class World {
  readonly #directory: string;
  readonly #file: string;
  #state: State | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#file = join(directory, FILE_NAME);
  }

  async makeDirectory(): Promise<void> {
    await mkdir(this.#directory);
  }

  async fileContent(): Promise<string> {
    return readFile(this.#file, 'utf8').catch(() => '');
  }

  hashInput(): string {
    const state = this.#opened();
    return dump({
      allocationEntries: state.getPodResourceAllocation(),
      resizeStatusEntries: state.getResizeStatus(),
    });
  }

  async run(step: Step): Promise<unknown> {
    switch (step.op) {
      case 'open':
        return this.#error(async () => {
          this.#state = await openCheckpointState({
            directory: this.#directory,
            fileName: FILE_NAME,
            codec: codecV129,
          });
        });
      case 'writeFile':
        return writeFile(this.#file, step.content as string);
      case 'makeFileADirectory':
        return mkdir(this.#file);
      case 'breakDir':
        await rm(this.#directory, { recursive: true });
        return writeFile(this.#directory, '');
      default:
        return this.#call(this.#opened(), step);
    }
  }

  #call(state: State, step: Step): unknown {
    const podUID = step.podUID as string;
    const container = step.container as string;
    switch (step.op) {
      case 'getContainerResourceAllocation': {
        const alloc = state.getContainerResourceAllocation(podUID, container);
        return { alloc: shown(alloc ?? null), ok: alloc !== undefined };
      }
      case 'getPodResourceAllocation':
        return Object.fromEntries(
          [...state.getPodResourceAllocation()].map(([uid, containers]) => [
            uid,
            Object.fromEntries([...containers].map(([name, list]) => [name, shown(list)])),
          ]),
        );
      case 'getPodResizeStatus': {
        const resize = state.getPodResizeStatus(podUID);
        return { resize: resize ?? '', ok: resize !== undefined };
      }
      case 'getResizeStatus':
        return Object.fromEntries(state.getResizeStatus());
      case 'setContainerResourceAllocation':
        return this.#error(() =>
          state.setContainerResourceAllocation(podUID, container, step.alloc as ResourceList | null),
        );
      case 'setPodResourceAllocation': {
        const pods = Object.entries((step.allocations ?? {}) as Readonly<Record<string, StoredLists | null>>);
        return this.#error(() =>
          state.setPodResourceAllocation(
            new Map(pods.map(([uid, lists]) => [uid, new Map(Object.entries(lists ?? {}))])),
          ),
        );
      }
      case 'setPodResizeStatus':
        return this.#error(() => state.setPodResizeStatus(podUID, step.resize as string));
      case 'setResizeStatus':
        return this.#error(() =>
          state.setResizeStatus(new Map(Object.entries((step.statuses ?? {}) as Record<string, string>))),
        );
      case 'delete':
        return this.#error(() => state.delete(podUID, container));
      case 'clearState':
        return this.#error(() => state.clearState());
      default:
        throw new Error(`no such operation: ${step.op}`);
    }
  }

  async #error(act: () => Promise<void>): Promise<Json> {
    try {
      await act();
      return { error: null };
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      return { class: error.fault, error: error.message.replaceAll(this.#directory, '$DIR') };
    }
  }

  #opened(): State {
    if (this.#state === undefined) throw new Error('the state was not opened');
    return this.#state;
  }
}

/** As Go writes it. */
const shown = (list: ResourceList | null): ResourceList | null =>
  list &&
  Object.fromEntries(
    Object.entries(list).map(([resource, quantity]) => [resource, canonicalQuantity(quantity)]),
  );
