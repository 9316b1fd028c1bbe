import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LANE_END, LANE_READY, LANE_REST, type Lane, Lanes } from '../../src/status/lanes.js';
import { seed } from '../support/seed.js';

function drain<K>(lanes: Lanes<K>): K[] {
  const order: K[] = [];
  for (let key = lanes.take(); key !== undefined; key = lanes.take()) order.push(key);
  return order;
}

test('the urgent go first, and within a lane who came first', () => {
  const lanes = new Lanes<string>();
  lanes.push('rest 1', LANE_REST);
  lanes.push('ready 1', LANE_READY);
  lanes.push('rest 2', LANE_REST);
  lanes.push('end 1', LANE_END);
  lanes.push('ready 2', LANE_READY);
  expect(drain(lanes)).toEqual(['end 1', 'ready 1', 'ready 2', 'rest 1', 'rest 2']);
  expect(lanes.size).toBe(0);
});

test('a pod stands in one lane, moves up when its class rises, and never down', () => {
  const lanes = new Lanes<string>();
  lanes.push('a', LANE_REST);
  lanes.push('b', LANE_READY);
  lanes.push('a', LANE_END);
  lanes.push('b', LANE_REST);
  lanes.push('c', LANE_READY);
  expect(lanes.size).toBe(3);
  expect(drain(lanes)).toEqual(['a', 'b', 'c']);
});

test('who is deleted does not come', () => {
  const lanes = new Lanes<string>();
  lanes.push('a', LANE_END);
  lanes.push('b', LANE_END);
  expect(lanes.delete('a')).toBe(true);
  expect(lanes.delete('a')).toBe(false);
  expect(lanes.has('a')).toBe(false);
  expect(drain(lanes)).toEqual(['b']);
});

test('who comes after a lane ran empty is found', () => {
  const lanes = new Lanes<string>();
  for (const key of ['a', 'b', 'a', 'c']) {
    lanes.push(key, LANE_REST);
    expect(lanes.take()).toBe(key);
    expect(lanes.take()).toBeUndefined();
  }
});

test('the lowest lane gets a turn while the higher ones never run empty', () => {
  const lanes = new Lanes<string>();
  for (let i = 0; i < 3; i++) lanes.push(`rest ${i}`, LANE_REST);
  const taken: string[] = [];
  for (let i = 0; taken.filter((key) => key.startsWith('rest')).length < 3; i++) {
    if (i > 100) throw new Error(`starved: ${taken.join()}`);
    lanes.push(`end ${i}`, LANE_END);
    taken.push(lanes.take()!);
  }
  expect(taken.length).toBeLessThanOrEqual(3 * 8);
});

test('against a model: nobody is lost, doubled, or kept waiting for ever', () => {
  const operation = fc.oneof(
    fc.record({ op: fc.constant('push' as const), key: fc.nat(20), lane: fc.constantFrom<Lane>(0, 1, 2) }),
    fc.record({ op: fc.constant('delete' as const), key: fc.nat(20) }),
    fc.record({ op: fc.constant('take' as const) }),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const lanes = new Lanes<number>();
      /** Per lane, in order. */
      const model: number[][] = [[], [], []];
      const laneOf = (key: number): number => model.findIndex((lane) => lane.includes(key));
      const remove = (key: number): void =>
        model.forEach((lane, i) => (model[i] = lane.filter((k) => k !== key)));
      for (const one of operations) {
        if (one.op === 'push') {
          const at = laneOf(one.key);
          lanes.push(one.key, one.lane);
          if (at === -1 || at > one.lane) {
            remove(one.key);
            model[one.lane].push(one.key);
          }
        } else if (one.op === 'delete') {
          expect(lanes.delete(one.key)).toBe(laneOf(one.key) !== -1);
          remove(one.key);
        } else {
          const heads = model.filter((lane) => lane.length > 0).map((lane) => lane[0]);
          const key = lanes.take();
          // The first of the highest lane, or of the lowest one when it is its turn.
          expect(heads.length === 0 ? [undefined] : [heads[0], heads[heads.length - 1]]).toContain(key);
          if (key !== undefined) remove(key);
        }
        expect(lanes.size).toBe(model.flat().length);
      }
    }),
    { seed: seed() },
  );
});
