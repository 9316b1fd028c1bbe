/** The object in the body of a POST or PUT: its format, its kind, its shape. */
import type { Resource } from './registry/resource.js';
import type { ApiRequest } from './request.js';
import { type FieldValidation, strictProblem, unknownFieldWarnings } from './request-options.js';
import { badRequest, unknownBodyFormat } from './status-error.js';
import type { ApiObject } from './store.js';
import { DecodeError, decode } from './types/decode.js';

export interface DecodedBody {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

const SCHEME = 'pkg/api/legacyscheme/scheme.go:30';
/** Kinds a client may send to the wrong place. The real server knows them all, and words its refusal by it. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  ...['Binding', 'ConfigMap', 'Endpoints', 'Event', 'Namespace', 'Node', 'PersistentVolume'].map(v1),
  ...['PersistentVolumeClaim', 'Pod', 'PodTemplate', 'ReplicationController', 'Secret', 'Service'].map(v1),
  ...['ServiceAccount', 'LimitRange', 'ResourceQuota', 'DeleteOptions', 'Status'].map(v1),
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => `apps/v1 ${kind}`),
  ...['Job', 'CronJob'].map((kind) => `batch/v1 ${kind}`),
  'coordination.k8s.io/v1 Lease',
]);

function v1(kind: string): string {
  return `v1 ${kind}`;
}

export function decodeBody(
  resource: Resource,
  request: ApiRequest,
  validation: FieldValidation,
): DecodedBody {
  if (request.contentType !== '' && request.contentType !== 'application/json') throw unknownBodyFormat();
  const { kind } = resource;
  const parsed = parseJson(request.body);
  if (!parsed.valid || !isObject(parsed.value)) {
    const problem = parsed.valid
      ? 'json: cannot unmarshal into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
      : parsed.problem;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${problem} (${summary(request.body)})`,
    );
  }
  const givenKind = textOr(parsed.value.kind, kind);
  const givenVersion = textOr(parsed.value.apiVersion, resource.apiVersion);
  const fail = (why: string) =>
    badRequest(
      `${givenKind} in version "${givenVersion.slice(givenVersion.indexOf('/') + 1)}" cannot be handled as a ${kind}: ${why}`,
    );
  const mismatch = kindProblem(resource, givenKind, givenVersion);
  if (mismatch !== undefined) throw fail(mismatch);
  try {
    const { value, unknown } = decode(resource.schema, parsed.value, 'json');
    if (validation === 'Strict' && unknown.length > 0) throw fail(strictProblem(unknown));
    const object = withoutKind(value);
    return { object, warnings: validation === 'Warn' ? unknownFieldWarnings(unknown) : [] };
  } catch (error) {
    throw error instanceof DecodeError ? fail(error.message) : error;
  }
}

/** Why an object of that kind is none of this resource; undefined if it is one. */
export function kindProblem(resource: Resource, kind: string, apiVersion: string): string | undefined {
  if (kind === resource.kind && apiVersion === resource.apiVersion) return undefined;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (OTHER_KINDS.has(`${apiVersion} ${kind}`)) {
    return `converting (${version}.${kind}) to (core.${resource.kind}): unknown conversion`;
  }
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "${SCHEME}"`;
}

/** As objects are stored. */
export function withoutKind(value: Readonly<Record<string, unknown>>): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, ...object } = value;
  return object as unknown as ApiObject;
}

export type ParsedJson =
  | { readonly valid: true; readonly value: unknown }
  /** In the words of Go's parser, as near as it matters. */
  | { readonly valid: false; readonly problem: string };

const HALF_SURROGATE = /\\u[dD][89a-fA-F]/;

export function parseJson(body: Buffer): ParsedJson {
  const text = body.toString('utf8');
  try {
    const value: unknown = HALF_SURROGATE.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
    return { valid: true, value };
  } catch {
    return { valid: false, problem: jsonProblem(text) };
  }
}

/** Half of a surrogate pair, written as an escape, is no character: Go reads U+FFFD. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

function jsonProblem(text: string): string {
  const trimmed = text.trimStart();
  if (trimmed === '' || /^[[{"]/.test(trimmed)) return 'unexpected end of JSON input';
  return `invalid character '${trimmed.charAt(0)}' looking for beginning of value`;
}

function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const text = body[0] === 0x7b ? body.toString('utf8', 0, 30) : body.toString('hex', 0, 30);
  return body.length > 30 ? `${text} ...` : text;
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
