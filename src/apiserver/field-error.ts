/** What is wrong with one field, in the words of a 422. */

export interface FieldError {
  readonly reason: string;
  readonly field: string;
  /** Without the field. */
  readonly message: string;
}

const make = (reason: string, field: string, message: string): FieldError => ({ reason, field, message });

export const required = (field: string, detail = ''): FieldError =>
  make('FieldValueRequired', field, detail === '' ? 'Required value' : `Required value: ${detail}`);

export const forbidden = (field: string, detail: string): FieldError =>
  make('FieldValueForbidden', field, `Forbidden: ${detail}`);

/** `value` is already in Go's notation: quoted if it is a string. */
export const invalidValue = (field: string, value: string, detail: string): FieldError =>
  make('FieldValueInvalid', field, `Invalid value: ${value}: ${detail}`);

export const duplicate = (field: string, value: string): FieldError =>
  make('FieldValueDuplicate', field, `Duplicate value: ${value}`);

export const unsupported = (field: string, value: string, supported: readonly string[]): FieldError =>
  make(
    'FieldValueNotSupported',
    field,
    `Unsupported value: ${value}: supported values: ${supported.map(quote).join(', ')}`,
  );

export const tooLong = (field: string, limit: number): FieldError =>
  make('FieldValueTooLong', field, `Too long: must have at most ${limit} bytes`);

/** Go's %q, near enough: JSON's escapes are the same for what occurs in names. */
export const quote = (text: string): string => JSON.stringify(text);

/** One error stands alone, several in brackets; the same text is said once. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

export const causesOf = (
  errors: readonly FieldError[],
): { reason: string; message: string; field: string }[] =>
  errors.map(({ reason, message, field }) => ({ reason, message, field }));
