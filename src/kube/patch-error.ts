/**
 * A patch that cannot be made or applied, with what an API server answers: 400 for one that makes no sense, 422 for one
 * that does not fit the object, 500 where Kubernetes has no better idea. The message is the server's own.
 */
import { PodloomError } from '../observe/errors.js';

const STATUS = {
  /** The patch is no document of its kind. */
  ERR_PATCH_DOCUMENT: 400,
  /** A directive ($retainKeys, $setElementOrder, $deleteFromPrimitiveList) is badly formed. */
  ERR_PATCH_FORMAT: 400,
  ERR_PATCH_TOO_DEEP: 400,
  /** A merged list holds lists. */
  ERR_PATCH_LIST_OF_LISTS: 422,
  /** An operation of a JSON patch does not apply. */
  ERR_PATCH_OPERATION: 422,
  /** An element of a merged list has no merge key, or one that cannot be compared. */
  ERR_PATCH_MERGE_KEY: 500,
  /** $patch says something unknown, or something that has no meaning there. */
  ERR_PATCH_DIRECTIVE: 500,
  /** $setElementOrder contradicts the list it orders. */
  ERR_PATCH_ELEMENT_ORDER: 500,
  /** A value is of another type than the one it meets. */
  ERR_PATCH_TYPE: 500,
  /** A directive names a field that the type does not have. */
  ERR_PATCH_FIELD: 500,
} as const;

export type PatchErrorCode = keyof typeof STATUS;

export class PatchError extends PodloomError {
  /** The HTTP status. */
  readonly status: 400 | 422 | 500;

  constructor(code: PatchErrorCode, message: string) {
    super(code, message);
    this.status = STATUS[code];
  }
}
