// What is made and dropped leaves nothing behind.

import { expect, test } from 'vitest';
import { Chan, Cond, Mutex, Once, RWMutex, WaitGroup, arena } from '../../src/sync/index.js';
import { Header } from '../../src/sync/layout.js';
import { churnChannels } from './arena-churn.js';

const bump = (): number => arena().words[Header.bump];

test('a million local channels never touch the arena', () => {
  const before = [arena().liveBlocks, bump()];
  let received = 0;
  for (let i = 0; i < 1_000_000; i++) {
    const ch = new Chan<number>(1);
    ch.trySend(i);
    received += ch.tryRecv()?.value ?? 0;
  }
  expect(received).toBe((1_000_000 * 999_999) / 2);
  expect([arena().liveBlocks, bump()]).toEqual(before);
});

test('200,000 shared channels leave it as it was', () => churnChannels(200_000));

test('so do the other primitives', () => {
  const round = (): void => {
    const mutex = new Mutex();
    const all = [mutex, new RWMutex(), new WaitGroup(), new Once(), new Cond(mutex)];
    for (const one of all) one.handle();
    for (const one of all) one.dispose();
  };
  round();
  const before = [arena().liveBlocks, bump()];
  for (let i = 0; i < 10_000; i++) round();
  expect([arena().liveBlocks, bump()]).toEqual(before);
});
