/** JSON values as Go's `%v` prints them: `map[a:1 b:[x y]]`. API servers put such text into their messages. */
import { MAX_DEPTH, isList, isObject, tooDeep } from './json.js';
import { sortedNames } from './go-json.js';

/** Below this an integer is one to Go as well; from it on Go has a float64. */
const INT64 = 2 ** 63;

export function goFormat(value: unknown): string {
  return format(value, 0);
}

function format(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (isList(value)) return `[${value.map((element) => format(element, depth + 1)).join(' ')}]`;
  if (isObject(value)) {
    const members = sortedNames(value).map((name) => `${name}:${format(value[name], depth + 1)}`);
    return `map[${members.join(' ')}]`;
  }
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '<nil>';
}

function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < INT64) return String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
