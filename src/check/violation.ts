/**
 * What a check reports: an error with a code, a message that says what was seen and what to do, and every stack
 * that is part of the story. The stacks are also in the error's own `stack`, so that an uncaught one tells all.
 */
import { PodloomError } from '../observe/errors.js';

export type ViolationCode =
  | 'ERR_UNKNOWN_RANK'
  | 'ERR_LOCK_RANK'
  | 'ERR_LOCK_ORDER'
  | 'ERR_LOCK_SELF'
  | 'ERR_UNLOCK_BY_STRANGER'
  | 'ERR_UNLOCK_NOT_HELD'
  | 'ERR_HELD_ACROSS_AWAIT';

/** A moment of the story and where in the code it was. */
export interface Moment {
  readonly what: string;
  /** Frames only, one a line; may be empty. */
  readonly stack: string;
}

export class LockViolation extends PodloomError {
  declare readonly code: ViolationCode;
  /** The forbidden step first, then what it collides with. */
  readonly moments: readonly Moment[];

  constructor(code: ViolationCode, message: string, moments: readonly Moment[]) {
    super(code, message);
    this.moments = moments;
    const [first, ...others] = moments;
    const told = others.map(({ what, stack }) => `  ${what}:\n${stack || '    (no stack kept)'}`);
    this.stack = [`${this.name} [${code}]: ${message}`, first.stack, ...told].join('\n');
  }
}

/** A place in the code, remembered now and turned into text only if somebody asks. */
export class Site {
  declare readonly stack: string;

  /** Leaves out `above` and what it called. */
  constructor(above: (...args: never[]) => unknown) {
    Error.captureStackTrace(this, above);
  }

  get frames(): string {
    const start = this.stack.search(/^ {4}at /m);
    return start === -1 ? '' : this.stack.slice(start);
  }
}
