import '../support/without-checks.js';
import { describe } from 'vitest';
import { goKind } from './go/go-kind.js';
import type { Kind } from './kind.js';
import { replayFolder } from './replay.js';

describe('Go vectors with a dedicated thread a goroutine', () => replayFolder(goKind as Kind, 'each'));
