/** What goes wrong between threads, as typed errors. */
import { PodloomError } from '../observe/errors.js';

export class RuntimeError extends PodloomError {}

export function threadDied(who: string, what: string): RuntimeError {
  return new RuntimeError(
    'ERR_THREAD_DIED',
    `${who} is gone, ${what} has no answer; ask its replacement (onHostUp) or give up`,
  );
}

export function diedStarting(index: number, how: string): RuntimeError {
  return new RuntimeError('ERR_THREAD_DIED', `host ${index} ${how} before it was ready`);
}

export function unknownMethod(method: string): RuntimeError {
  return new RuntimeError(
    'ERR_UNKNOWN_METHOD',
    `the other thread has no control method '${method}'; register it with control.handle() before it is called`,
  );
}

export function notTransferable(method: string, cause: unknown): RuntimeError {
  return new RuntimeError(
    'ERR_NOT_TRANSFERABLE',
    `arguments and results of control method '${method}' must be plain data: ${String(cause)}`,
    { cause },
  );
}

export function mailboxFull(limit: number): RuntimeError {
  return new RuntimeError(
    'ERR_MAILBOX_FULL',
    `${limit} posts without a key wait for credits; await flushed() before posting more, or post with a key`,
  );
}

export function hostBoot(index: number, attempts: number, cause: unknown): RuntimeError {
  const saw = cause instanceof Error ? cause.message : String(cause);
  return new RuntimeError(
    'ERR_HOST_BOOT',
    `host ${index} died ${attempts} times in a row before it was ready, last: ${saw}`,
    { cause },
  );
}

export function hostModuleWithoutMain(url: string): RuntimeError {
  return new RuntimeError(
    'ERR_HOST_MODULE',
    `${url} exports no function main(env); a host has nothing to run`,
  );
}

export function faultsOff(): RuntimeError {
  return new RuntimeError('ERR_FAULTS_OFF', 'make the supervisor with faults: true to inject faults');
}

export function supervisorState(op: string, state: string): RuntimeError {
  return new RuntimeError(
    'ERR_SUPERVISOR_STATE',
    `cannot ${op} a supervisor that is ${state}; make a new one`,
  );
}

export function badOption(name: string, want: string, saw: unknown): RuntimeError {
  return new RuntimeError('ERR_BAD_OPTION', `${name} must be ${want}, got ${String(saw)}`);
}

/** Lets an error of somebody's callback end the thread as an uncaught one, without disturbing the caller. */
export function raiseUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
