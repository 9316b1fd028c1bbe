/**
 * How the server says no: a `Status` object, thrown from wherever the refusal is decided and written by the server.
 *
 * The texts are a kube-apiserver's, since clients (and people) read them.
 */
import type { FailureStatus } from '../kube/api-error.js';
import { PodloomError } from '../observe/errors.js';
import { type FieldError, aggregateMessage, causesOf } from './field-error.js';

type Details = NonNullable<FailureStatus['details']>;

export class StatusError extends PodloomError {
  readonly status: FailureStatus;

  constructor(code: number, reason: string | undefined, message: string, details?: Details) {
    super('ERR_API_STATUS', message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

export const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');

export const notFound = (plural: string, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${plural} "${name}" not found`, { name, kind: plural });

/** No such path. */
export const unknownResource = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = (): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );

export function alreadyExists(plural: string, name: string, isBeingDeleted: boolean): StatusError {
  const prefix = isBeingDeleted ? 'object is being deleted: ' : '';
  const details = { name, kind: plural };
  return new StatusError(409, 'AlreadyExists', `${prefix}${plural} "${name}" already exists`, details);
}

/** `kind` is the plural, or the Kind for a precondition of DELETE. */
export const conflict = (kind: string, name: string, why: string): StatusError =>
  new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${kind} "${name}": ${why}`, {
    name,
    kind,
  });

export const staleResourceVersion = (plural: string, name: string): StatusError =>
  conflict(
    plural,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message);

export const bodyTooLarge = (limit: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

const MEDIA_TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAM_TYPES = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

export const unknownBodyFormat = (): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${MEDIA_TYPES}`,
  );

export const unsupportedPatchType = (): StatusError =>
  new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

/** A media type nobody serves. */
export const notAcceptable = (streams: boolean): StatusError =>
  new StatusError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES}${streams ? STREAM_TYPES : ''}`,
    {},
  );

/** A known media type in a form (`as=…`) that this resource does not have. */
export const noSuchForm = (): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${MEDIA_TYPES}`);

/** A JSON patch that does not apply. The real server says no more either. */
export const rejectedPatch = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** A failure inside the server: no reason, no details. */
export const internal = (message: string): StatusError => new StatusError(500, undefined, message);

/** `kind` may carry a group, as `ListOptions.meta.k8s.io`. */
export function invalid(kind: string, name: string, errors: readonly FieldError[]): StatusError {
  const dot = kind.indexOf('.');
  const details = {
    ...(name === '' ? {} : { name }),
    ...(dot < 0 ? {} : { group: kind.slice(dot + 1) }),
    ...(kind === '' ? {} : { kind: dot < 0 ? kind : kind.slice(0, dot) }),
    causes: causesOf(errors),
  };
  return new StatusError(
    422,
    'Invalid',
    `${kind} "${name}" is invalid: ${aggregateMessage(errors)}`,
    details,
  );
}
