/** Resource quantities: for now, equal if they are spelled alike. */
import type { QuantityText } from './types.js';

export function quantitiesEqual(a: QuantityText, b: QuantityText): boolean {
  return a === b;
}
