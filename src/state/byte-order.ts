/** Strings in the order of their UTF-8 bytes: Go's. JavaScript's own puts U+10000 and beyond before U+E000. */

/** A surrogate belongs to a character above all others, so it has to weigh more than the last single unit. */
const weight = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;

export function compareBytewise(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return weight(x) - weight(y);
  }
  return a.length - b.length;
}

export function sortedEntries<V>(map: Iterable<readonly [string, V]>): (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => compareBytewise(a, b));
}
