/**
 * Comparing resource versions. They are decimal numbers that grow with every write, too large for a double one day,
 * so they are compared as text: the longer one is the larger.
 */
export function isNewerResourceVersion(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || a === '') return false;
  if (b === undefined || b === '') return true;
  return a.length === b.length ? a > b : a.length > b.length;
}
