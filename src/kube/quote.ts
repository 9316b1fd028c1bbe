/** Go's `%q` of a string: double quotes, and escapes for all that does not print. */

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** What Go's strconv.IsPrint takes: letters, marks, numbers, punctuation, symbols, and of all spaces the plain one. */
const PRINTS = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

export function quote(text: string): string {
  let quoted = '';
  for (const character of text) quoted += SHORT[character] ?? escape(character);
  return `"${quoted}"`;
}

function escape(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (PRINTS.test(character)) return character;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
