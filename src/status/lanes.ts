/**
 * Who is sent next. Three lanes; a pod stands in one of them, once.
 *
 * - The order within a lane is that of arrival.
 * - A pod moves up when its class rises, to the end of the higher lane; it never moves down while it waits.
 * - The lowest lane that has anybody gets one turn in eight, so that nobody starves.
 *
 * Each operation takes constant time. A lane is a Set with a cursor that stays: a new iterator for each pick
 * would walk over all that was deleted before.
 */

/** Lower goes first: an end (terminal phase, deletion), a change of readiness, anything else. */
export type Lane = 0 | 1 | 2;
export const LANE_END: Lane = 0;
export const LANE_READY: Lane = 1;
export const LANE_REST: Lane = 2;

const TURNS = 8;

interface Queue<K> {
  readonly waiting: Set<K>;
  cursor: IterableIterator<K> | null;
}

export class Lanes<K> {
  readonly #queues: readonly Queue<K>[] = [0, 1, 2].map(() => ({ waiting: new Set<K>(), cursor: null }));
  readonly #laneOf = new Map<K, Lane>();
  #turn = 0;

  get size(): number {
    return this.#laneOf.size;
  }

  has(key: K): boolean {
    return this.#laneOf.has(key);
  }

  /** Enters, or moves up. */
  push(key: K, lane: Lane): void {
    const now = this.#laneOf.get(key);
    if (now !== undefined) {
      if (now <= lane) return;
      this.#queues[now].waiting.delete(key);
    }
    this.#laneOf.set(key, lane);
    this.#queues[lane].waiting.add(key);
  }

  delete(key: K): boolean {
    const lane = this.#laneOf.get(key);
    if (lane === undefined) return false;
    this.#laneOf.delete(key);
    return this.#queues[lane].waiting.delete(key);
  }

  /** Takes whose turn it is; undefined if nobody waits. */
  take(): K | undefined {
    if (this.#laneOf.size === 0) return undefined;
    this.#turn = (this.#turn + 1) % TURNS;
    const occupied = this.#queues.filter((queue) => queue.waiting.size > 0);
    const queue = this.#turn === 0 ? occupied[occupied.length - 1] : occupied[0];
    const key = first(queue);
    queue.waiting.delete(key);
    this.#laneOf.delete(key);
    return key;
  }
}

/** A cursor that came to the end stays there, whatever is added later: then it is time for a new one. */
function first<K>(queue: Queue<K>): K {
  let step = (queue.cursor ??= queue.waiting.values()).next();
  if (step.done === true) step = (queue.cursor = queue.waiting.values()).next();
  return step.value as K;
}
