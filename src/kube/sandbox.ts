/** Whether a pod needs a new sandbox, by what the runtime says of those it has. */
import type { Pod } from './types.js';

export interface PodSandboxStatus {
  readonly id: string;
  readonly attempt: number;
  readonly state: 'SANDBOX_READY' | 'SANDBOX_NOTREADY' | (string & {});
  /** null: the runtime says nothing about the network, which is not the same as an empty address. */
  readonly ip?: string | null;
  /** `POD`, `CONTAINER`, `NODE`, `TARGET`; null counts as `POD`. */
  readonly networkNamespace?: string | null;
}

/** The runtime's view of a pod; not the API's. */
export interface RuntimePodStatus {
  /** Newest first. */
  readonly sandboxStatuses?: readonly PodSandboxStatus[] | null;
}

export interface SandboxDecision {
  readonly changed: boolean;
  /** The attempt to make, or that was made if nothing changed. */
  readonly attempt: number;
  /** The sandbox there is; '' if it is not to be looked at again. */
  readonly sandboxID: string;
}

export function podSandboxChanged(pod: Pod, podStatus: RuntimePodStatus | null | undefined): SandboxDecision {
  const sandboxes = podStatus?.sandboxStatuses ?? [];
  if (sandboxes.length === 0) return { changed: true, attempt: 0, sandboxID: '' };
  const newest = sandboxes[0];
  const attempt = newest.attempt + 1;
  const ready = sandboxes.filter(({ state }) => state === 'SANDBOX_READY').length;
  if (ready > 1 || newest.state !== 'SANDBOX_READY') return { changed: true, attempt, sandboxID: newest.id };

  const hostNetwork = pod.spec?.hostNetwork === true;
  if ((newest.networkNamespace ?? 'POD') !== (hostNetwork ? 'NODE' : 'POD')) {
    return { changed: true, attempt, sandboxID: '' };
  }
  if (!hostNetwork && newest.ip === '') return { changed: true, attempt, sandboxID: newest.id };
  return { changed: false, attempt: newest.attempt, sandboxID: newest.id };
}
