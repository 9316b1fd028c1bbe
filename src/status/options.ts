/** What a status manager is made of, and what it does where nothing is said. */
import { type Gates, defaultGates, upstream } from '../kube/gates.js';
import { type Logger, silentLogger, unfailing } from '../observe/logger.js';
import { type Metrics, noMetrics } from '../observe/metrics.js';
import type { State } from '../state/index.js';
import { type Clock, realClock } from '../sync/index.js';
import type { StatusClient } from './client.js';
import type { PodDeletionSafetyProvider, PodManager, PodStartupLatencyStateHelper } from './collaborators.js';
import { StatusError } from './errors.js';

export interface StatusManagerOptions {
  /** Null: statuses are kept and nobody is told. */
  readonly client: StatusClient | null;
  readonly podManager: PodManager;
  readonly podDeletionSafety: PodDeletionSafetyProvider;
  /** Default: nobody measures. */
  readonly podStartupLatency?: PodStartupLatencyStateHelper;
  /** Default: Kubernetes v1.29's gates and all of ours; `upstream('1.29')` with `faithful`. */
  readonly gates?: Gates;
  /** One pod at a time, GET before each PATCH, no backoff: upstream's requests exactly. Default: false. */
  readonly faithful?: boolean;
  /** How many pods there may be; the version table is made for it. Default: 10,000. */
  readonly maxPods?: number;
  /** How many pods may be in flight to the server at once. Default: 16. */
  readonly concurrency?: number;
  /** Requests a second in the long run, and at once. Default: 50 and 100, as the kubelet's. Infinity: no limit. */
  readonly qps?: number;
  readonly burst?: number;
  /** How long a pod waits after its first failure, and at most, in milliseconds. Default: 500 and 30,000. */
  readonly backoff?: { readonly initialMs?: number; readonly maxMs?: number };
  /** The time between two full passes in milliseconds. Default: 10,000. */
  readonly syncPeriodMs?: number;
  /** Where allocations are kept over a restart, with the gate InPlacePodVerticalScaling. */
  readonly stateDirectory?: string;
  /** How that file is written. Default: ours; `v1.29` with `faithful`. */
  readonly stateCodec?: 'v1' | 'v1.29';
  /** An open state, instead of the directory. */
  readonly state?: State;
  /** False while the pod manager does not follow the API: then nothing is patched on top of it. Default: true. */
  readonly watchIsFresh?: () => boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** For the jitter of the backoff. Default: Math.random. */
  readonly random?: () => number;
}

const nobodyMeasures: PodStartupLatencyStateHelper = {
  recordStatusUpdated() {},
  deletePodStartupState() {},
};

export function withDefaults(options: StatusManagerOptions) {
  const faithful = options.faithful ?? false;
  const filled = {
    client: options.client,
    podManager: options.podManager,
    podDeletionSafety: options.podDeletionSafety,
    podStartupLatency: options.podStartupLatency ?? nobodyMeasures,
    faithful,
    gates: options.gates ?? (faithful ? upstream('1.29') : defaultGates),
    maxPods: options.maxPods ?? 10_000,
    concurrency: options.concurrency ?? 16,
    qps: options.qps ?? 50,
    burst: options.burst ?? 100,
    backoffInitialMs: options.backoff?.initialMs ?? 500,
    backoffMaxMs: options.backoff?.maxMs ?? 30_000,
    syncPeriodMs: options.syncPeriodMs ?? 10_000,
    stateDirectory: options.stateDirectory,
    stateCodec: options.stateCodec ?? (faithful ? 'v1.29' : 'v1'),
    state: options.state,
    watchIsFresh: options.watchIsFresh ?? (() => true),
    clock: options.clock ?? realClock,
    logger: options.logger === undefined ? silentLogger : unfailing(options.logger),
    metrics: options.metrics ?? noMetrics,
    random: options.random ?? Math.random,
  } as const;
  if (options.client === undefined) throw badOption('client', 'an API client, or null for none', undefined);
  if (!Number.isInteger(filled.concurrency) || filled.concurrency < 1) {
    throw badOption('concurrency', 'a whole number from 1 on', filled.concurrency);
  }
  if (!(filled.syncPeriodMs > 0)) throw badOption('syncPeriodMs', 'a number above 0', filled.syncPeriodMs);
  return filled;
}

function badOption(name: string, wanted: string, got: unknown): StatusError {
  return new StatusError('ERR_BAD_OPTION', `${name} must be ${wanted}, got ${String(got)}`);
}
