/**
 * The ApiError of an answer that is not 2xx: from its Status object, or from whatever stands there instead.
 */
import { ApiError, type FailureStatus } from '../kube/api-error.js';
import type { KubeAnswer } from './exchange.js';

/** How much of a body that is not a Status is quoted. */
const QUOTED_CHARACTERS = 256;

/** The reasons client-go gives to answers without a Status, as those of proxies and load balancers. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

export function apiErrorOf(request: string, answer: KubeAnswer): ApiError {
  const status = parseStatus(answer.body);
  const retryAfterSeconds =
    seconds(answer.headers['retry-after']) ?? seconds(status?.details?.retryAfterSeconds);
  return new ApiError(
    answer.status,
    text(status?.reason) ?? REASONS[answer.status] ?? 'Unknown',
    text(status?.message) ?? `${request}: the server answered ${answer.status}${quoted(answer.body)}`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}

function parseStatus(body: Buffer): Partial<FailureStatus> | undefined {
  try {
    const value = JSON.parse(body.toString()) as Partial<FailureStatus> | null;
    return value?.kind === 'Status' ? value : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Whole seconds only, as client-go: a Retry-After that is a date is not understood. */
function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function quoted(body: Buffer): string {
  // Four bytes make a character at most, so this much is enough of a huge page.
  const start = body
    .toString('utf8', 0, QUOTED_CHARACTERS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (start === '') return ' and nothing else';
  const cut = [...start].slice(0, QUOTED_CHARACTERS).join('');
  return `: ${cut}${cut.length < start.length || body.length > QUOTED_CHARACTERS * 4 ? '…' : ''}`;
}
