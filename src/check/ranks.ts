/**
 * Lock ranks: which lock may be taken while which is held, declared as text.
 *
 *   tableIndex < podSlot < staticNames < workQueue | mailbox | parker
 *
 * `a < b`: b may be taken while a is held, never the other way round. `a | b`: alternatives of one level, never
 * together. `a*`: several locks of rank a may be held at once, taken in the order of their ids. Several chains
 * make a partial order; what no chain orders may not be held together. `NONE < a` says that a comes first, and
 * orders nothing.
 *
 * A declaration that contradicts itself is an error at the place that does.
 */
import { PodloomError } from '../observe/errors.js';
import { type Chain, type Mention, RankTextError, readRankText } from './rank-text.js';

export interface Ranks {
  /** As declared. */
  readonly text: string;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** True if a lock of rank `after` may be taken while one of rank `first` is held. Throws for unknown names. */
  isBefore(first: string, after: string): boolean;
  /** True if several locks of this rank may be held at once. */
  mayNest(name: string): boolean;
}

const NOTHING = 'NONE';

export function declareRanks(text: string): Ranks {
  const chains = readRankText(text);
  const above = new Map<string, Set<string>>();
  const nesting = new Set<string>();
  for (const { name, nests } of chains.flat(2)) {
    if (name === NOTHING) continue;
    if (!above.has(name)) above.set(name, new Set());
    if (nests) nesting.add(name);
  }
  for (const chain of chains) readChain(text, chain, above);
  for (const level of chains.flat()) assertUnordered(text, level, above);

  const aboveOf = (name: string): ReadonlySet<string> => {
    const found = above.get(name);
    if (found === undefined) throw unknownRank(name, [...above.keys()]);
    return found;
  };
  return {
    text,
    names: [...above.keys()],
    has: (name) => above.has(name),
    isBefore: (first, after) => {
      aboveOf(after);
      return aboveOf(first).has(after);
    },
    mayNest: (name) => {
      aboveOf(name);
      return nesting.has(name);
    },
  };
}

/** `above` stays transitively closed. */
function readChain(text: string, chain: Chain, above: Map<string, Set<string>>): void {
  for (const [i, level] of chain.entries()) {
    for (const upper of level) {
      if (upper.name === NOTHING && (i > 0 || level.length > 1)) {
        throw new RankTextError(
          'ERR_RANK_SYNTAX',
          text,
          upper,
          `${NOTHING} is no rank; it may only start a chain`,
        );
      }
      if (i === 0) continue;
      for (const lower of chain[i - 1]) if (lower.name !== NOTHING) order(text, lower, upper, above);
    }
  }
}

function order(text: string, lower: Mention, upper: Mention, above: Map<string, Set<string>>): void {
  const reached = above.get(upper.name) ?? new Set();
  if (lower.name === upper.name || reached.has(lower.name)) {
    const why =
      lower.name === upper.name
        ? `write ${lower.name}* if locks of that rank may nest`
        : `another part of the text has ${upper.name} before ${lower.name}`;
    throw new RankTextError(
      'ERR_RANK_CYCLE',
      text,
      upper,
      `${lower.name} < ${upper.name} closes a circle; ${why}`,
    );
  }
  for (const [name, set] of above) {
    if (name !== lower.name && !set.has(lower.name)) continue;
    set.add(upper.name);
    for (const further of reached) set.add(further);
  }
}

function assertUnordered(text: string, level: readonly Mention[], above: Map<string, Set<string>>): void {
  for (const [i, a] of level.entries()) {
    for (const b of level.slice(i + 1)) {
      if (a.name !== b.name && !above.get(a.name)?.has(b.name) && !above.get(b.name)?.has(a.name)) continue;
      const why = a.name === b.name ? 'is named twice' : `is ordered against ${a.name} elsewhere in the text`;
      throw new RankTextError(
        'ERR_RANK_CONFLICT',
        text,
        b,
        `${b.name} ${why}, but alternatives are never held together`,
      );
    }
  }
}

export function unknownRank(name: string, known: readonly string[]): PodloomError {
  return new PodloomError('ERR_UNKNOWN_RANK', unknownRankMessage(name, known));
}

export function unknownRankMessage(name: string, known: readonly string[]): string {
  return `the rank ${name} is not declared (declared: ${known.join(', ') || 'none'}); add it to the lock order`;
}
