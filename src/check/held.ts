/**
 * The ranked locks this thread holds, and what they forbid.
 *
 * Before a lock is taken in a blocking form, so before anything can hang: this thread must not have it already,
 * and each lock held must come before it, by rank where both ranks are declared, else by the order all threads
 * have seen (order.ts). A try form cannot hang, so the order does not forbid it, but what it took counts as held.
 *
 * Before a lock is given back: this thread must have it.
 *
 * When the running piece of code ends, nothing may be held: one microtask, queued at the first lock, looks. It
 * needs no goroutine ids and costs nothing an await.
 *
 * The lock's own words are the truth about who has it; the list here only remembers since where. An entry that
 * the words contradict (its lock was disposed) is dropped when it is come across.
 *
 * Reported to a function, a wrong order is only reported and the lock is taken all the same. A lock taken twice
 * and a wrong unlock are thrown in any case: going on would hang or break somebody else's hold.
 */
import type { LockHooks, RankedLock } from '../sync/hooks.js';
import { type OrderGraph, threadName } from './order.js';
import { type Ranks, unknownRankMessage } from './ranks.js';
import { LockViolation, type Moment, Site } from './violation.js';

export type Report = 'throw' | ((violation: LockViolation) => void);

export interface Rules {
  readonly ranks: Ranks | null;
  /** Ranks that are not declared: an error, or ordered by what is seen alone. */
  readonly undeclared: 'reject' | 'learn';
  readonly report: Report;
}

type Mode = 'write' | 'read';

interface Hold {
  readonly lock: RankedLock;
  readonly mode: Mode;
  readonly since: Site;
  reported: boolean;
}

export class HeldLocks implements LockHooks {
  rules: Rules;
  readonly graph: OrderGraph;
  #holds: Hold[] = [];
  #lookQueued = false;
  /** The last lock given back, for whoever gives it back again. */
  #released: { readonly id: number; readonly at: Site } | null = null;

  constructor(rules: Rules, graph: OrderGraph) {
    this.rules = rules;
    this.graph = graph;
  }

  /** What this thread holds now, oldest first. */
  get held(): readonly RankedLock[] {
    this.#dropGone();
    return this.#holds.map((hold) => hold.lock);
  }

  // The three hooks are functions of their own so that a stack can be cut off above them.

  readonly beforeLock = (lock: RankedLock, mode: Mode | 'try'): void => {
    this.#checkKnown(lock);
    if (mode === 'try' || this.#holds.length === 0) return;
    this.#dropGone();
    for (const hold of this.#holds)
      if (hold.lock.id === lock.id) throw this.#told(selfLock(lock, hold, new Site(this.beforeLock)));
    for (const hold of this.#holds) {
      if (lock.rank === hold.lock.rank) this.#checkNesting(lock, hold);
      else if (this.#areDeclared(lock, hold.lock)) this.#checkRank(lock, hold);
      else this.#checkOrder(lock, hold);
    }
  };

  readonly afterLock = (lock: RankedLock, mode: Mode | 'try'): void => {
    const since = new Site(this.afterLock);
    this.#holds.push({ lock, mode: mode === 'read' ? 'read' : 'write', since, reported: false });
    if (this.#lookQueued) return;
    this.#lookQueued = true;
    queueMicrotask(this.#look);
  };

  readonly beforeUnlock = (lock: RankedLock, mode: Mode): void => {
    const at = this.#holds.findLastIndex((hold) => hold.lock.id === lock.id && hold.mode === mode);
    if (at !== -1) {
      this.#holds.splice(at, 1);
      this.#released = { id: lock.id, at: new Site(this.beforeUnlock) };
      return;
    }
    const holder = lock.holder(mode);
    // Taken before the checks were turned on.
    if (holder === 'me') return;
    throw this.#told(this.#wrongUnlock(lock, mode, holder));
  };

  #checkKnown(lock: RankedLock): void {
    const { ranks, undeclared } = this.rules;
    if (ranks === null || undeclared === 'learn' || ranks.has(lock.rank)) return;
    const moment = { what: `taking ${named(lock)}`, stack: new Site(this.beforeLock).frames };
    this.#report(new LockViolation('ERR_UNKNOWN_RANK', unknownRankMessage(lock.rank, ranks.names), [moment]));
  }

  #areDeclared(a: RankedLock, b: RankedLock): boolean {
    const { ranks } = this.rules;
    return ranks !== null && ranks.has(a.rank) && ranks.has(b.rank);
  }

  #checkNesting(lock: RankedLock, hold: Hold): void {
    const { ranks } = this.rules;
    const { rank } = lock;
    if (!ranks?.has(rank) || !ranks.mayNest(rank)) {
      this.#wrongRank(
        lock,
        hold,
        `locks of rank ${rank} are not declared to nest; give the first one back, or declare ${rank}*`,
      );
    } else if (lock.id < hold.lock.id) {
      this.#wrongRank(
        lock,
        hold,
        `locks of rank ${rank} nest in the order of their ids only; sort them by id first`,
      );
    }
  }

