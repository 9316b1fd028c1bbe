/** Parses label selectors: `a=b,c!=d,e in (f,g),!h,i>1`. */
import { badRequest } from './status-error.js';

export interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

type Token = { readonly is: 'word' | 'symbol' | 'end'; readonly text: string };

const SYMBOL = /^(==|!=|[=!<>(),])/;
const END: Token = { is: 'end', text: '' };

export function parseLabelSelector(text: string): Requirement[] {
  return new Parser(tokens(text)).selector();
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let rest = text;
  for (;;) {
    rest = rest.trimStart();
    if (rest === '') return found;
    const symbol = SYMBOL.exec(rest)?.[0];
    const token = symbol ?? (/^[^\s=!<>(),]+/.exec(rest) as RegExpExecArray)[0];
    found.push({ is: symbol === undefined ? 'word' : 'symbol', text: token });
    rest = rest.slice(token.length);
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  selector(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#peek().is === 'end') return requirements;
    for (;;) {
      const token = this.#peek();
      if (token.is !== 'word' && token.text !== '!') {
        throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const next = this.#next();
      if (next.is === 'end') return requirements;
      if (next.text !== ',') {
        throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`);
      }
      const following = this.#peek();
      if (following.is !== 'word' && following.text !== '!') {
        throw badRequest(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): Requirement {
    const negated = this.#peek().text === '!';
    if (negated) this.#next();
    const key = this.#next();
    if (key.is !== 'word') throw unparsable(`found '${key.text}', expected: identifier`);
    const following = this.#peek();
    if (negated || following.is === 'end' || following.text === ',') {
      return { key: key.text, operator: negated ? 'absent' : 'exists', values: [] };
    }
    const operator = this.#next().text;
    switch (operator) {
      case 'in':
      case 'notin':
        return { key: key.text, operator, values: this.#values() };
      case '=':
      case '==':
        return { key: key.text, operator: 'in', values: [this.#value()] };
      case '!=':
        return { key: key.text, operator: 'notin', values: [this.#value()] };
      case '>':
      case '<':
        return { key: key.text, operator: operator === '>' ? 'gt' : 'lt', values: [this.#number()] };
      default:
        throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  /** One value, which may be empty. */
  #value(): string {
    const token = this.#peek();
    if (token.is === 'end' || token.text === ',') return '';
    if (token.is !== 'word') throw unparsable(`found '${token.text}', expected: identifier`);
    return this.#next().text;
  }

  #number(): string {
    const value = this.#value();
    if (!/^[+-]?\d+$/.test(value)) {
      throw unparsable(
        `values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return value;
  }

  #values(): string[] {
    const open = this.#next();
    if (open.text !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    for (;;) {
      values.add(this.#peek().is === 'word' ? this.#next().text : '');
      const token = this.#next();
      if (token.text === ')') return [...values].sort();
      if (token.text !== ',') throw unparsable(`found '${token.text}', expected: ',' or ')'`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  #next(): Token {
    return this.#tokens[this.#at++] ?? END;
  }
}

const unparsable = (what: string) => badRequest(`unable to parse requirement: ${what}`);
