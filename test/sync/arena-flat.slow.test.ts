// The long form of arena-flat.test.ts.

import { test } from 'vitest';
import { churnChannels } from './arena-churn.js';

test('a million shared channels leave the arena as it was', () => churnChannels(1_000_000));
