import '../support/without-checks.js';
import { describe } from 'vitest';
import { goKind } from './go/go-kind.js';
import { replayFolder } from './replay.js';

describe.each(['0', '2'])('Go vectors with --threads %s', (mode) => replayFolder(goKind, mode));
