import { expect, test } from 'vitest';
import { Header } from '../../src/table/layout.js';
import { TableMemory } from '../../src/table/table-memory.js';
import { UidIndex } from '../../src/table/uid-index.js';
import { random, seed } from '../support/seed.js';
import { interrupted } from './interrupted.js';

const rebuilds = (memory: TableMemory): number => memory.words[Header.sequence];

// A tombstone has all hash bits set and no slot: with -1 every uid looks like one.
test.each([0, -1, 0x7fff_ffff])('is right, if not quick, when all uids have the hash %i', (hash) => {
  const memory = TableMemory.create(66);
  const index = new UidIndex(memory, () => hash);
  const uids = Array.from({ length: 80 }, (_, i) => 'p'.repeat(i % 40) + '\0'.repeat(i % 3) + String(i >> 3));
  const model = new Map<string, number>();
  const choose = random(seed());
  for (let step = 0; step < 3000; step++) {
    const uid = uids[choose(uids.length)];
    if (choose(2) === 0) {
      expect(index.release(uid)).toBe(model.get(uid) ?? -1);
      model.delete(uid);
    } else if (model.size < 66) {
      const slot = index.acquire(uid);
      expect(slot).toBe(model.get(uid) ?? slot);
      model.set(uid, slot);
    }
    const other = uids[choose(uids.length)];
    expect(index.find(other)).toBe(model.get(other) ?? -1);
  }
  expect(new Set(model.values()).size).toBe(model.size);
});

test('uids that differ only in zero bytes at the end are not taken for each other', () => {
  const index = new UidIndex(TableMemory.create(66), () => 0);
  const slots = ['', '\0', '\0\0\0\0', 'a', 'a\0', 'a\0\0\0', 'a\0\0\0\0'].map((uid) => index.acquire(uid));
  expect(new Set(slots).size).toBe(slots.length);
});

test('a pod that comes and goes takes its own tombstone again: no rebuild', () => {
  const memory = TableMemory.create(66);
  const index = new UidIndex(memory);
  for (let i = 0; i < 1000; i++) {
    index.acquire('a');
    index.release('a');
  }
  expect(rebuilds(memory)).toBe(0);
});

test('a look-up stays short however many pods have come and gone', () => {
  const memory = TableMemory.create(1000);
  const index = new UidIndex(memory);
  const live = Array.from({ length: 500 }, (_, i) => `live-${i}`);
  for (const uid of live) index.acquire(uid);
  for (let i = 0; i < 100_000; i++) {
    index.acquire(`guest-${i}`);
    index.release(`guest-${i}`);
  }
  expect(rebuilds(memory)).toBeGreaterThan(100);
  let loads = 0;
  for (const uid of live) {
    interrupted(
      'load',
      () => index.find(uid),
      () => loads++,
    );
  }
  // Without tombstones and collisions: sequence, cell, generation, up to two words, generation.
  expect(loads / live.length).toBeLessThan(10);
});

test('a uid put together from two pods of one slot is not found', () => {
  const half = 'x'.repeat(16);
  const other = 'y'.repeat(16);
  let at = 0;
  for (let done = false; !done; at++) {
    const memory = TableMemory.create(66);
    // One hash for all, so that the reader compares its uid with theirs.
    const writer = new UidIndex(memory, () => 0);
    const reader = new UidIndex(TableMemory.open(memory.memory), () => 0);
    writer.acquire(half + other);
    done = true;
    const slot = interrupted(
      'load',
      () => reader.find(half + half),
      (load) => {
        if (load !== at) return;
        done = false;
        writer.release(half + other);
        writer.acquire(other + half);
      },
    );
    expect(slot, `came in at load ${at}`).toBe(-1);
  }
  expect(at).toBeGreaterThan(8);
});
