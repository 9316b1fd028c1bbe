/**
 * Feature gates: Kubernetes' own, and one for each place where podloom does better than v1.29.15.
 *
 * Ours are on unless turned off; `upstream('1.29')` turns all of them off, and the behaviour is v1.29.15's, bug for
 * bug. docs/fidelity.md says of each what upstream does and which test shows the difference.
 */

/** Kubernetes' gates that this code looks at, with their defaults at v1.29. */
const KUBERNETES = {
  InPlacePodVerticalScaling: false,
  PodDisruptionConditions: true,
  PodReadyToStartContainersCondition: true,
} as const;

const PODLOOM = {
  /** A status goes out as one conditional PATCH on the newest object seen, without a GET before it. */
  PatchFirst: true,
  /** A cut termination message ends with a whole character. */
  WholeCharacterTruncation: true,
  /** A condition of the kubelet's that disappears is a change (upstream from v1.33). */
  SymmetricConditionEquality: true,
  /** Resource claim statuses, which the kubelet never writes, are not compared (upstream from v1.36). */
  IgnoreResourceClaimStatuses: true,
  /** Ephemeral containers' statuses are normalized like the others (upstream from v1.32). */
  NormalizeEphemeralContainers: true,
  /** The sync duration is measured from the first change that was not sent yet, not from the first ever. */
  SyncDurationFromChange: true,
  /** Merging for the API never changes the cached status. */
  ImmutableMerge: true,
  /** What merging adds for the API is not taken for a difference in the next pass. */
  ReconcileMerged: true,
  /** A pod the API does not have is not asked for again until something about it changes. */
  RememberNotFound: true,
  /** A pod without a uid, a name or a namespace is refused; to upstream the empty uid is a key like any other. */
  RequirePodIdentity: true,
  /** A pod's allocation is changed as a whole and written once, not container by container. */
  WholePodAllocation: true,
  /** With readiness gates, a sidecar's readiness is looked up among the init containers. */
  SidecarReadinessGates: true,
} as const;

export type KubernetesGate = keyof typeof KUBERNETES;
export type PodloomGate = keyof typeof PODLOOM;
export type Gate = KubernetesGate | PodloomGate;
export type Gates = Readonly<Record<Gate, boolean>>;

/** The defaults: Kubernetes v1.29's and all of ours. */
export const defaultGates: Gates = Object.freeze({ ...KUBERNETES, ...PODLOOM });

/** What that version of Kubernetes does, with nothing of ours. */
export function upstream(version: '1.29', overrides: Partial<Gates> = {}): Gates {
  if (version !== '1.29') throw new RangeError(`upstream(${String(version)}): only '1.29' is known`);
  const off = Object.fromEntries(Object.keys(PODLOOM).map((name) => [name, false]));
  return withGates({ ...defaultGates, ...off }, overrides);
}

/** The given gates with some of them changed. A name that is no gate is an error. */
export function withGates(gates: Gates, overrides: Partial<Gates>): Gates {
  for (const [name, value] of Object.entries(overrides)) {
    if (!Object.hasOwn(defaultGates, name)) {
      throw new RangeError(`unknown gate ${name}; known: ${Object.keys(defaultGates).join(', ')}`);
    }
    if (typeof value !== 'boolean')
      throw new RangeError(`gate ${name} must be true or false, got ${String(value)}`);
  }
  return Object.freeze({ ...gates, ...overrides });
}
