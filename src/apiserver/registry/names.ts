/** What may be a name, a label or a key. Each function gives the server's words for every rule that is broken. */

const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const tooMany = (limit: number): string => `must be no more than ${limit} characters`;

/** The text of a broken rule with the pattern and examples. */
const pattern = (rule: string, regex: string, ...examples: string[]): string => {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${regex}')`;
};

export function validateSubdomain(text: string): string[] {
  const broken: string[] = [];
  if (text.length > 253) broken.push(tooMany(253));
  if (!SUBDOMAIN.test(text)) {
    broken.push(
      pattern(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
        'example.com',
      ),
    );
  }
  return broken;
}

export function validateDNSLabel(text: string): string[] {
  const broken: string[] = [];
  if (text.length > 63) broken.push(tooMany(63));
  if (!LABEL.test(text)) {
    broken.push(
      pattern(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
        'my-name',
        '123-abc',
      ),
    );
  }
  return broken;
}

export function validateLabelValue(text: string): string[] {
  const broken: string[] = [];
  if (text.length > 63) broken.push(tooMany(63));
  if (!LABEL_VALUE.test(text)) {
    broken.push(
      pattern(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return broken;
}

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_REGEX = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const NAME_EXAMPLES = ['MyName', 'my.name', '123-abc'];

/** A label's key, an annotation's key, a condition's type: a name, after a DNS prefix or not. */
export function validateQualifiedName(text: string): string[] {
  const broken: string[] = [];
  const [prefix, ...rest] = text.split('/');
  let name = text;
  if (rest.length === 1) {
    if (prefix === '') broken.push('prefix part must be non-empty');
    else broken.push(...validateSubdomain(prefix).map((detail) => `prefix part ${detail}`));
    name = rest[0];
  } else if (rest.length > 1) {
    return [
      `a qualified name ${pattern(NAME_RULE, NAME_REGEX, ...NAME_EXAMPLES)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') broken.push('name part must be non-empty');
  else if (name.length > 63) broken.push(`name part ${tooMany(63)}`);
  if (!QUALIFIED_NAME.test(name)) {
    broken.push(`name part ${pattern(NAME_RULE, NAME_REGEX, ...NAME_EXAMPLES)}`);
  }
  return broken;
}
