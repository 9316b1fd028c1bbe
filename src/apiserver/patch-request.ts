/** A PATCH: which kind it is by its content type, and what it makes of an object. */
import { goFormat } from '../kube/go-format.js';
import { jsonMergePatch } from '../kube/json-merge-patch.js';
import { jsonPatch } from '../kube/json-patch.js';
import type { JsonObject } from '../kube/json.js';
import { PatchError } from '../kube/patch-error.js';
import { strategicMergePatch } from '../kube/strategic-merge-patch.js';
import { invalidValue } from './field-error.js';
import type { Resource } from './registry/resource.js';
import { kindProblem, parseJson, withoutKind } from './request-body.js';
import { type FieldValidation, strictProblem, unknownFieldWarnings } from './request-options.js';
import type { ApiRequest } from './request.js';
import { badRequest, internal, invalid, rejectedPatch, unsupportedPatchType } from './status-error.js';
import type { ApiObject } from './store.js';
import { DecodeError, type Wording, decode } from './types/decode.js';

export interface PatchOutcome {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

export type Patch = (resource: Resource, current: ApiObject, validation: FieldValidation) => PatchOutcome;

interface Flavor {
  readonly wording: Wording;
  apply(original: JsonObject, patch: unknown, resource: Resource): JsonObject;
}

const FLAVORS: ReadonlyMap<string, Flavor> = new Map<string, Flavor>([
  [
    'application/strategic-merge-patch+json',
    {
      wording: 'converter',
      apply(original, patch, resource) {
        // Whatever kind the patch claims, the object keeps its own.
        const { kind, apiVersion } = original;
        return { ...strategicMergePatch(original, patch, resource.schema), kind, apiVersion };
      },
    },
  ],
  [
    'application/merge-patch+json',
    {
      wording: 'json',
      apply: (original, patch) => jsonMergePatch(original, patch) as JsonObject,
    },
  ],
  [
    'application/json-patch+json',
    {
      wording: 'json',
      apply: (original, patch) => jsonPatch(original, patch) as JsonObject,
    },
  ],
]);

/** Reads the patch. It is applied later, to the object as it is then. */
export function readPatch(request: ApiRequest): Patch {
  const flavor = FLAVORS.get(request.contentType);
  if (flavor === undefined) throw unsupportedPatchType();
  const parsed = parseJson(request.body);
  return (resource, current, validation) => {
    if (!parsed.valid) throw badRequest(`error decoding patch: ${parsed.problem}`);
    const original = { kind: resource.kind, apiVersion: resource.apiVersion, ...current };
    const patched = applied(flavor, original, parsed.value, resource);
    return decodePatched(flavor, resource, current, patched, parsed.value, validation);
  };
}

function applied(flavor: Flavor, original: JsonObject, patch: unknown, resource: Resource): JsonObject {
  try {
    return flavor.apply(original, patch, resource);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.status === 500) throw internal(error.message);
    throw error.status === 422 ? rejectedPatch() : badRequest(error.message);
  }
}

function decodePatched(
  { wording }: Flavor,
  resource: Resource,
  current: ApiObject,
  patched: JsonObject,
  patch: unknown,
  validation: FieldValidation,
): PatchOutcome {
  // A strategic patch is shown as Go prints a map, of the others the whole patched object as text.
  const shown = (): string =>
    JSON.stringify(wording === 'converter' ? goFormat(patch) : JSON.stringify(patched));
  const fail = (why: string) => invalid('', '', [invalidValue('patch', shown(), why)]);
  const mismatch = kindProblem(resource, String(patched.kind), String(patched.apiVersion));
  if (mismatch !== undefined) throw fail(mismatch);
  try {
    const { value, unknown } = decode(resource.schema, patched, wording, current);
    if (validation === 'Strict' && unknown.length > 0) throw fail(strictProblem(unknown));
    const warnings = validation === 'Warn' ? unknownFieldWarnings(unknown) : [];
    return { object: withoutKind(value), warnings };
  } catch (error) {
    throw error instanceof DecodeError ? fail(error.message) : error;
  }
}
