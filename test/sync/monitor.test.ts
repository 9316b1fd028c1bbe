import { expect, test } from 'vitest';
import { Kind } from '../../src/sync/layout.js';
import { LocalMonitor } from '../../src/sync/local-monitor.js';
import { type Monitor } from '../../src/sync/monitor.js';
import { SharedMonitor } from '../../src/sync/shared-monitor.js';
import { finish } from '../../src/sync/sleepers.js';
import { Park } from '../../src/sync/park.js';
import { parker } from '../../src/sync/parker.js';

test.each<[string, () => Monitor]>([
  ['local', () => new LocalMonitor(1)],
  ['shared', () => SharedMonitor.create(Kind.mutex)],
])('a sleep that ended without a winner leaves the queue (%s)', (_form, make) => {
  const monitor = make();
  const park = new Park('sync.Mutex.Lock', monitor);
  monitor.lock();
  monitor.enqueue(0, park, 0, 0);
  expect(park.claim(parker())).toBe(true);
  park.fired = true;
  monitor.unlock();
  finish(park);
  expect(monitor.isEmpty(0)).toBe(true);
  monitor.dispose();
});
