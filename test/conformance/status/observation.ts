/**
 * What a step shows, whole. Recorded are changes; Expectation adds them up, so that each step is compared with
 * everything that should be true after it.
 */
import type { Want } from './format.js';
import type { Action } from './tracker-store.js';

export interface CachedStatus {
  readonly version: number;
  readonly podIsFinished: boolean;
  readonly podName: string;
  readonly podNamespace: string;
  readonly atSet: boolean;
  readonly status: unknown;
}

export interface StoredPod {
  readonly uid: string;
  readonly deletionTimestamp: boolean;
  readonly status: unknown;
}

export interface Observation {
  readonly ret: unknown;
  readonly cache: Readonly<Record<string, CachedStatus>>;
  readonly api: Readonly<Record<string, StoredPod>>;
  readonly apiVersions: Readonly<Record<string, number>>;
  readonly signal: boolean;
  readonly actions: readonly Action[];
  readonly startup: readonly StartupCall[];
  readonly safety: readonly string[];
  /** Undefined where there is no state. */
  readonly stateFile: string | undefined;
}

export interface StartupCall {
  readonly call: 'RecordStatusUpdated' | 'DeletePodStartupState';
  readonly uid: string;
  readonly namespace?: string;
  readonly name?: string;
}

const KNOWN: ReadonlySet<string> = new Set<keyof Want>([
  'ret',
  'cache',
  'api',
  'apiVersions',
  'signal',
  'actions',
  'startup',
  'safety',
  'stateFile',
]);

export class Expectation {
  readonly #cache: Record<string, unknown> = {};
  readonly #api: Record<string, unknown> = {};
  #apiVersions: Readonly<Record<string, number>> = {};
  #stateFile: string | undefined;

  constructor(stateFile: string | undefined) {
    this.#stateFile = stateFile;
  }

  /** All that should be true after the step. Throws on something recorded that nobody here looks at. */
  after(want: Want): { readonly [K in keyof Observation]: unknown } {
    for (const key of Object.keys(want)) if (!KNOWN.has(key)) throw new Error(`unknown observation ${key}`);
    patch(this.#cache, want.cache);
    patch(this.#api, want.api);
    this.#apiVersions = want.apiVersions ?? this.#apiVersions;
    this.#stateFile = want.stateFile ?? this.#stateFile;
    return {
      ret: want.ret,
      cache: this.#cache,
      api: this.#api,
      apiVersions: this.#apiVersions,
      signal: want.signal,
      actions: want.actions ?? [],
      startup: want.startup ?? [],
      safety: want.safety ?? [],
      stateFile: this.#stateFile,
    };
  }
}

function patch(whole: Record<string, unknown>, changes: Readonly<Record<string, unknown>> = {}): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete whole[key];
    else whole[key] = value;
  }
}
