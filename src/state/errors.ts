/** What can be wrong with a checkpoint, in words a program can look at. */
import { PodloomError } from '../observe/errors.js';

export type CheckpointFault =
  | 'checksum-mismatch'
  | 'json-syntax'
  | 'json-type'
  | 'quantity-parse'
  /** Well-formed, but nobody's checkpoint, or one of a later format. */
  | 'foreign'
  /** The file or its folder could not be read or written. */
  | 'io';

/** What a codec says of the content it was given. It does not know the file. */
export class CheckpointContentError extends Error {
  constructor(
    readonly fault: Exclude<CheckpointFault, 'io'>,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.name = new.target.name;
  }
}

const codeOf = (fault: CheckpointFault): string => {
  if (fault === 'io') return 'ERR_CHECKPOINT_IO';
  return fault === 'foreign' ? 'ERR_CHECKPOINT_FOREIGN' : 'ERR_CHECKPOINT_CORRUPT';
};

/** A checkpoint that cannot be restored or written. The file is left as it is. */
export class CheckpointError extends PodloomError {
  constructor(
    readonly fault: CheckpointFault,
    readonly file: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(codeOf(fault), message, options);
  }
}
