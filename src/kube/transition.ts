/** Which changes of container states are refused: one that has ended for good does not run again. */
import { getContainerByIndex } from './container-status.js';
import { isRestartableInitContainer } from './pod.js';
import type { ContainerStatus, PodSpec, PodStatus } from './types.js';

/** Why the new status is refused, in the kubelet's words; null if it is not. */
export function checkContainerStateTransition(
  old: PodStatus,
  next: PodStatus,
  spec: PodSpec | null | undefined,
): string | null {
  const policy = spec?.restartPolicy ?? '';
  if (policy === 'Always') return null;

  for (const status of old.containerStatuses ?? []) {
    if (hasEndedForGood(status, policy) && isRevived(status.name, next.containerStatuses)) {
      return `terminated container ${status.name} attempted illegal transition to non-terminated state`;
    }
  }
  const statuses = old.initContainerStatuses ?? [];
  for (let i = 0; i < statuses.length; i++) {
    const { name } = statuses[i];
    const container = getContainerByIndex(spec?.initContainers, statuses, i);
    if (container === undefined) return `found mismatch between pod spec and status, container: ${name}`;
    if (isRestartableInitContainer(container)) continue;
    if (hasEndedForGood(statuses[i], policy) && isRevived(name, next.initContainerStatuses)) {
      return `terminated init container ${name} attempted illegal transition to non-terminated state`;
    }
  }
  return null;
}

function hasEndedForGood({ state }: ContainerStatus, policy: string): boolean {
  const terminated = state?.terminated;
  if (!terminated) return false;
  return (terminated.exitCode ?? 0) === 0 || policy !== 'OnFailure';
}

/** A container that is missing from the new status is not. */
function isRevived(name: string, statuses: PodStatus['containerStatuses']): boolean {
  return statuses?.some((status) => status.name === name && !status.state?.terminated) ?? false;
}
