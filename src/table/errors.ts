/** What the table refuses, as typed errors. Each is thrown before anything has changed. */
import { PodloomError } from '../observe/errors.js';

export class TableError extends PodloomError {}

/** A uid as text for a message: quoted, and cut, as it may be anything. */
const quoted = (uid: string): string => JSON.stringify(uid.length > 80 ? `${uid.slice(0, 80)}…` : uid);

export function tableFull(capacity: number): TableError {
  return new TableError(
    'ERR_TABLE_FULL',
    `all ${capacity} slots are in use; release pods that are gone or make the table with a larger maxPods`,
  );
}

export function uidTooLong(uid: string, limit: number): TableError {
  return new TableError(
    'ERR_UID_TOO_LONG',
    `a pod's uid may have ${limit} bytes of UTF-8, got ${quoted(uid)}; refuse the pod`,
  );
}

export function uidIllFormed(uid: string): TableError {
  return new TableError(
    'ERR_UID_ILL_FORMED',
    `a pod's uid must be well-formed text, got a lone surrogate in ${quoted(uid)}; refuse the pod`,
  );
}

export function notTheWriter(method: string, writer: number, me: number): TableError {
  return new TableError(
    'ERR_NOT_TABLE_WRITER',
    `${method} belongs to thread ${writer}, which made the table, and was called on thread ${me}; send that thread a message`,
  );
}

export function badSlot(slot: unknown, capacity: number): TableError {
  return new TableError(
    'ERR_BAD_SLOT',
    `no pod has slot ${String(slot)} of ${capacity}; use what acquire() returned, until its release()`,
  );
}

export function badVersion(version: unknown): TableError {
  return new TableError(
    'ERR_BAD_VERSION',
    `a version must be a safe integer, 0 for none, got ${String(version)}`,
  );
}

export function badMaxPods(limit: number, saw: unknown): TableError {
  return new TableError(
    'ERR_BAD_OPTION',
    `maxPods must be an integer from 1 to ${limit}, got ${String(saw)}`,
  );
}
