/**
 * Readers look pods up as fast as they can while this thread makes and releases pods as fast as it can, in a table
 * so small that slots are used again at once and the index is rebuilt all the time.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { Header } from '../../src/table/layout.js';
import { VersionTable } from '../../src/table/index.js';
import type { Crew } from '../support/crew.js';
import { random } from '../support/seed.js';
import { Control, type ReaderArgs, type Sightings, versionsOf } from './reader-tasks.js';

export interface ChurnResult {
  readonly readers: readonly Sightings[];
  readonly releases: number;
  readonly rebuilds: number;
}

/** Until each reader of the crew has made `lookups` look-ups. */
export async function churn(crew: Crew, lookups: number, seed: number): Promise<ChurnResult> {
  const table = VersionTable.create({ maxPods: 1 });
  const put = (uid: string): void => {
    const { status, api } = versionsOf(uid);
    const slot = table.acquire(uid);
    table.setStatusVersion(slot, status);
    table.setApiVersion(slot, api);
  };
  const stable = Array.from({ length: 20 }, (_, i) => `5ab1e000-0000-4000-8000-00000000${1000 + i}`);
  const passing = Array.from({ length: 60 }, (_, i) => `9a55e000-0000-4000-8000-00000000${1000 + i}`);
  stable.forEach(put);

  const control = new SharedArrayBuffer((Control.lookups + crew.size) * 4);
  const words = new Int32Array(control);
  const handle = table.handle();
  let ended = false;
  const reading = crew
    .all<Sightings>('read', (member): ReaderArgs => ({ handle, control, member, seed, stable, passing }))
    .finally(() => (ended = true));

  const choose = random(seed);
  const isDone = (): boolean => words.subarray(Control.lookups).every((count) => count >= lookups);
  const present = new Set<string>();
  let releases = 0;
  while (!ended && !isDone()) {
    for (let i = 0; i < 2000; i++) {
      const uid = passing[choose(passing.length)];
      if (present.delete(uid)) {
        table.release(uid);
        releases++;
      } else if (table.size < table.capacity) {
        put(uid);
        present.add(uid);
      }
    }
    // A reader that has thrown is heard of only between two turns.
    await turn();
  }
  Atomics.store(words, Control.stop, 1);
  return { readers: await reading, releases, rebuilds: new Int32Array(handle.memory)[Header.sequence] };
}
