/** How a DELETE is meant: DeleteOptions in the body, or a few of them in the query. A body makes the query count for nothing. */
import { type FieldError, invalidValue, unsupported } from './field-error.js';
import type { DeleteOptions } from './registry/delete.js';

import { type ApiRequest, param } from './request.js';
import { parseJson } from './request-body.js';
import { validateDryRun } from './request-options.js';
import { badRequest, internal, invalid, unknownBodyFormat } from './status-error.js';

interface Sent {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly gracePeriodSeconds?: unknown;
  readonly preconditions?: { readonly uid?: unknown; readonly resourceVersion?: unknown } | null;
  readonly orphanDependents?: unknown;
  readonly propagationPolicy?: unknown;
  readonly dryRun?: unknown;
}

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];
const SCHEME = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';

export function deleteOptions(request: ApiRequest): DeleteOptions {
  const sent = request.body.length > 0 ? fromBody(request) : fromQuery(request);
  const errors: FieldError[] = [];
  const dryRun = Array.isArray(sent.dryRun) ? sent.dryRun.map(String) : [];
  const { propagationPolicy, orphanDependents } = sent;
  if (typeof propagationPolicy === 'string' && typeof orphanDependents === 'boolean') {
    errors.push(
      invalidValue(
        'propagationPolicy',
        JSON.stringify(propagationPolicy),
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (typeof propagationPolicy === 'string' && !POLICIES.includes(propagationPolicy)) {
    errors.push(unsupported('propagationPolicy', JSON.stringify(propagationPolicy), POLICIES));
  }
  errors.push(...validateDryRun(dryRun));
  if (errors.length > 0) throw invalid('DeleteOptions.meta.k8s.io', '', errors);
  const propagation =
    typeof orphanDependents === 'boolean'
      ? orphanDependents
        ? 'Orphan'
        : 'Background'
      : (propagationPolicy as DeleteOptions['propagation']);
  const { uid, resourceVersion } = sent.preconditions ?? {};
  return {
    dryRun: dryRun.length > 0,
    ...(typeof sent.gracePeriodSeconds === 'number' ? { gracePeriodSeconds: sent.gracePeriodSeconds } : {}),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    ...(propagation === undefined || propagation === null ? {} : { propagation }),
  };
}

function fromBody(request: ApiRequest): Sent {
  if (request.contentType !== '' && request.contentType !== 'application/json') throw unknownBodyFormat();
  const parsed = parseJson(request.body);
  if (!parsed.valid) throw internal(`couldn't get version/kind; json parse error: ${parsed.problem}`);
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    throw internal("couldn't get version/kind; json parse error: no JSON object");
  }
  const sent = parsed.value as Sent;
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = sent;
  if (kind !== 'DeleteOptions') {
    throw internal(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "${SCHEME}"`,
    );
  }
  const { gracePeriodSeconds } = sent;
  if (
    gracePeriodSeconds !== undefined &&
    gracePeriodSeconds !== null &&
    !Number.isSafeInteger(gracePeriodSeconds)
  ) {
    throw internal(
      `json: cannot unmarshal ${typeof gracePeriodSeconds} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    );
  }
  return sent;
}

function fromQuery(request: ApiRequest): Sent {
  if (request.query === undefined) return {};
  const grace = param(request, 'gracePeriodSeconds');
  if (grace !== '' && !/^[+-]?\d+$/.test(grace)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  }
  const orphan = param(request, 'orphanDependents');
  const policy = param(request, 'propagationPolicy');
  return {
    ...(grace === '' ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(orphan === '' ? {} : { orphanDependents: orphan === 'true' || orphan === '1' }),
    ...(policy === '' ? {} : { propagationPolicy: policy }),
    dryRun: request.query.getAll('dryRun').filter((value) => value !== ''),
  };
}
