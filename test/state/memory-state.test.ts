import { expect, test } from 'vitest';
import { MemoryState, noopState } from '../../src/state/index.js';

function filled(): MemoryState {
  const state = new MemoryState();
  void state.setContainerResourceAllocation('p', 'a', { cpu: '1' });
  void state.setContainerResourceAllocation('p', 'b', null);
  void state.setPodResizeStatus('p', 'Proposed');
  return state;
}

test('a container with no requests is told from an unknown one', () => {
  const state = filled();
  expect(state.getContainerResourceAllocation('p', 'a')).toEqual({ cpu: '1' });
  expect(state.getContainerResourceAllocation('p', 'b')).toBeNull();
  expect(state.getContainerResourceAllocation('p', 'c')).toBeUndefined();
  expect(state.getContainerResourceAllocation('q', 'a')).toBeUndefined();
});

test('what getters give is a copy, and what setters take is copied', () => {
  const state = filled();
  const given = new Map([['r', new Map([['a', { cpu: '2' }]])]]);
  void state.setPodResourceAllocation(given);
  given.get('r')?.delete('a');
  const got = state.getPodResourceAllocation() as Map<string, Map<string, unknown>>;
  got.get('r')?.clear();
  expect(state.getContainerResourceAllocation('r', 'a')).toEqual({ cpu: '2' });
  (state.getResizeStatus() as Map<string, string>).clear();
  expect(state.getPodResizeStatus('p')).toBe('Proposed');
});

test('the resize status goes with the last container, or with the pod', () => {
  const byContainer = filled();
  void byContainer.delete('p', 'a');
  expect(byContainer.getPodResizeStatus('p')).toBe('Proposed');
  void byContainer.delete('p', 'b');
  expect(byContainer.getPodResizeStatus('p')).toBeUndefined();
  expect(byContainer.getPodResourceAllocation()).toEqual(new Map());

  const byPod = filled();
  void byPod.delete('p', '');
  expect(byPod.getPodResizeStatus('p')).toBeUndefined();
  expect(byPod.getPodResourceAllocation()).toEqual(new Map());
});

test('deleting a container of a pod without allocations deletes its resize status', () => {
  const state = new MemoryState();
  void state.setPodResizeStatus('p', 'Deferred');
  void state.delete('p', 'a');
  expect(state.getPodResizeStatus('p')).toBeUndefined();
});

test('an empty resize status removes; given with all others it is kept', () => {
  const state = filled();
  void state.setPodResizeStatus('p', '');
  expect(state.getPodResizeStatus('p')).toBeUndefined();
  void state.setResizeStatus(new Map([['p', '']]));
  expect(state.getPodResizeStatus('p')).toBe('');
});

test('the revision grows with changes only', () => {
  const state = filled();
  const before = state.revision;
  void state.delete('unknown', '');
  void state.delete('unknown', 'a');
  void state.delete('p', 'unknown');
  void state.setPodResizeStatus('unknown', '');
  void state.setPodResizeStatus('p', 'Proposed');
  expect(state.revision).toBe(before);
  void state.delete('p', 'a');
  void state.setPodResizeStatus('p', 'Deferred');
  void state.setPodResizeStatus('p', '');
  void state.clearState();
  expect(state.revision).toBe(before + 4);
});

test('the no-op state knows nothing and keeps nothing', async () => {
  await noopState.setContainerResourceAllocation('p', 'a', { cpu: '1' });
  await noopState.setPodResizeStatus('p', 'Proposed');
  expect(noopState.getContainerResourceAllocation('p', 'a')).toBeUndefined();
  expect(noopState.getPodResizeStatus('p')).toBeUndefined();
  expect(noopState.getPodResourceAllocation().size).toBe(0);
  expect(noopState.getResizeStatus().size).toBe(0);
});
