/** Results as lines: JSON for programs, aligned columns for people. */
import type { Result } from './result.js';

const KNOWN = new Set(['name', 'value', 'unit', 'min', 'max', 'rounds', 'ratio', 'base', 'goal', 'ok']);

/** Three significant digits below a thousand, whole numbers above. */
function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

export function jsonLine(result: Result): string {
  return JSON.stringify(result, (_key, value: unknown) =>
    typeof value === 'number' ? rounded(value) : value,
  );
}

const number = (value: number): string => rounded(value).toLocaleString('en-US');

export const HEADER = line('', 'median', '', 'min … max', 'ratio', '');

export function tableLine(result: Result): string {
  const notes = Object.entries(result)
    .filter(([key]) => !KNOWN.has(key))
    .map(([key, value]) => `${key} ${typeof value === 'number' ? number(value) : String(value)}`);
  if (result.base !== undefined) notes.unshift(`against ${result.base}`);
  if (result.goal !== undefined) notes.unshift(`${result.ok === true ? 'ok' : 'MISSED'}: ${result.goal}`);
  return line(
    result.name,
    number(result.value),
    result.unit,
    `${number(result.min)} … ${number(result.max)}`,
    result.ratio === undefined ? '' : `${rounded(result.ratio)}×`,
    notes.join(', '),
  );
}

function line(
  name: string,
  value: string,
  unit: string,
  range: string,
  ratio: string,
  notes: string,
): string {
  return [
    name.padEnd(42),
    value.padStart(11),
    unit.padEnd(6),
    range.padStart(25),
    ratio.padStart(8),
    ' ' + notes,
  ]
    .join(' ')
    .trimEnd();
}
