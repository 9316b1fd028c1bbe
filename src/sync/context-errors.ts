/**
 * How a context ends: the two errors, and causes on their way between threads.
 *
 * There is one object of each error a thread, so `ctx.err() === canceled` works as it does in Go.
 */
import { inspect } from 'node:util';
import { PodloomError, type WireError, fromWireError, toWireError } from '../observe/errors.js';
import { staleHandle } from './errors.js';

export class ContextError extends PodloomError {
  /** Go's net.Error: did it take too long? */
  timeout(): boolean {
    return this.code === 'ERR_DEADLINE_EXCEEDED';
  }
}

export const canceled = new ContextError('ERR_CANCELED', 'context canceled');
export const deadlineExceeded = new ContextError('ERR_DEADLINE_EXCEEDED', 'context deadline exceeded');

/** How a context ended. Without a cause of its own the cause is the error. */
export interface Outcome {
  readonly err: ContextError;
  readonly cause: Error;
}

export const canceledFor = (cause: unknown): Outcome => ({
  err: canceled,
  cause: toError(cause) ?? canceled,
});
export const expiredFor = (cause: unknown): Outcome => ({
  err: deadlineExceeded,
  cause: toError(cause) ?? deadlineExceeded,
});

/** For those below a context that was disposed of: it will never tell them anything. */
export const lost: Outcome = { err: canceled, cause: staleHandle('context') };

/** A cause is an error; whatever else is given becomes one. */
export function toError(cause: unknown): Error | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? cause : new Error(typeof cause === 'string' ? cause : inspect(cause));
}

export const causeToWire = toWireError;

export function causeFromWire(wire: WireError): Error {
  if (wire.name === 'ContextError') return wire.code === canceled.code ? canceled : deadlineExceeded;
  return fromWireError(wire);
}
