/**
 * The API types podloom reads and writes, as plain JSON: what `JSON.parse` of a server's answer gives.
 *
 * Times and quantities are strings, as on the wire. A field Go would hold as nil may be absent or `null`; an empty
 * list is a list, and some functions tell it from nil (generate.ts). Fields that are not named here are kept
 * by everything that copies, and are nobody's business otherwise.
 *
 * Every object is immutable once it was handed over: it is replaced, never changed in place.
 */

declare const brand: unique symbol;
type Brand<B extends string> = { readonly [brand]: B };

/** Who a pod is to the kubelet: what its status is kept under. */
export type PodUID = string & Brand<'PodUID'>;
/** Who a pod is to the API server. The pod's own UID, or that of its mirror for a static pod. */
export type MirrorPodUID = string & Brand<'MirrorPodUID'>;

/** RFC 3339, as `2024-03-01T10:00:00Z`; null is Go's zero time. */
export type Time = string | null;
/** As `250m` or `1Gi`. A server may send plain numbers, too. */
export type QuantityText = string | number;
export type ResourceList = Readonly<Record<string, QuantityText>>;

type Nullable<T> = T | null;

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: Time;
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: Nullable<number>;
  readonly labels?: Nullable<Readonly<Record<string, string>>>;
  readonly annotations?: Nullable<Readonly<Record<string, string>>>;
  readonly ownerReferences?: Nullable<readonly OwnerReference[]>;
  readonly finalizers?: Nullable<readonly string[]>;
  readonly managedFields?: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface Pod {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly containers?: Nullable<readonly Container[]>;
  readonly initContainers?: Nullable<readonly Container[]>;
  readonly ephemeralContainers?: Nullable<readonly Container[]>;
  readonly restartPolicy?: RestartPolicy;
  readonly readinessGates?: Nullable<readonly PodReadinessGate[]>;
  readonly terminationGracePeriodSeconds?: Nullable<number>;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly priority?: Nullable<number>;
  readonly priorityClassName?: string;
}

export type RestartPolicy = '' | 'Always' | 'OnFailure' | 'Never' | (string & {});

export interface Container {
  readonly name: string;
  readonly image?: string;
  /** `Always` makes an init container a sidecar; it means nothing elsewhere. */
  readonly restartPolicy?: Nullable<string>;
  readonly resources?: ResourceRequirements;
}

export interface ResourceRequirements {
  readonly requests?: Nullable<ResourceList>;
  readonly limits?: Nullable<ResourceList>;
  readonly claims?: Nullable<readonly { readonly name: string }[]>;
}

export interface PodReadinessGate {
  readonly conditionType: string;
}

export type PodPhase = '' | 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | (string & {});

export interface PodStatus {
  readonly phase?: PodPhase;
  readonly conditions?: Nullable<readonly PodCondition[]>;
  readonly message?: string;
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly hostIP?: string;
  readonly hostIPs?: Nullable<readonly { readonly ip?: string }[]>;
  readonly podIP?: string;
  readonly podIPs?: Nullable<readonly { readonly ip?: string }[]>;
  readonly startTime?: Time;
  readonly initContainerStatuses?: Nullable<readonly ContainerStatus[]>;
  readonly containerStatuses?: Nullable<readonly ContainerStatus[]>;
  readonly ephemeralContainerStatuses?: Nullable<readonly ContainerStatus[]>;
  readonly qosClass?: string;
  readonly resize?: PodResizeStatus;
  readonly resourceClaimStatuses?: Nullable<readonly PodResourceClaimStatus[]>;
}

export type PodResizeStatus = '' | 'Proposed' | 'InProgress' | 'Deferred' | 'Infeasible' | (string & {});

export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: Nullable<string>;
}

export type ConditionStatus = 'True' | 'False' | 'Unknown' | (string & {});

export interface PodCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly lastProbeTime?: Time;
  readonly lastTransitionTime?: Time;
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly imageID?: string;
  /** As `containerd://0123…`. */
  readonly containerID?: string;
  readonly started?: Nullable<boolean>;
  readonly allocatedResources?: Nullable<ResourceList>;
  readonly resources?: Nullable<ResourceRequirements>;
}

export interface ContainerState {
  readonly waiting?: Nullable<ContainerStateWaiting>;
  readonly running?: Nullable<ContainerStateRunning>;
  readonly terminated?: Nullable<ContainerStateTerminated>;
}

export interface ContainerStateWaiting {
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStateRunning {
  readonly startedAt?: Time;
}

export interface ContainerStateTerminated {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
  readonly containerID?: string;
}
