// Random programs against a Map. A failure prints the seed: PODLOOM_SEED=<seed> runs the same programs again.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VersionTable } from '../../src/table/index.js';
import { seed } from '../support/seed.js';

interface Model {
  readonly pods: Map<string, { slot: number; status: number; api: number }>;
}
type Command = fc.Command<Model, VersionTable>;

/** Few enough that they meet again, and of every length a word can be cut at. */
const uids = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((i) => 'p'.repeat(i % 9) + String(i)),
  fc.constantFrom('', '\0', '__proto__', 'ü', '€', 'x'.repeat(64)),
);
const versions = fc.maxSafeNat();

const command = (text: string, run: Command['run']): Command => ({
  check: () => true,
  run,
  toString: () => text,
});

const acquire = (uid: string): Command =>
  command(`acquire ${JSON.stringify(uid)}`, ({ pods }, table) => {
    const known = pods.get(uid);
    if (known === undefined && pods.size === table.capacity) {
      expect(() => table.acquire(uid)).toThrow(expect.objectContaining({ code: 'ERR_TABLE_FULL' }));
      return;
    }
    const slot = table.acquire(uid);
    if (known !== undefined) expect(slot).toBe(known.slot);
    else {
      expect([...pods.values()].map((pod) => pod.slot)).not.toContain(slot);
      pods.set(uid, { slot, status: 0, api: 0 });
    }
  });

const release = (uid: string): Command =>
  command(`release ${JSON.stringify(uid)}`, ({ pods }, table) => {
    expect(table.release(uid)).toBe(pods.delete(uid));
  });

const set = (uid: string, status: number, api: number): Command =>
  command(`set ${JSON.stringify(uid)} ${status} ${api}`, ({ pods }, table) => {
    const pod = pods.get(uid);
    if (pod === undefined) return;
    table.setStatusVersion(pod.slot, (pod.status = status));
    table.setApiVersion(pod.slot, (pod.api = api));
  });

/** Pods that come and go at once: tombstones, and rebuilds. */
const churn = (count: number): Command =>
  command(`churn ${count}`, ({ pods }, table) => {
    if (pods.size === table.capacity) return;
    for (let i = 0; i < count; i++) {
      table.setStatusVersion(table.acquire(`guest-${i}`), 1);
      expect(table.release(`guest-${i}`)).toBe(true);
    }
  });

const fill = (): Command =>
  command('fill', (model, table) => {
    for (let i = 0; model.pods.size < table.capacity; i++) void acquire(`filler-${i}`).run(model, table);
  });

const look = (uid: string): Command =>
  command(`look ${JSON.stringify(uid)}`, ({ pods }, table) => {
    const pod = pods.get(uid) ?? { slot: -1, status: 0, api: 0 };
    expect([table.find(uid), table.statusVersion(uid), table.apiVersion(uid)]).toEqual([
      pod.slot,
      pod.status,
      pod.api,
    ]);
  });

const list = (): Command =>
  command('list', ({ pods }, table) => {
    const expected = [...pods].map(([uid, { slot, status, api }]) => ({
      uid,
      slot,
      statusVersion: status,
      apiVersion: api,
    }));
    expect([...table.entries()]).toEqual(expected.sort((a, b) => a.slot - b.slot));
    expect(table.size).toBe(pods.size);
  });

test('does what a Map does', () => {
  fc.assert(
    fc.property(
      fc.commands(
        [
          uids.map(acquire),
          uids.map(release),
          fc.tuple(uids, versions, versions).map(([uid, status, api]) => set(uid, status, api)),
          uids.map(look),
          fc.integer({ min: 1, max: 50 }).map(churn),
          fc.constant(fill()),
          fc.constant(list()),
        ],
        { maxCommands: 400, size: 'max' },
      ),
      (commands) => {
        fc.modelRun(
          () => ({ model: { pods: new Map() }, real: VersionTable.create({ maxPods: 1 }) }),
          commands,
        );
      },
    ),
    { numRuns: 40, seed: seed() },
  );
});
