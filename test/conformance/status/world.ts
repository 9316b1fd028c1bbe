/** A status manager and all it deals with, for one case; and what can be seen of it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePodStatus } from '../../../src/kube/encode.js';
import { type Gates, upstream } from '../../../src/kube/gates.js';
import type { Pod, PodUID } from '../../../src/kube/types.js';
import { BasicPodManager } from '../../../src/pod/pod-manager.js';
import { type State, codecV129, openCheckpointState } from '../../../src/state/index.js';
import type {
  PodDeletionSafetyProvider,
  PodStartupLatencyStateHelper,
} from '../../../src/status/collaborators.js';
import { StatusManager } from '../../../src/status/manager.js';
import { FakeClock, settled } from '../../../src/sync/index.js';
import type { SequenceCase } from './format.js';
import type { Observation, StartupCall } from './observation.js';
import { TrackerStore, compareText } from './tracker-store.js';

/** When every case begins: after all times in the vectors, and a whole second. */
export const START = Date.UTC(2030, 0, 1);

const STATE_FILE = 'pod_status_manager_state';
const EMPTY_CHECKPOINT = '{"checksum":670531192}';

export class World implements PodDeletionSafetyProvider, PodStartupLatencyStateHelper {
  readonly clock = new FakeClock({ now: START });
  readonly podManager = new BasicPodManager();
  readonly store = new TrackerStore();
  readonly couldHaveRunning = new Map<string, boolean>();
  readonly #gates: Gates;
  readonly #directory: string;
  /** The case starts the manager, with this client; undefined: it calls syncBatch itself. */
  readonly #startsWith: TrackerStore | null | undefined;
  #manager: StatusManager | undefined;
  #state: State | undefined;
  #startup: StartupCall[] = [];
  #safety: string[] = [];

  private constructor(vector: SequenceCase, gates: Gates, directory: string) {
    this.#gates = gates;
    this.#directory = directory;
    const start = vector.steps.find(({ op }) => op === 'start');
    this.#startsWith = start && (start.client === null ? null : this.store);
  }

  /** `directory` does not exist yet; it is for the state. */
  static async open(vector: SequenceCase, directory: string): Promise<World> {
    const world = new World(vector, upstream('1.29', vector.gates), directory);
    try {
      if (world.hasState) {
        mkdirSync(directory);
        world.writeStateFile(EMPTY_CHECKPOINT);
      }
      await world.#newManager();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** What the state file holds before the first step; undefined where there is no state. */
  static initialStateFile(vector: SequenceCase): string | undefined {
    return vector.gates.InPlacePodVerticalScaling === true ? EMPTY_CHECKPOINT : undefined;
  }

  get manager(): StatusManager {
    if (this.#manager === undefined) throw new Error('the case was not opened');
    return this.#manager;
  }

  get hasState(): boolean {
    return this.#gates.InPlacePodVerticalScaling;
  }

  get isStarted(): boolean {
    return this.#startsWith !== undefined;
  }

  /** A new manager on what is on disk and in the API. Gives the error that kept it from its state, as text. */
  async restart(): Promise<string | null> {
    try {
      await this.#newManager();
      return null;
    } catch (error) {
      return this.inWords(error);
    }
  }

  inWords(error: unknown): string {
    return (error as Error).message.replaceAll(this.#directory, '$DIR');
  }

  writeStateFile(content: string): void {
    writeFileSync(join(this.#directory, STATE_FILE), content);
  }

  /** From now on nothing can be written there. */
  breakStateDirectory(): void {
    rmSync(this.#directory, { recursive: true });
    writeFileSync(this.#directory, '');
  }

  podCouldHaveRunningContainers(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    this.#safety.push(uid);
    return this.couldHaveRunning.get(uid) ?? false;
  }

  recordStatusUpdated({ metadata: { uid = '', namespace = '', name = '' } }: Pod): void {
    this.#startup.push({ call: 'RecordStatusUpdated', uid, namespace, name });
  }

  deletePodStartupState(uid: PodUID): void {
    this.#startup.push({ call: 'DeletePodStartupState', uid });
  }

  /** What a step that gave `ret` has led to. Calls are those since the last time. */
  async observe(ret: unknown): Promise<Observation> {
    if (this.isStarted) await settled();
    // What cannot be written is seen in the file.
    await this.#state?.flush().catch(() => undefined);
    const { podStatuses, apiStatusVersions } = this.manager.inspect();
    const [startup, safety] = [this.#startup, this.#safety];
    this.#startup = [];
    this.#safety = [];
    return {
      ret,
      cache: Object.fromEntries(
        Array.from(podStatuses, ([uid, { version, podIsFinished, podName, podNamespace, at, status }]) => [
          uid,
          { version, podIsFinished, podName, podNamespace, atSet: at > 0, status: encodePodStatus(status) },
        ]),
      ),
      api: this.store.contents(),
      apiVersions: Object.fromEntries(apiStatusVersions),
      signal: this.manager.podStatusChannel.len > 0,
      actions: this.store.takeActions(),
      startup: startup.sort((a, b) => compareText(a.uid, b.uid)),
      safety: safety.sort(compareText),
      stateFile: this.hasState ? this.#readStateFile() : undefined,
    };
  }

  async close(): Promise<void> {
    await this.#manager?.stop();
    this.clock.dispose();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #newManager(): Promise<void> {
    await this.#manager?.stop();
    const options = {
      podManager: this.podManager,
      podDeletionSafety: this,
      podStartupLatency: this,
      gates: this.#gates,
      clock: this.clock,
      faithful: true,
    } as const;
    if (this.#startsWith !== undefined) {
      this.#manager = new StatusManager({
        ...options,
        client: this.#startsWith,
        stateDirectory: this.#directory,
        stateCodec: 'v1.29',
      });
      return;
    }
    this.#state = undefined;
    // Also there if the state cannot be had: what is seen then is a manager that knows nothing.
    this.#manager = new StatusManager({ ...options, client: this.store });
    if (!this.hasState) return;
    this.#state = await openCheckpointState({
      directory: this.#directory,
      fileName: STATE_FILE,
      codec: codecV129,
    });
    this.#manager = new StatusManager({ ...options, client: this.store, state: this.#state });
  }

  #readStateFile(): string {
    try {
      return readFileSync(join(this.#directory, STATE_FILE), 'utf8');
    } catch {
      return '';
    }
  }
}
