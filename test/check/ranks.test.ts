import { describe, expect, it } from 'vitest';
import { PROJECT_RANKS, RankTextError, declareRanks } from '../../src/check/index.js';

function mistake(text: string): { code: string; line: number; column: number } {
  try {
    declareRanks(text);
  } catch (error) {
    if (!(error instanceof RankTextError)) throw error;
    return { code: error.code, line: error.line, column: error.column };
  }
  throw new Error('no mistake found');
}

describe('declareRanks', () => {
  it('orders a chain, transitively and one way', () => {
    const ranks = declareRanks('a < b < c');
    expect(ranks.names).toEqual(['a', 'b', 'c']);
    expect(ranks.isBefore('a', 'b')).toBe(true);
    expect(ranks.isBefore('a', 'c')).toBe(true);
    expect(ranks.isBefore('c', 'a')).toBe(false);
    expect(ranks.isBefore('b', 'b')).toBe(false);
  });

  it('keeps alternatives apart and orders both against the other levels', () => {
    const ranks = declareRanks('a < b | c < d');
    expect(ranks.isBefore('a', 'b') && ranks.isBefore('a', 'c')).toBe(true);
    expect(ranks.isBefore('b', 'd') && ranks.isBefore('c', 'd')).toBe(true);
    expect(ranks.isBefore('b', 'c') || ranks.isBefore('c', 'b')).toBe(false);
  });

  it.each(['a < b ; b < c ; x < c', 'b < c\na < b\n\nx < c\n', 'x <\n  c # last\na < b\n  < c\n'])(
    'joins chains to a partial order: %j',
    (text) => {
      const ranks = declareRanks(text);
      expect(ranks.isBefore('a', 'c')).toBe(true);
      expect(ranks.isBefore('x', 'c')).toBe(true);
      expect(ranks.isBefore('a', 'x') || ranks.isBefore('x', 'a')).toBe(false);
    },
  );

  it('extends the order below and above when a later chain joins two others', () => {
    const ranks = declareRanks('a < b; c < d; b < c');
    expect(ranks.isBefore('a', 'd')).toBe(true);
  });

  it('lets a rank nest with itself where a star says so, in any mention', () => {
    const ranks = declareRanks('a < b* < c; a < b');
    expect(ranks.mayNest('b')).toBe(true);
    expect(ranks.mayNest('a')).toBe(false);
  });

  it('takes ranks without an order, and NONE in front', () => {
    const ranks = declareRanks('alone\nNONE < first < second');
    expect(ranks.names).toEqual(['alone', 'first', 'second']);
    expect(ranks.isBefore('alone', 'first')).toBe(false);
    expect(ranks.isBefore('first', 'second')).toBe(true);
  });

  it('throws for names it does not know', () => {
    const ranks = declareRanks('a < b');
    expect(ranks.has('zebra')).toBe(false);
    expect(() => ranks.isBefore('a', 'zebra')).toThrow(
      expect.objectContaining({ code: 'ERR_UNKNOWN_RANK' }) as Error,
    );
    expect(() => ranks.mayNest('zebra')).toThrow('zebra');
  });

  it.each([
    ['a < < b', 'ERR_RANK_SYNTAX', 1, 5],
    ['a b', 'ERR_RANK_SYNTAX', 1, 3],
    ['a <', 'ERR_RANK_SYNTAX', 1, 4],
    ['< a', 'ERR_RANK_SYNTAX', 1, 1],
    ['a | ; b', 'ERR_RANK_SYNTAX', 1, 5],
    ['a < b\nc < 7', 'ERR_RANK_SYNTAX', 2, 5],
    ['a <\n\n  b > c', 'ERR_RANK_SYNTAX', 3, 5],
    ['a < NONE', 'ERR_RANK_SYNTAX', 1, 5],
    ['a < b\nb < c < a', 'ERR_RANK_CYCLE', 2, 9],
    ['a < a', 'ERR_RANK_CYCLE', 1, 5],
    ['a < b | c\nb < c', 'ERR_RANK_CONFLICT', 1, 9],
    ['a | a', 'ERR_RANK_CONFLICT', 1, 5],
  ])('points at the mistake in %j', (text, code, line, column) => {
    expect(mistake(text)).toEqual({ code, line, column });
  });

  it('shows the line with the mistake marked', () => {
    expect(() => declareRanks('x < y\na < | b')).toThrow(/line 2, column 5: .*\n {2}a < \| b\n {6}\^$/);
  });

  it('reads the order of the project', () => {
    const ranks = declareRanks(PROJECT_RANKS);
    expect(ranks.isBefore('tableIndex', 'parker')).toBe(true);
    expect(ranks.isBefore('mailbox', 'parker')).toBe(false);
    expect(ranks.mayNest('podSlot')).toBe(false);
  });
});
