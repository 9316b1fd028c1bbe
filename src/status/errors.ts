/** What the status manager refuses. */
import { PodloomError } from '../observe/errors.js';

export class StatusError extends PodloomError {}
