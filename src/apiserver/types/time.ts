/** metav1.Time on the wire: RFC 3339 in, whole seconds in UTC out, and Go's words for what is no time. */

export type NormalizedTime =
  { readonly valid: true; readonly text: string } | { readonly valid: false; readonly problem: string };

/** Most times by far. The 29th and later depend on the month, and take the long way. */
const COMMON = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const LAYOUT = '2006-01-02T15:04:05Z07:00';
/** The layout's elements, what each takes from the text, and the largest value it may have. */
const ELEMENTS: readonly (readonly [element: string, take: RegExp, unit?: string, max?: number])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 'month', 12],
  ['-', /^-/],
  ['02', /^\d\d/, 'day', 31],
  ['T', /^T/],
  ['15', /^\d\d/, 'hour', 23],
  [':', /^:/],
  ['04', /^\d\d/, 'minute', 59],
  [':', /^:/],
  ['05', /^\d\d([.,]\d+)?/, 'second', 59],
  ['Z07:00', /^(Z|[+-]\d\d:\d\d)/],
];

export function normalizeTime(text: string): NormalizedTime {
  if (COMMON.test(text)) return { valid: true, text };
  let rest = text;
  for (const [element, take, unit, max] of ELEMENTS) {
    const match = take.exec(rest);
    if (match === null) {
      const problem = `parsing time ${quote(text)} as "${LAYOUT}": cannot parse ${quote(rest)} as "${element}"`;
      return { valid: false, problem };
    }
    const number = Number.parseInt(match[0], 10);
    if (max !== undefined && (number > max || (unit !== 'hour' && max !== 59 && number === 0))) {
      return { valid: false, problem: `parsing time ${quote(text)}: ${unit} out of range` };
    }
    rest = rest.slice(match[0].length);
  }
  if (rest !== '')
    return { valid: false, problem: `parsing time ${quote(text)}: extra text: ${quote(rest)}` };
  // JavaScript takes the 30th of February for the 1st of March.
  const day = text.slice(0, 10);
  if (!formatTime(Date.parse(`${day}T00:00:00Z`)).startsWith(day)) {
    return { valid: false, problem: `parsing time ${quote(text)}: day out of range` };
  }
  return { valid: true, text: formatTime(Date.parse(text.replace(/[.,]\d+/, ''))) };
}

/** Milliseconds since 1970 as the server writes times. */
export const formatTime = (ms: number): string => `${new Date(Math.floor(ms)).toISOString().slice(0, 19)}Z`;

const quote = (text: string): string => JSON.stringify(text);
