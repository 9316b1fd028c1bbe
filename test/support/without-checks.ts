// Imported by tests that must run as a program without lock checks does: the Go vectors. Threads they start have
// none either.

import { disableChecks } from '../../src/check/index.js';

disableChecks();
