/** What goes wrong between a client and its API server, as typed errors. A refusal by the server is an ApiError. */
import { PodloomError } from '../observe/errors.js';

export class ApiClientError extends PodloomError {}

const said = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export function apiTimeout(request: string, ms: number): ApiClientError {
  return new ApiClientError(
    'ERR_API_TIMEOUT',
    `${request}: no complete answer within ${ms} ms; nobody knows whether the server did it`,
  );
}

export function apiUnreachable(request: string, cause: unknown): ApiClientError {
  return new ApiClientError(
    'ERR_API_UNREACHABLE',
    `${request}: ${said(cause)}; nobody knows whether the server did it`,
    { cause },
  );
}

export function answerTooLarge(request: string, limit: number): ApiClientError {
  return new ApiClientError(
    'ERR_API_TOO_LARGE',
    `${request}: the answer is larger than ${limit} bytes; raise maxBodyBytes or ask for less`,
  );
}

export function badAnswer(request: string, saw: string, cause?: unknown): ApiClientError {
  return new ApiClientError('ERR_API_BAD_ANSWER', `${request}: expected a JSON object, got ${saw}`, {
    cause,
  });
}

export function clientClosed(): ApiClientError {
  return new ApiClientError('ERR_API_CLOSED', 'this client was closed; make a new one');
}

export function noCredentials(user: string, cause: unknown): ApiClientError {
  return new ApiClientError(
    'ERR_API_CREDENTIALS',
    `cannot get the credentials of kubeconfig user '${user}': ${said(cause)}`,
    { cause },
  );
}

export function badName(what: string, saw: unknown): ApiClientError {
  return new ApiClientError(
    'ERR_BAD_NAME',
    `${what} must be a non-empty name other than '.' and '..', without broken characters, got ${JSON.stringify(saw)}`,
  );
}

export function badOption(name: string, want: string, saw: unknown): ApiClientError {
  return new ApiClientError('ERR_BAD_OPTION', `${name} must be ${want}, got ${String(saw)}`);
}

export function badKubeConfig(message: string, cause?: unknown): ApiClientError {
  return new ApiClientError('ERR_KUBECONFIG', message, { cause });
}
