/** What a thrown value is in Go's terms. */
import { RemoteError } from '../../../src/observe/errors.js';
import { GoFatal, SyncError } from '../../../src/sync/index.js';
import type { Report } from './world.js';

/** Recoverable: a panic of the library or of the script. The rest ends the process, or cannot happen in Go. */
export function isPanic(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error) || thrown instanceof GoFatal || thrown instanceof SyncError) return false;
  return !(thrown instanceof RemoteError && ['GoFatal', 'SyncError'].includes(thrown.remoteName));
}

/** How an operation ended that threw. */
export function thrownReport(thrown: unknown, g: string, step: number): Report {
  if (isPanic(thrown)) return { is: 'completed', g, step, result: { panic: thrown.message } };
  if (thrown instanceof GoFatal) return { is: 'fatal', g, step, text: thrown.message };
  if (thrown instanceof SyncError && thrown.code === 'ERR_STALE_HANDLE') return { is: 'stale', g };
  return {
    is: 'broken',
    g,
    text: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  };
}

/**
 * A panic that nobody recovered, as Go prints it. wg.Go recovers what its function panics with and panics with
 * the same value again, and Go says so.
 */
export function crashReport(thrown: unknown, g: string): Report {
  if (isPanic(thrown)) return { is: 'crash', text: `panic: ${thrown.message} [recovered, repanicked]` };
  return thrownReport(thrown, g, -1);
}
