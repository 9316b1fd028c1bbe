/** What a faked refusal says: the words of a real server for that code, unless the rule brings its own. */
import type { Failure } from './faults.js';
import type { RequestRecord } from './request-log.js';
import { StatusError } from './status-error.js';

const KNOWN: ReadonlyMap<number, readonly [reason: string, message: string]> = new Map([
  [400, ['BadRequest', 'the server rejected our request for an unknown reason']],
  [401, ['Unauthorized', 'Unauthorized']],
  [403, ['Forbidden', 'forbidden']],
  [429, ['TooManyRequests', 'Too many requests, please try again later.']],
  [500, ['InternalError', 'Internal error occurred']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [504, ['Timeout', 'Timeout: request did not complete within the allotted timeout']],
]);

export function failureOf(failure: Failure, { resource, name }: RequestRecord): StatusError {
  const { code, retryAfterSeconds } = failure;
  const [reason, message] = KNOWN.get(code) ?? aboutObject(code, resource, name);
  const details = {
    ...(code === 404 || code === 409 ? { name, kind: resource } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return new StatusError(
    code,
    failure.reason ?? reason,
    failure.message ?? message,
    Object.keys(details).length === 0 ? undefined : details,
  );
}

function aboutObject(code: number, resource: string, name: string): readonly [string, string] {
  if (code === 404) return ['NotFound', `${resource} "${name}" not found`];
  if (code === 409) {
    const why = 'the object has been modified; please apply your changes to the latest version and try again';
    return ['Conflict', `Operation cannot be fulfilled on ${resource} "${name}": ${why}`];
  }
  return ['Unknown', `the server answered with ${code}`];
}
