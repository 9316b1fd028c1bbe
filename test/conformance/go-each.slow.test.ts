/** The Go runtime's recorded behaviour with a dedicated thread a goroutine, in the blocking forms. */
import '../support/without-checks.js';
import { vectorTests } from './vector-tests.js';

vectorTests('go', 'each');
