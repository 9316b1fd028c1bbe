/** What an API server answers when it refuses: the `Status` object, and the error made of it. */
import { PodloomError } from '../observe/errors.js';

/** metav1.Status of a failure. */
export interface FailureStatus {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Failure';
  readonly message: string;
  /** As `NotFound`, `Conflict`, `Invalid`; absent where the server knows none. */
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
    readonly retryAfterSeconds?: number;
  };
  readonly code: number;
}

/** The server was reached and said no. What did not reach it is another error. */
export class ApiError extends PodloomError {
  /** The HTTP status code. */
  readonly status: number;
  readonly reason: string;
  /** How long the server asked to be left alone, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    reason: string,
    message: string,
    options: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super('ERR_API', message, options);
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;
