/**
 * Faults on demand: rules that delay, hold, refuse or break off the requests they match.
 *
 * Every rule acts at one of two points: `before` the request is applied, or `after` it, when only the answer is still to
 * be sent. Rules act in the order they were made. Nothing waits for real time unless the clock does: what is held is
 * held until the test lets it go, in the order the test chooses.
 */
import type { Clock, TimerHandle } from '../sync/index.js';
import { type RequestMatch, type RequestRecord, matches } from './request-log.js';

export type Point = 'before' | 'after';

export interface RuleOptions {
  /** All requests if it is not given. */
  readonly match?: RequestMatch;
  /** The next so many that match, then no more. */
  readonly times?: number;
  /** From 0 to 1, drawn from the server's seed. */
  readonly probability?: number;
}

export interface Failure {
  readonly code: number;
  /** As the real server has them for that code, if they are not given. */
  readonly reason?: string;
  readonly message?: string;
  /** Sent as Retry-After, too. */
  readonly retryAfterSeconds?: number;
}

/** What a rule does to a request once its turn has come. */
export type Outcome =
  | { readonly is: 'go on' }
  | { readonly is: 'fail'; readonly failure: Failure }
  /** The connection is broken off, `half` in the middle of the answer. */
  | { readonly is: 'drop'; readonly half: boolean };

const GO_ON: Outcome = { is: 'go on' };

export class Rule {
  readonly at: Point;
  readonly #options: RuleOptions;
  readonly #act: (record: RequestRecord) => Outcome | Promise<Outcome>;
  readonly #remove: (rule: Rule) => void;
  #hits = 0;

  constructor(
    at: Point,
    options: RuleOptions,
    act: (record: RequestRecord) => Outcome | Promise<Outcome>,
    remove: (rule: Rule) => void,
  ) {
    this.at = at;
    this.#options = options;
    this.#act = act;
    this.#remove = remove;
  }

  /** How many requests it acted on. */
  get hits(): number {
    return this.#hits;
  }

  remove(): void {
    this.#remove(this);
  }

  /** Whether it acts on this request; counts it if so. */
  takes(record: RequestRecord, random: () => number): boolean {
    const { match = {}, times = Infinity, probability = 1 } = this.#options;
    if (this.#hits >= times || !matches(match, record)) return false;
    if (probability < 1 && random() >= probability) return false;
    this.#hits++;
    return true;
  }

  act(record: RequestRecord): Outcome | Promise<Outcome> {
    return this.#act(record);
  }
}

/** Holds requests until they are let go, all at once or one by one in any order. */
export class Hold {
  readonly rule: Rule;
  readonly #held: { readonly record: RequestRecord; readonly release: () => void }[] = [];
  #isOpen = false;
  #arrivals = 0;
  #waiters: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(makeRule: (act: (record: RequestRecord) => Outcome | Promise<Outcome>) => Rule) {
    this.rule = makeRule((record) => this.#hold(record));
  }

  get held(): readonly RequestRecord[] {
    return this.#held.map(({ record }) => record);
  }

  /** Resolves when so many requests in all have come to the gate. */
  arrived(count: number): Promise<void> {
    if (this.#arrivals >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ count, resolve }));
  }

  /** Lets the oldest one go, or the oldest that the function chooses. False if there is none. */
  release(choose: (record: RequestRecord) => boolean = () => true): boolean {
    const index = this.#held.findIndex(({ record }) => choose(record));
    if (index < 0) return false;
    this.#held.splice(index, 1)[0]?.release();
    return true;
  }

  /** Lets all go, the newest first. */
  releaseReversed(): void {
    for (const { release } of this.#held.splice(0).reverse()) release();
  }

  /** Lets all go, and everything that comes from now on. */
  open(): void {
    this.#isOpen = true;
    for (const { release } of this.#held.splice(0)) release();
  }

  #hold(record: RequestRecord): Outcome | Promise<Outcome> {
    this.#arrivals++;
    this.#waiters = this.#waiters.filter(({ count, resolve }) => {
      if (this.#arrivals < count) return true;
      resolve();
      return false;
    });
    if (this.#isOpen) return GO_ON;
    return new Promise((resolve) => this.#held.push({ record, release: () => resolve(GO_ON) }));
  }
}

export class Faults {
  readonly #clock: Clock;
  readonly #random: () => number;
  #rules: Rule[] = [];
  readonly #gates = new Set<Hold>();
  /** Delays under way, and what ends each early. */
  readonly #delays = new Map<TimerHandle, () => void>();

  constructor(clock: Clock, seed: number) {
    this.#clock = clock;
    this.#random = mulberry32(seed);
  }

  /** Milliseconds, or a range to draw them from. */
  delay(
    ms: number | { readonly min: number; readonly max: number },
    options: RuleOptions & { readonly at?: Point } = {},
  ): Rule {
    const draw = (): number =>
      typeof ms === 'number' ? ms : ms.min + Math.floor(this.#random() * (ms.max - ms.min + 1));
    return this.#add(options.at ?? 'before', options, () => this.#sleep(draw()));
  }

  fail(failure: Failure, options: RuleOptions & { readonly at?: Point } = {}): Rule {
    return this.#add(options.at ?? 'before', options, () => ({ is: 'fail', failure }));
  }

  /** Breaks the connection off: before the request is applied, after it, or after half of the answer. */
  drop(at: Point | 'half', options: RuleOptions = {}): Rule {
    return this.#add(at === 'before' ? 'before' : 'after', options, () => ({
      is: 'drop',
      half: at === 'half',
    }));
  }

  hold(options: RuleOptions & { readonly at?: Point } = {}): Hold {
    const gate = new Hold((act) => this.#add(options.at ?? 'before', options, act));
    this.#gates.add(gate);
    return gate;
  }

  /** No rules any more; what is held or delayed goes on. */
  clear(): void {
    this.#rules = [];
    for (const gate of this.#gates) gate.open();
    this.#gates.clear();
    for (const [timer, resume] of this.#delays) {
      timer.stop();
      resume();
    }
    this.#delays.clear();
  }

  /** The server's: the rules for this request, each counted as used; undefined if there are none. */
  take(record: RequestRecord): readonly Rule[] | undefined {
    if (this.#rules.length === 0) return undefined;
    const taken = this.#rules.filter((rule) => rule.takes(record, this.#random));
    return taken.length === 0 ? undefined : taken;
  }

  #add(at: Point, options: RuleOptions, act: (record: RequestRecord) => Outcome | Promise<Outcome>): Rule {
    const rule = new Rule(at, options, act, (removed) => {
      this.#rules = this.#rules.filter((other) => other !== removed);
    });
    this.#rules = [...this.#rules, rule];
    return rule;
  }

  #sleep(ms: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimer(this.#clock.now() + ms, () => {
        this.#delays.delete(timer);
        resolve(GO_ON);
      });
      this.#delays.set(timer, () => resolve(GO_ON));
    });
  }
}

/** Runs the rules of one point, one after the other, until one of them ends the request. */
export async function runRules(rules: readonly Rule[], at: Point, record: RequestRecord): Promise<Outcome> {
  for (const rule of rules) {
    if (rule.at !== at) continue;
    const outcome = await rule.act(record);
    if (outcome.is !== 'go on') return outcome;
  }
  return GO_ON;
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
