/** Makes, shares, attaches, uses and disposes channels, and sees that the arena is as it was. */
import { expect } from 'vitest';
import { Chan, arena } from '../../src/sync/index.js';
import { Header } from '../../src/sync/layout.js';

function one(i: number): void {
  const ch = new Chan<unknown>(1 + (i % 4));
  const twin = Chan.attach<unknown>(ch.handle());
  ch.trySend(i);
  // Half of them are disposed with a value inside.
  if (i % 2 === 0) twin.tryRecv();
  (i % 3 === 0 ? ch : twin).dispose();
}

export function churnChannels(count: number): void {
  // One of each shape, so that the blocks they need are there.
  for (let i = 0; i < 12; i++) one(i);
  const state = (): number[] => [arena().liveBlocks, arena().words[Header.bump]];
  const before = state();
  for (let i = 0; i < count; i++) one(i);
  expect(state()).toEqual(before);
}
