import { describe, expect, it } from 'vitest';
import { arena, background, withCancel, withCancelCause, withTimeout } from '../../src/sync/index.js';

const MANY = 1_000_000;
// One for all: what takes time is writing down the stack of each.
const why = new Error('why');

describe('a million contexts', () => {
  it('of one thread, dropped or ended, touch no shared memory and stay nowhere', () => {
    const before = arena().liveBlocks;
    const [root] = withCancel(background());
    for (let i = 0; i < MANY; i++) {
      const [, cancel] = i % 2 === 0 ? withCancel(root) : withTimeout(root, 1_000_000);
      cancel();
      withCancel(background());
    }
    expect(arena().liveBlocks).toBe(before);
  });

  it('shared and disposed of leave the arena as it was', () => {
    const cycle = (i: number): void => {
      const [x, cancel] = withCancelCause(background());
      x.handle();
      if (i % 2 === 0) withCancel(x);
      if (i % 3 === 0) cancel(i % 6 === 0 ? why : undefined);
      x.dispose();
    };
    for (let i = 0; i < 100; i++) cycle(i);
    const before = arena().liveBlocks;
    for (let i = 0; i < MANY; i++) cycle(i);
    expect(arena().liveBlocks).toBe(before);
  });
});
