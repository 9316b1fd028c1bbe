/**
 * The text form of a lock order, read into chains. Knows nothing of what the order means (ranks.ts).
 *
 *   text  = chain { (";" | newline) chain }
 *   chain = level { "<" level }
 *   level = rank { "|" rank }
 *   rank  = name [ "*" ]
 *
 * `#` starts a comment. A line that ends or starts with an operator goes on.
 */
import { PodloomError } from '../observe/errors.js';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a lock order, and where it stands. */
export class RankTextError extends PodloomError implements Place {
  readonly line: number;
  readonly column: number;

  constructor(code: string, text: string, place: Place, message: string) {
    const { line, column } = place;
    const shown = text.split('\n')[line - 1] ?? '';
    super(
      code,
      `lock ranks, line ${line}, column ${column}: ${message}\n  ${shown}\n  ${' '.repeat(column - 1)}^`,
    );
    this.line = line;
    this.column = column;
  }
}

/** One mention of a rank. */
export interface Mention extends Place {
  readonly name: string;
  readonly nests: boolean;
}

export type Level = readonly Mention[];
export type Chain = readonly Level[];

interface Token extends Place {
  readonly kind: 'name' | '<' | '|' | 'end';
  readonly name: string;
  readonly nests: boolean;
}

const TOKEN = /[ \t\r]+|#[^\n]*|(?<name>[A-Za-z_][\w.-]*)(?<star>\*?)|(?<operator>[<|])|(?<end>[;\n])/y;

export function readRankText(text: string): Chain[] {
  const chains: Chain[] = [];
  let chain: Level[] = [];
  let level: Mention[] = [];
  let before: Token | null = null;
  for (const token of joined(tokens(text))) {
    const afterRank = before?.kind === 'name';
    if (token.kind === 'name') {
      if (afterRank) throw unexpected(text, token, "'<' or '|'");
      level.push(token);
    } else if (!afterRank && (token.kind !== 'end' || before !== null)) {
      throw unexpected(text, token, 'a rank');
    } else if (token.kind === '<') {
      chain.push(level);
      level = [];
    } else if (token.kind === 'end' && before !== null) {
      chains.push([...chain, level]);
      chain = [];
      level = [];
    }
    before = token.kind === 'end' ? null : token;
  }
  return chains;
}

function unexpected(text: string, token: Token, wanted: string): RankTextError {
  const saw = token.kind === 'name' ? token.name : token.kind === 'end' ? 'the end of the chain' : token.kind;
  return new RankTextError('ERR_RANK_SYNTAX', text, token, `expected ${wanted}, found ${saw}`);
}

/** The tokens, closed by an end. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let at = 0;
  const put = (kind: Token['kind'], name = '', nests = false): void => {
    found.push({ kind, name, nests, line, column: at - lineStart + 1 });
  };
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      const place = { line, column: at - lineStart + 1 };
      const saw = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
      throw new RankTextError(
        'ERR_RANK_SYNTAX',
        text,
        place,
        `expected a rank, '<', '|' or ';', found ${saw}`,
      );
    }
    const { name, star, operator, end } = match.groups ?? {};
    if (name !== undefined) put('name', name, star === '*');
    else if (operator !== undefined) put(operator === '<' ? '<' : '|');
    else if (end !== undefined) put('end', end);
    at = TOKEN.lastIndex;
    if (end === '\n') {
      line++;
      lineStart = at;
    }
  }
  put('end');
  return found;
}

/** Leaves out the line ends inside a chain. */
function joined(all: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (const [i, token] of all.entries()) {
    if (token.kind === 'end' && token.name === '\n') {
      const before = kept.at(-1)?.kind;
      const after = all.slice(i + 1).find((next) => next.name !== '\n')?.kind;
      if (before === '<' || before === '|' || after === '<' || after === '|') continue;
    }
    kept.push(token);
  }
  return kept;
}
