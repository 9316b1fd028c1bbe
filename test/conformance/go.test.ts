/** The Go runtime's recorded behaviour, file by file, on one thread and spread over two. */
import '../support/without-checks.js';
import { vectorTests } from './vector-tests.js';

vectorTests('go', '0');
vectorTests('go', '2');
