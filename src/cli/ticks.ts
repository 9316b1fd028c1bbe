/** A channel that signals at an interval, as Go's ticker does: a tick nobody has taken yet is not doubled. */
import { Chan } from '../sync/index.js';

export interface Ticks extends Disposable {
  readonly chan: Chan<void>;
}

export function ticks(ms: number): Ticks {
  const chan = new Chan<void>(1, { elem: 'void' });
  const interval = setInterval(() => chan.trySend(), ms);
  return { chan, [Symbol.dispose]: () => clearInterval(interval) };
}
