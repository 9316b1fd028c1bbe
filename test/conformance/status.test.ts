import { describe } from 'vitest';
import { replayFolder } from './replay.js';
import { statusKind } from './status/status-kind.js';

describe('Status manager vectors', () => replayFolder(statusKind, ''));
