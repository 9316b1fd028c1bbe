/**
 * Whether a text is JSON, and if not, what Go's encoding/json says of it (Go 1.21).
 *
 * The text is taken byte by byte, one character each (`latin1`): Go names the byte it stumbled over. It meets the end
 * of its input as one more space, so a cut literal or number is told as a wrong space, and only what is whole
 * so far as "unexpected end".
 */

/** Go gives up on deeper nesting. */
const MAX_DEPTH = 10_000;
const END_OF_INPUT = 'unexpected end of JSON input';

class SyntaxFault extends Error {}

/** A byte in quotes, as Go shows a character of Latin-1. */
function quoteChar(char: string): string {
  if (char === "'") return String.raw`'\''`;
  const named = {
    '\\': '\\\\',
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  }[char];
  if (named !== undefined) return `'${named}'`;
  const code = char.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  if ((code > 0x7f && code <= 0xa0) || code === 0xad) return `'\\u${code.toString(16).padStart(4, '0')}'`;
  return `'${char}'`;
}

/** What may come next. `…OrEnd`: the bracket may close at once. */
type Place = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'after';

class Scanner {
  readonly #text: string;
  #at = 0;
  readonly #open: ('{' | '[')[] = [];
  #place: Place = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
      if (this.#at >= this.#text.length) {
        if (this.#place === 'after' && this.#open.length === 0) return;
        throw new SyntaxFault(END_OF_INPUT);
      }
      this.#token(this.#text.charAt(this.#at));
    }
  }

  #token(char: string): void {
    switch (this.#place) {
      case 'valueOrEnd':
        if (char === ']') return this.#close();
        return this.#value(char);
      case 'value':
        return this.#value(char);
      case 'keyOrEnd':
        if (char === '}') return this.#close();
        return this.#key(char);
      case 'key':
        return this.#key(char);
      case 'colon':
        if (char !== ':') this.#fail(char, 'after object key');
        this.#at += 1;
        this.#place = 'value';
        return;
      case 'after':
        return this.#after(char);
    }
  }

  #key(char: string): void {
    if (char !== '"') this.#fail(char, 'looking for beginning of object key string');
    this.#string();
    this.#place = 'colon';
  }

  #after(char: string): void {
    const inside = this.#open.at(-1);
    if (inside === undefined) this.#fail(char, 'after top-level value');
    if (char === (inside === '{' ? '}' : ']')) return this.#close();
    if (char !== ',')
      this.#fail(char, inside === '{' ? 'after object key:value pair' : 'after array element');
    this.#at += 1;
    this.#place = inside === '{' ? 'key' : 'value';
  }

  #close(): void {
    this.#open.pop();
    this.#at += 1;
    this.#place = 'after';
  }

  #value(char: string): void {
    if (char === '{' || char === '[') {
      this.#open.push(char);
      if (this.#open.length > MAX_DEPTH) this.#fail(char, 'exceeded max depth');
      this.#at += 1;
      this.#place = char === '{' ? 'keyOrEnd' : 'valueOrEnd';
      return;
    }
    if (char === '"') this.#string();
    else if (char === '-' || /[0-9]/.test(char)) this.#number();
    else if (char === 't') this.#literal('true');
    else if (char === 'f') this.#literal('false');
    else if (char === 'n') this.#literal('null');
    else this.#fail(char, 'looking for beginning of value');
    this.#place = 'after';
  }

  #literal(word: string): void {
    for (const expected of word.slice(1)) {
      this.#at += 1;
      if (this.#peek() !== expected) this.#fail(this.#peek(), `in literal ${word} (expecting '${expected}')`);
    }
    this.#at += 1;
  }

  #number(): void {
    if (this.#peek() === '-') this.#at += 1;
    if (this.#peek() === '0') this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#peek())) {
      this.#at += 1;
      if (/[+-]/.test(this.#peek())) this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(context: string): void {
    if (!/[0-9]/.test(this.#peek())) this.#fail(this.#peek(), context);
    while (/[0-9]/.test(this.#peek())) this.#at += 1;
  }

  #string(): void {
    for (;;) {
      this.#at += 1;
      if (this.#at >= this.#text.length) throw new SyntaxFault(END_OF_INPUT);
      const char = this.#peek();
      if (char === '"') break;
      if (char === '\\') this.#escape();
      else if (char < ' ') this.#fail(char, 'in string literal');
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    const char = this.#peek();
    if (!/["\\/bfnrtu]/.test(char)) this.#fail(char, 'in string escape code');
    if (char !== 'u') return;
    for (let digits = 0; digits < 4; digits += 1) {
      this.#at += 1;
      if (!/[0-9a-fA-F]/.test(this.#peek()))
        this.#fail(this.#peek(), String.raw`in \u hexadecimal character escape`);
    }
  }

  #peek(): string {
    return this.#at < this.#text.length ? this.#text.charAt(this.#at) : ' ';
  }

  #fail(char: string, context: string): never {
    throw new SyntaxFault(`invalid character ${quoteChar(char)} ${context}`);
  }
}

/** Go's complaint, or undefined if the text is JSON. */
export function goSyntaxError(latin1: string): string | undefined {
  try {
    new Scanner(latin1).run();
    return undefined;
  } catch (fault) {
    if (fault instanceof SyntaxFault) return fault.message;
    throw fault;
  }
}
