/** Quantities: the text Go's encoder writes for one. */
import type { QuantityText } from './types.js';

export function canonicalQuantity(text: QuantityText): string {
  return String(text);
}
