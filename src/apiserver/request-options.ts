/** Query parameters that writes of every kind take, and what follows from them. */
import { type FieldError, forbidden, unsupported } from './field-error.js';
import { type ApiRequest, param } from './request.js';
import { invalid } from './status-error.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteParameters {
  readonly dryRun: boolean;
  readonly validation: FieldValidation;
}

const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/** `kind` is CreateOptions, UpdateOptions or PatchOptions. */
export function writeParameters(request: ApiRequest, kind: string): WriteParameters {
  if (request.query === undefined) return { dryRun: false, validation: 'Warn' };
  const errors: FieldError[] = [];
  const dryRun = request.query.getAll('dryRun').filter((value) => value !== '');
  errors.push(...validateDryRun(dryRun));
  const validation = param(request, 'fieldValidation');
  if (!VALIDATIONS.includes(validation)) {
    errors.push(unsupported('fieldValidation', JSON.stringify(validation), VALIDATIONS));
  }
  if (kind === 'PatchOptions' && request.query.has('force')) {
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  }
  if (errors.length > 0) throw invalid(`${kind}.meta.k8s.io`, '', errors);
  return {
    dryRun: dryRun.length > 0,
    validation: validation === '' ? 'Warn' : (validation as FieldValidation),
  };
}

export function validateDryRun(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const shown = `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  return [unsupported('dryRun', shown, ['All'])];
}

export const unknownFieldWarnings = (paths: readonly string[]): string[] =>
  paths.map((path) => `unknown field ${JSON.stringify(path)}`);

export const strictProblem = (paths: readonly string[]): string =>
  `strict decoding error: ${unknownFieldWarnings(paths).join(', ')}`;
