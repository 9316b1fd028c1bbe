/** Fills a step in: variables, references to earlier answers, merges, long strings. */
import type { Json } from './format.js';
import { isObject, readPath } from './paths.js';

export interface Scope {
  readonly variables: Readonly<Record<string, string>>;
  /** The JSON of earlier answers, by step from 0. */
  readonly answers: readonly Json[];
}

export function expand(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return expandText(value, scope);
  if (Array.isArray(value)) return value.map((item) => expand(item, scope));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return resolve(value.$ref, scope);
  if (Array.isArray(value.$merge)) {
    return value.$merge.map((part) => expand(part, scope)).reduce((base, overlay) => merge(base, overlay));
  }
  if (isObject(value.$repeat)) {
    const { prefix, unit, count, suffix } = value.$repeat;
    return String(prefix) + String(unit).repeat(Number(count)) + String(suffix);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [expandText(key, scope), expand(item, scope)]),
  );
}

export function expandText(text: string, scope: Scope): string {
  return text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
    const variable = scope.variables[name];
    if (variable !== undefined) return variable;
    return name.startsWith('step') ? String(resolve(name, scope)) : whole;
  });
}

/** As `step2.metadata.uid`; steps count from 1. */
function resolve(reference: string, { answers }: Scope): Json {
  const [, number, path = ''] = /^step(\d+)(?:\.(.*))?$/.exec(reference) ?? [];
  if (number === undefined) throw new Error(`no reference: ${reference}`);
  return readPath(answers[Number(number) - 1], path);
}

/** RFC 7396. */
function merge(base: Json, overlay: Json): Json {
  if (!isObject(overlay)) return overlay;
  const result: Record<string, Json> = { ...(isObject(base) ? base : {}) };
  for (const [key, value] of Object.entries(overlay)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}
