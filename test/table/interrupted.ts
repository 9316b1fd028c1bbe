/**
 * Lets one thread play two: a function gets control before each atomic load, or each atomic store, of another one.
 *
 * All shared words of the table are accessed with Atomics, so these are all the places where a real second thread
 * could come in, as long as it then does something whole.
 */
type Access = 'load' | 'store';

const originals = { load: Atomics.load, store: Atomics.store };

/** Runs `action`; before each of its accesses `intrude` runs, undisturbed, with the number of the access. */
export function interrupted<T>(access: Access, action: () => T, intrude: (access: number) => void): T {
  let count = 0;
  const original = originals[access] as (...args: unknown[]) => unknown;
  const hooked = (...args: unknown[]): unknown => {
    Object.assign(Atomics, originals);
    intrude(count++);
    Object.assign(Atomics, { [access]: hooked });
    return original(...args);
  };
  Object.assign(Atomics, { [access]: hooked });
  try {
    return action();
  } finally {
    Object.assign(Atomics, originals);
  }
}
