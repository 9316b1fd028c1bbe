/** Which objects a list or a watch wants: label and field selectors, with the server's words for what is none. */
import { type Requirement, parseLabelSelector } from './label-selector.js';
import { badRequest } from './status-error.js';
import type { ApiObject } from './store.js';

export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly isEverything: boolean;
  matches(object: ApiObject): boolean;
}

/** The value of a field label for an object; undefined if there is no such label. */
export type FieldReader = (label: string) => ((object: ApiObject) => string) | undefined;

interface FieldRequirement {
  readonly read: (object: ApiObject) => string;
  readonly value: string;
  readonly isEqual: boolean;
}

export function parseSelector(
  labelSelector: string,
  fieldSelector: string,
  fieldReader: FieldReader,
): Selector {
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector, fieldReader);
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    matches: (object) =>
      fields.every(({ read, value, isEqual }) => (read(object) === value) === isEqual) &&
      (labels.length === 0 || matchesLabels(labels, object.metadata.labels ?? {})),
  };
}

function matchesLabels(requirements: readonly Requirement[], labels: Labels): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'in':
        return value !== undefined && values.includes(value);
      case 'notin':
        return value === undefined || !values.includes(value);
      case 'gt':
        return value !== undefined && Number.parseInt(value, 10) > Number(values[0]);
      case 'lt':
        return value !== undefined && Number.parseInt(value, 10) < Number(values[0]);
    }
  });
}

function parseFieldSelector(text: string, fieldReader: FieldReader): FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, label = '', operator, raw = ''] = match;
    const value = unescape(raw);
    // An empty label with an empty value asks for nothing.
    if (label === '' && value === '') continue;
    const read = fieldReader(label);
    if (read === undefined) throw badRequest(`field label not supported: ${label}`);
    requirements.push({ read, value, isEqual: operator !== '!=' });
  }
  return requirements;
}

/** At commas that no backslash stands before. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|[^,\\])+/gs) ?? [];
}

const unescape = (text: string): string => text.replace(/\\([\\,=])/g, '$1');
