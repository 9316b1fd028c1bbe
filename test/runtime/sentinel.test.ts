import { expect, test } from 'vitest';
import { Sentinel } from '../../src/check/sentinel.js';
import { Thread, ThreadState, threadAt } from '../../src/sync/layout.js';
import { parker } from '../../src/sync/parker.js';
import { hostOf, startLogged } from './fixture.js';

test('the sentinel sweeps after a supervised thread that was terminated', async () => {
  const sentinel = await Sentinel.start();
  const { supervisor, after } = await startLogged({ lifeline: (port) => sentinel.watch(port) });
  const first = hostOf(supervisor);
  const swept = new Promise<number>((resolve) => sentinel.onDeath((death) => resolve(death.slot)));
  first.kill();
  const second = await after(first);
  expect(await swept).toBe(first.slot);
  const { words } = parker();
  expect(words[threadAt(second.slot) + Thread.state]).toBe(ThreadState.alive);
  if (second.slot !== first.slot) expect(words[threadAt(first.slot) + Thread.state]).toBe(ThreadState.free);
  await supervisor.stop();
  await sentinel.stop();
});
