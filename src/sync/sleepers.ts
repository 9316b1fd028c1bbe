/** What happens to those who sleep at a monitor: their sleep ends, the monitor moves, or it goes away. */
import { staleHandle } from './errors.js';
import { type Kind, Node } from './layout.js';
import type { LocalMonitor, LocalPlace } from './local-monitor.js';
import { type Claimed, type Monitor, QUEUES } from './monitor.js';
import { Code, type Park } from './park.js';
import { type Parker, parker } from './parker.js';
import { SharedMonitor, SharedPlace } from './shared-monitor.js';

/** The sleep is over: leaves every other queue, reads what was decided, gives the nodes back. */
export function finish(park: Park): void {
  const node = park.node;
  if (node !== 0) {
    const mine = parker();
    if (!park.fired) {
      park.code = mine.words[node + Node.code];
      const winner = mine.words[node + Node.winner];
      for (const place of park.places) {
        if (place instanceof SharedPlace && place.node === winner) park.winner = place;
      }
    }
    // Without a winner (a rescued lock) even the only place is still linked.
    for (const place of park.places) if (place !== park.winner) place.withdraw();
    const slot = park.winner?.slot;
    freeNodesOf(park, mine);
    park.slot = slot;
  } else {
    for (const place of park.places) if (place !== park.winner) place.withdraw();
    park.slot = park.winner?.slot;
  }
}

/** Gives the sleep up, for a park that stands only at shared places. False: it has been ended already. */
export function abandon(park: Park): boolean {
  const mine = parker();
  if (!park.claim(mine)) return false;
  for (const place of park.places) place.withdraw();
  freeNodesOf(park, mine);
  return true;
}

function freeNodesOf(park: Park, mine: Parker): void {
  for (const place of park.places) if (place instanceof SharedPlace) mine.freeNode(place.node);
  mine.freePark(park);
}

/** Moves a local monitor into the arena: its words and everybody who sleeps at it. */
export function share(
  local: LocalMonitor,
  kind: Kind,
  encode: (slot: unknown, queue: number) => number,
): SharedMonitor {
  const sleepers = local.queues.map((list, queue) => {
    const found: { place: LocalPlace; slot: number }[] = [];
    for (let place = list.head; place !== null; place = place.next) {
      if (!place.park.isReady(parker())) found.push({ place, slot: encode(place.slot, queue) });
    }
    return found;
  });
  // After this nothing can fail half-way.
  parker().reserveNodes(sleepers.reduce((sum, found) => sum + found.length, 0));
  const shared = SharedMonitor.create(kind);
  shared.words.set(local.words, shared.at);
  sleepers.forEach((found, queue) => {
    for (const { place, slot } of found) {
      const { park } = place;
      park.places.splice(park.places.indexOf(place), 1);
      shared.enqueue(queue, park, place.index, slot);
      if (park.home === local) park.home = shared;
      if (park.resolve !== null) shared.mine.keepAlive(park);
    }
  });
  shared.mine.rehome(local, shared);
  local.dispose();
  shared.arena.publish(shared.block);
  return shared;
}

/** Locks a monitor that another thread may dispose at any time. */
export function lockLive(monitor: Monitor, what: string): void {
  monitor.lock();
  if (monitor.isLive()) return;
  monitor.unlock();
  throw staleHandle(what);
}

/** Everybody who sleeps at the monitor learns that it is gone. */
export function disposeMonitor(monitor: Monitor, last?: () => void): void {
  if (!monitor.isLive()) return;
  const woken: Claimed[] = [];
  monitor.lock();
  if (!monitor.isLive()) {
    monitor.unlock();
    return;
  }
  for (let queue = 0; queue < QUEUES; queue++) {
    for (let place = monitor.dequeue(queue); place !== null; place = monitor.dequeue(queue)) {
      place.grant(Code.disposed);
      woken.push(place);
    }
  }
  last?.();
  monitor.dispose();
  monitor.unlock();
  for (const place of woken) place.wake();
}