  /** Both ranks are declared: the declaration decides, whatever was seen. */
  #checkRank(lock: RankedLock, hold: Hold): void {
    const { ranks } = this.rules;
    const held = hold.lock.rank;
    if (ranks === null || ranks.isBefore(held, lock.rank)) return;
    const why = ranks.isBefore(lock.rank, held)
      ? `the declared order is ${lock.rank} < ${held}; take ${lock.rank} first, or give ${held} back`
      : `no declared order lets them be held together; give ${held} back, or declare ${held} < ${lock.rank}`;
    this.#wrongRank(lock, hold, why);
  }

  #wrongRank(lock: RankedLock, hold: Hold, why: string): void {
    this.#report(
      new LockViolation(
        'ERR_LOCK_RANK',
        `${threadName()} takes ${named(lock)} while it holds ${named(hold.lock)}: ${why}`,
        [{ what: `taking ${named(lock)}`, stack: new Site(this.beforeLock).frames }, momentOf(hold)],
      ),
    );
  }

  /** At least one of them is not declared: what all threads have done so far decides. */
  #checkOrder(lock: RankedLock, hold: Hold): void {
    const held = hold.lock;
    let here: string | undefined;
    const where = (): string => (here ??= new Site(this.beforeLock).frames);
    const back = this.graph.observe(held.rank, lock.rank, where);
    if (back === null) return;
    const way = [lock.rank, ...back.map((edge) => edge.to)].join(' → ');
    this.#report(
      new LockViolation(
        'ERR_LOCK_ORDER',
        `${threadName()} takes ${named(lock)} while it holds ${named(held)}, but the order ${way} was seen or ` +
          `declared before; two threads doing so at once deadlock: take them in one order everywhere`,
        [
          { what: `taking ${named(lock)}`, stack: where() },
          momentOf(hold),
          ...back.map(({ from, to, thread, stack }) =>
            thread === ''
              ? { what: `the order ${from} → ${to} is declared, or its stack was lost`, stack }
              : { what: `${to} was taken under ${from} by ${thread}`, stack },
          ),
        ],
      ),
    );
  }

  #wrongUnlock(lock: RankedLock, mode: Mode, holder: 'other' | 'nobody'): LockViolation {
    const moments: Moment[] = [
      { what: `unlocking ${named(lock)}`, stack: new Site(this.beforeUnlock).frames },
    ];
    const inOtherMode = this.#holds.findLast((hold) => hold.lock.id === lock.id);
    if (inOtherMode !== undefined) {
      const right = inOtherMode.mode === 'read' ? 'rUnlock' : 'unlock';
      return new LockViolation(
        'ERR_UNLOCK_NOT_HELD',
        `${threadName()} does not hold ${named(lock)} for ${mode === 'read' ? 'reading' : 'writing'} but the other way; call ${right}`,
        [...moments, momentOf(inOtherMode)],
      );
    }
    if (this.#released?.id === lock.id)
      moments.push({ what: 'given back before', stack: this.#released.at.frames });
    return holder === 'other'
      ? new LockViolation(
          'ERR_UNLOCK_BY_STRANGER',
          `${threadName()} unlocks ${named(lock)}, which another thread holds; only the thread that took it may`,
          moments,
        )
      : new LockViolation(
          'ERR_UNLOCK_NOT_HELD',
          `${threadName()} unlocks ${named(lock)}, which nobody holds; unlock once for each lock`,
          moments,
        );
  }

  #look = (): void => {
    this.#lookQueued = false;
    if (this.#holds.length === 0) return;
    this.#dropGone();
    for (const hold of this.#holds) {
      if (hold.reported) continue;
      hold.reported = true;
      const violation = new LockViolation(
        'ERR_HELD_ACROSS_AWAIT',
        `${threadName()} still holds ${named(hold.lock)} after the code that took it came to an await or its end; ` +
          `give it back first, and await outside`,
        [{ what: `taken ${named(hold.lock)}`, stack: hold.since.frames }],
      );
      // Each in a microtask of its own: a report that throws must not hide the next.
      queueMicrotask(() => this.#report(violation));
    }
  };

  #dropGone(): void {
    if (this.#holds.some((hold) => hold.lock.holder(hold.mode) !== 'me'))
      this.#holds = this.#holds.filter((hold) => hold.lock.holder(hold.mode) === 'me');
  }

  #report(violation: LockViolation): void {
    if (this.rules.report === 'throw') throw violation;
    this.rules.report(violation);
  }

  #told(violation: LockViolation): LockViolation {
    if (this.rules.report !== 'throw') this.rules.report(violation);
    return violation;
  }
}

function selfLock(lock: RankedLock, hold: Hold, at: Site): LockViolation {
  const why =
    hold.mode === 'read'
      ? 'a writer that waits in between stops the second one for ever'
      : 'it would wait for itself for ever';
  return new LockViolation(
    'ERR_LOCK_SELF',
    `${threadName()} takes ${named(lock)}, which it holds already; ${why}. Take it once, in the outermost caller`,
    [{ what: `taking ${named(lock)}`, stack: at.frames }, momentOf(hold)],
  );
}

function momentOf(hold: Hold): Moment {
  return { what: `${named(hold.lock)} is held since`, stack: hold.since.frames };
}

function named(lock: RankedLock): string {
  return lock.name === lock.rank ? `${lock.rank}#${lock.id}` : `${lock.name} (${lock.rank}#${lock.id})`;
}
