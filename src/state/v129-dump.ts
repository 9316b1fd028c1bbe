/**
 * What v1.29 hashes: not the file, but a debug dump (go-spew `%#v`, keys sorted) of the struct in memory.
 *
 * The dump shows how a quantity was once written, which the file does not say. It comes in pieces, quantities apart
 * from what is between them, so that other notations can be tried (v129-notation.ts).
 */
import type { BigDecimal, Quantity } from '../kube/quantity.js';
import { parseQuantity } from '../kube/quantity.js';
import type { QuantityText } from '../kube/types.js';
import { sortedEntries } from './byte-order.js';
import type { V129Entries } from './v129-struct.js';

export interface QuantityPiece {
  readonly resource: string;
  readonly quantity: QuantityText;
}
export type DumpPiece = string | QuantityPiece;

const WORD = 64n;

/** The pieces in order. A piece of text may be empty. */
export function dumpPieces(entries: V129Entries): DumpPiece[] {
  const pieces: DumpPiece[] = [];
  const map = <V>(
    value: Iterable<readonly [string, V]> | null,
    element: (value: V, key: string) => void,
  ): void => {
    if (value === null) {
      pieces.push('<nil>');
      return;
    }
    pieces.push('map[');
    sortedEntries(value).forEach(([key, inner], index) => {
      pieces.push(`${index === 0 ? '' : ' '}${key}:`);
      element(inner, key);
    });
    pieces.push(']');
  };

  pieces.push(
    '(*state.PodResourceAllocationCheckpoint){AllocationEntries:(map[string]map[string]v1.ResourceList)',
  );
  map(entries.allocationEntries, (containers) => {
    map(containers, (list) => {
      map(list === null ? null : Object.entries(list), (quantity, resource) =>
        pieces.push({ resource, quantity }),
      );
    });
  });
  pieces.push(' ResizeStatusEntries:(map[string]v1.PodResizeStatus)');
  map(entries.resizeStatusEntries, (status) => pieces.push(status));
  pieces.push(' Checksum:(checksum.Checksum)0}');
  return pieces;
}

export function dump(entries: V129Entries): string {
  // A node's quantities are few and come again in every pod.
  const seen = new Map<QuantityText, string>();
  const shown = (text: QuantityText): string => {
    let known = seen.get(text);
    if (known === undefined) seen.set(text, (known = dumpQuantity(parseQuantity(text))));
    return known;
  };
  return dumpPieces(entries)
    .map((piece) => (typeof piece === 'string' ? piece : shown(piece.quantity)))
    .join('');
}

export function dumpQuantity(q: Quantity): string {
  const amount = `i:(resource.int64Amount){value:(int64)${String(q.value)} scale:(resource.Scale)${String(q.scale)}}`;
  const decimal = `d:(resource.infDecAmount){Dec:(*inf.Dec)${q.dec === null ? '<nil>' : dumpDecimal(q.dec)}}`;
  return `{${amount} ${decimal} s:(string)${q.s} Format:(resource.Format)${q.format}}`;
}

function dumpDecimal({ unscaled, scale }: BigDecimal): string {
  const negative = unscaled < 0n;
  const words: string[] = [];
  for (let rest = negative ? -unscaled : unscaled; rest > 0n; rest >>= WORD)
    words.push(String(BigInt.asUintN(64, rest)));
  const abs = words.length === 0 ? '<nil>' : `[${words.join(' ')}]`;
  return `{unscaled:(big.Int){neg:(bool)${String(negative)} abs:(big.nat)${abs}} scale:(inf.Scale)${String(scale)}}`;
}
