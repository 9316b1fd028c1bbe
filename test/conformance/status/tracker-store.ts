/**
 * The API store the vectors were recorded with: client-go's object tracker (FORMAT.md, section 3).
 *
 * Pods by namespace and name; no resource versions, no check of UIDs, a delete removes at once. Calls of the manager are
 * recorded, also those that fail, and fail when a failure was armed for them; calls of other clients are neither.
 */
import { ApiError } from '../../../src/kube/api-error.js';
import { replaceOrAppendPodCondition } from '../../../src/kube/conditions.js';
import { encodePod, encodePodStatus } from '../../../src/kube/encode.js';
import { podSchema } from '../../../src/kube/schema.js';
import { strategicMergePatch } from '../../../src/kube/strategic-merge-patch.js';
import type { Pod, PodCondition } from '../../../src/kube/types.js';
import type { DeleteOptions, StatusClient } from '../../../src/status/client.js';
import { deepFreeze } from './difference.js';
import type { StoredPod } from './observation.js';

export interface Action {
  readonly verb: 'get' | 'patch' | 'delete';
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: 'status';
  readonly patchType?: 'application/strategic-merge-patch+json';
  readonly patch?: unknown;
  readonly deleteOptions?: DeleteOptions;
}

export interface ArmedFailure {
  readonly verb: string;
  readonly namespace: string;
  readonly name: string;
  /** 0: an error that is no answer of the API. */
  readonly code: number;
  /** The call takes effect all the same. */
  readonly applied?: boolean;
}

const REASONS: Readonly<Record<number, string>> = {
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

export class TrackerStore implements StatusClient {
  readonly #pods = new Map<string, Pod>();
  #armed: ArmedFailure[] = [];
  #actions: Action[] = [];

  async getPod(namespace: string, name: string): Promise<Pod> {
    return this.#call({ verb: 'get', namespace, name }, () => this.find(namespace, name));
  }

  async patchPodStatus(namespace: string, name: string, text: string): Promise<Pod> {
    const patch: unknown = JSON.parse(text);
    const action: Action = {
      verb: 'patch',
      namespace,
      name,
      subresource: 'status',
      patchType: 'application/strategic-merge-patch+json',
      patch,
    };
    return this.#call(action, () => {
      const patched = strategicMergePatch(encodePod(this.find(namespace, name)), patch, podSchema);
      this.#put(patched);
      return this.find(namespace, name);
    });
  }

  async deletePod(
    namespace: string,
    name: string,
    { gracePeriodSeconds, uid }: DeleteOptions,
  ): Promise<void> {
    const action: Action = { verb: 'delete', namespace, name, deleteOptions: { gracePeriodSeconds, uid } };
    this.#call(action, () => this.remove(namespace, name));
  }

  find(namespace: string, name: string): Pod {
    const pod = this.#pods.get(`${namespace}/${name}`);
    if (pod === undefined) throw new ApiError(404, 'NotFound', `pods "${name}" not found`);
    return pod;
  }

  create(pod: Pod): void {
    const { namespace = '', name = '' } = pod.metadata;
    if (this.#pods.has(`${namespace}/${name}`))
      throw new ApiError(409, 'AlreadyExists', `pods "${name}" already exists`);
    this.#put(pod);
  }

  /** Replaces the whole object. */
  update(pod: Pod): void {
    this.find(pod.metadata.namespace ?? '', pod.metadata.name ?? '');
    this.#put(pod);
  }

  remove(namespace: string, name: string): void {
    this.find(namespace, name);
    this.#pods.delete(`${namespace}/${name}`);
  }

  markDeleted(namespace: string, name: string, deletionTimestamp: string, gracePeriodSeconds: number): void {
    const pod = this.find(namespace, name);
    const deletion = { deletionTimestamp, deletionGracePeriodSeconds: gracePeriodSeconds };
    this.#put({ ...pod, metadata: { ...pod.metadata, ...deletion } });
  }

  setCondition(namespace: string, name: string, condition: PodCondition): void {
    const pod = this.find(namespace, name);
    const conditions = replaceOrAppendPodCondition(pod.status?.conditions, condition);
    this.#put({ ...pod, status: { ...pod.status, conditions } });
  }

  /** What a watch would deliver: the object as it comes out of Go's JSON. */
  watched(namespace: string, name: string): Pod {
    return encodePod(this.find(namespace, name));
  }

  failNext(failure: ArmedFailure): void {
    this.#armed.push(failure);
  }

  contents(): Record<string, StoredPod> {
    return Object.fromEntries(
      Array.from(this.#pods, ([key, { metadata, status }]) => [
        key,
        {
          uid: metadata.uid ?? '',
          deletionTimestamp: (metadata.deletionTimestamp ?? null) !== null,
          status: encodePodStatus(status ?? {}),
        },
      ]),
    );
  }

  /** The manager's calls since the last time, pod sync by pod sync, in the order of the pods' names. */
  takeActions(): Action[] {
    const actions = this.#actions;
    this.#actions = [];
    return inOrder(actions);
  }

  #put(pod: Pod): void {
    this.#pods.set(`${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, deepFreeze(pod));
  }

  #call<T>(action: Action, effect: () => T): T {
    this.#actions.push(action);
    const failure = this.#armed.find(
      ({ verb, namespace, name }) =>
        verb === action.verb && namespace === action.namespace && name === action.name,
    );
    if (failure === undefined) return effect();
    this.#armed = this.#armed.filter((other) => other !== failure);
    if (failure.applied === true) effect();
    throw failure.code === 0
      ? new Error('the connection broke')
      : new ApiError(failure.code, REASONS[failure.code] ?? '', `armed to fail with ${failure.code}`);
  }
}

/**
 * Upstream takes pods in any order. A `get` and what follows it is the sync of one pod; these are sorted by name, and
 * by length where two have the same.
 */
function inOrder(actions: readonly Action[]): Action[] {
  const syncs: Action[][] = [];
  for (const action of actions) {
    if (action.verb === 'get' || syncs.length === 0) syncs.push([action]);
    else syncs[syncs.length - 1].push(action);
  }
  const nameOf = ([{ namespace, name }]: readonly Action[]): string => `${namespace}/${name}`;
  return syncs.sort((a, b) => compareText(nameOf(a), nameOf(b)) || a.length - b.length).flat();
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
