/** Ways for a host thread to die or hang, for tests of whatever must survive that. */
import { faultsOff } from './errors.js';
import type { Fault } from './protocol.js';

/** Strikes after the control call that asked for it was answered. */
export function inflict(fault: Fault, isAllowed: boolean): void {
  if (!isAllowed) throw faultsOff();
  setImmediate(() => strike(fault));
}

function strike(fault: Fault): void {
  switch (fault.kind) {
    case 'throw':
      throw Object.assign(new Error(fault.message), { code: 'ERR_INJECTED' });
    case 'reject':
      void Promise.reject(Object.assign(new Error(fault.message), { code: 'ERR_INJECTED' }));
      return;
    case 'exit':
      return process.exit(fault.code);
    case 'oom':
      return exhaustMemory();
    case 'spin':
      for (;;);
  }
}

interface Link {
  readonly next: Link | null;
}

/** In small steps: Node ends the whole process if a thread passes its limit by much at once. */
function exhaustMemory(): void {
  let kept: Link | null = null;
  for (;;) kept = { next: kept };
}
