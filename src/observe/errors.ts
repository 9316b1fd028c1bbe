/**
 * Errors of every layer: one base class, stable codes.
 *
 * A message says what was seen and what to do about it; a program looks at `code`. Structured clone keeps
 * neither the class nor the code of an error, so whatever crosses a thread crosses in the wire form below.
 */

export class PodloomError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An error as plain data. `stack` is text for people; `cause` is nested in the same form. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: WireError;
}

export function toWireError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const code = (thrown as { code?: unknown }).code;
  return {
    name: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(thrown.stack === undefined ? {} : { stack: thrown.stack }),
    ...(thrown.cause === undefined ? {} : { cause: toWireError(thrown.cause) }),
  };
}

/** An error that was thrown on another thread: name, code, message and cause kept, its stack attached. */
export class RemoteError extends PodloomError {
  readonly remoteName: string;

  constructor(wire: WireError) {
    super(
      wire.code ?? 'ERR_REMOTE',
      wire.message,
      wire.cause ? { cause: fromWireError(wire.cause) } : undefined,
    );
    this.remoteName = wire.name;
    this.name = wire.name;
    if (wire.stack !== undefined) this.stack = wire.stack;
  }
}

export function fromWireError(wire: WireError): RemoteError {
  return new RemoteError(wire);
}
