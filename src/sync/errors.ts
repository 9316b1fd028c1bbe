/**
 * What Go panics with and dies of, as typed errors.
 *
 * `GoPanic` is recoverable: the operation failed, the object keeps the state Go leaves it in.
 * `GoFatal` would end a Go process; here the caller gets it and nothing else is disturbed.
 * The texts are Go's own, letter for letter; programs should look at `code`.
 */
import { PodloomError } from '../observe/errors.js';

export class GoPanic extends PodloomError {}
export class GoFatal extends PodloomError {}
/** Use of the library that has no counterpart in Go: handles, memory, blocking in the wrong place. */
export class SyncError extends PodloomError {}

const panic = (code: string, text: string) => (): GoPanic => new GoPanic(code, text);
const fatal = (code: string, text: string) => (): GoFatal => new GoFatal(code, text);

export const sendOnClosed = panic('ERR_SEND_ON_CLOSED', 'send on closed channel');
export const closeOfClosed = panic('ERR_CLOSE_OF_CLOSED', 'close of closed channel');
export const closeOfNil = panic('ERR_CLOSE_OF_NIL', 'close of nil channel');
export const makechanSize = panic('ERR_MAKECHAN_SIZE', 'makechan: size out of range');
export const negativeWaitGroup = panic('ERR_NEGATIVE_WAITGROUP', 'sync: negative WaitGroup counter');
export const waitGroupReused = panic(
  'ERR_WAITGROUP_REUSED',
  'sync: WaitGroup is reused before previous Wait has returned',
);
export const condCopied = panic('ERR_COND_COPIED', 'sync.Cond is copied');
export const nilParent = panic('ERR_NIL_PARENT', 'cannot create context from nil parent');
export const nilKey = panic('ERR_NIL_KEY', 'nil key');
export const keyNotComparable = panic('ERR_KEY_NOT_COMPARABLE', 'key is not comparable');
export const nilDereference = panic(
  'ERR_NIL_DEREFERENCE',
  'runtime error: invalid memory address or nil pointer dereference',
);

export const nonPositiveInterval = (what: string): GoPanic =>
  new GoPanic('ERR_NON_POSITIVE_INTERVAL', `non-positive interval for ${what}`);

export const unlockOfUnlocked = fatal('ERR_UNLOCK_OF_UNLOCKED', 'sync: unlock of unlocked mutex');
export const rwUnlockOfUnlocked = fatal('ERR_RW_UNLOCK_OF_UNLOCKED', 'sync: Unlock of unlocked RWMutex');
export const rUnlockOfUnlocked = fatal('ERR_RUNLOCK_OF_UNLOCKED', 'sync: RUnlock of unlocked RWMutex');
export const asleepDeadlock = fatal('ERR_DEADLOCK', 'all goroutines are asleep - deadlock!');

export function staleHandle(what: string): SyncError {
  return new SyncError(
    'ERR_STALE_HANDLE',
    `this ${what} was disposed, here or on another thread; take a new handle from a live one`,
  );
}

export function foreignHandle(what: string, saw: string): SyncError {
  return new SyncError(
    'ERR_FOREIGN_HANDLE',
    `not a handle of a ${what} of this process: ${saw}; pass what handle() returned, unchanged`,
  );
}

export function notSerializable(cause: unknown): SyncError {
  const saw = cause instanceof Error ? cause.message : String(cause);
  return new SyncError(
    'ERR_NOT_SERIALIZABLE',
    `a value for a shared channel must be plain data (what v8.serialize takes, no shared memory, no ports): ${saw}`,
    { cause },
  );
}

export function valueTooLarge(bytes: number, limit: number): SyncError {
  return new SyncError(
    'ERR_VALUE_TOO_LARGE',
    `a value of ${bytes} bytes does not fit a shared channel (limit ${limit}); send a smaller one or open the arena with a larger maxValueBytes`,
  );
}

export function arenaFull(words: number, total: number): SyncError {
  return new SyncError(
    'ERR_ARENA_FULL',
    `no room for ${words * 4} bytes in the shared arena of ${total * 4} bytes; dispose what is no longer used or open it larger (openArena({ bytes }))`,
  );
}

export function badDelta(delta: unknown): SyncError {
  return new SyncError('ERR_BAD_DELTA', `a wait group counts in integers, got ${String(delta)}`);
}

export function blockingNotAllowed(op: string, where: string): SyncError {
  return new SyncError(
    'ERR_BLOCKING_NOT_ALLOWED',
    `${op} would block ${where}; use ${op}Async, or call openDedicated() on a thread that may block`,
  );
}
