import { describe, expect, it } from 'vitest';
import { OrderGraph } from '../../src/check/index.js';
import { CLASSES, STACK_BYTES } from '../../src/check/layout.js';

const at = (place: string) => () => `    at ${place}`;

describe('the order graph', () => {
  it('answers an inversion with the first observation of the other order, each time', () => {
    const graph = OrderGraph.create();
    expect(graph.observe('a', 'b', at('first'))).toBeNull();
    expect(graph.observe('a', 'b', at('second'))).toBeNull();
    for (let i = 0; i < 2; i++) {
      expect(graph.observe('b', 'a', at('inverted'))).toEqual([
        { from: 'a', to: 'b', thread: 'the main thread', stack: '    at first' },
      ]);
    }
    expect(graph.observe('a', 'b', at('third'))).toBeNull();
    expect(graph.edges()).toHaveLength(1);
  });

  it('finds a circle through others, by the shortest way', () => {
    const graph = OrderGraph.create();
    for (const [from, to] of ['ab', 'bc', 'cd', 'ax', 'xd', 'ye']) {
      expect(graph.observe(from, to, at(from + to))).toBeNull();
    }
    expect(graph.observe('d', 'a', at('da'))?.map((edge) => edge.stack)).toEqual(['    at ax', '    at xd']);
    expect(graph.observe('e', 'a', at('ea'))).toBeNull();
    expect(graph.observe('c', 'y', at('cy'))?.map((edge) => edge.from + edge.to)).toEqual([
      'ye',
      'ea',
      'ab',
      'bc',
    ]);
    expect(graph.observe('x', 'c', at('xc'))).toBeNull();
  });

  it('counts a declared order as seen', () => {
    const graph = OrderGraph.create();
    graph.declare('a', 'b');
    expect(graph.observe('b', 'x', at('bx'))).toBeNull();
    expect(graph.observe('x', 'a', at('xa'))).toEqual([
      { from: 'a', to: 'b', thread: '', stack: '' },
      { from: 'b', to: 'x', thread: 'the main thread', stack: '    at bx' },
    ]);
  });

  it('is one graph for all who have its memory', () => {
    const mine = OrderGraph.create();
    const theirs = new OrderGraph(mine.memory);
    theirs.observe('x', 'y', at('elsewhere'));
    theirs.observe('b', 'a', at('there'));
    expect(mine.observe('a', 'b', at('here'))?.[0]).toMatchObject({
      from: 'b',
      to: 'a',
      stack: '    at there',
    });
    expect(mine.edges()).toEqual(theirs.edges());
  });

  it('has room for each pair of as many ranks as it takes, and says when it is full', () => {
    const graph = OrderGraph.create();
    const names = Array.from({ length: CLASSES }, (_, i) => `rank-${i}`);
    for (const [i, from] of names.entries())
      for (const to of names.slice(i + 1)) expect(graph.observe(from, to, at(`${from} ${to}`))).toBeNull();
    const edges = graph.edges();
    expect(edges).toHaveLength((CLASSES * (CLASSES - 1)) / 2);
    for (const edge of edges) expect(edge.stack).toBe(`    at ${edge.from} ${edge.to}`);
    expect(graph.observe(names[CLASSES - 1], names[0], at('last'))).toHaveLength(1);
    expect(() => graph.observe('rank-0', 'one more', at('x'))).toThrow(
      expect.objectContaining({ code: 'ERR_TOO_MANY_RANKS' }) as Error,
    );
  });

  it('cuts a long stack after a whole line, and long names', () => {
    const graph = OrderGraph.create();
    const frame = `    at ${'é'.repeat(100)}`;
    const name = 'n'.repeat(500);
    graph.observe(name, `${name}2`, () => Array.from({ length: 100 }, () => frame).join('\n'));
    const [edge] = graph.edges();
    expect(new Set(edge.stack.split('\n'))).toEqual(new Set([frame]));
    expect(edge.stack.length).toBeGreaterThan(STACK_BYTES / 4);
    expect(edge.from).toMatch(/^n{63}$/);
    expect(graph.observe(`${name}2`, name, at('back'))).toHaveLength(1);
  });

  it('refuses memory that is something else', () => {
    expect(() => new OrderGraph(new SharedArrayBuffer(64))).toThrow(
      expect.objectContaining({ code: 'ERR_FOREIGN_ORDER_TABLE' }) as Error,
    );
  });
});
