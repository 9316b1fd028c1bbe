/** What the crews with worker threads have in common: shared objects, one channel of reports, one set of counters. */
import { Chan, FakeClock, settled } from '../../../src/sync/index.js';
import { type Cast, type Crew, clockOf } from './crew.js';
import type { GoCase, Op } from './format.js';
import { type Form, describeObjects, disposeObjects, makeObjects } from './objects.js';
import { toPlain } from './plain-handle.js';
import { type Message, ThreadLink } from './thread-link.js';
import { type MadeContext, type Report, type Surroundings, World } from './world.js';

const REPORTS = 1024;
const MOST_OBJECTS = 256;

/** What every thread is told of a new case. */
export type Opening = Pick<Extract<Message, { is: 'open' }>, 'is' | 'objects' | 'clock' | 'start'>;

export abstract class ThreadsCrew implements Crew {
  onLost: ((why: string) => void) | null = null;
  readonly #results = new Chan<Report>(REPORTS);
  readonly #threads = new Set<ThreadLink>();
  readonly #counters = new Int32Array(new SharedArrayBuffer(MOST_OBJECTS * 4));

  protected newThread(form: Form): ThreadLink {
    const data = { form, results: this.#results, counters: this.#counters };
    const thread = new ThreadLink(data, (why) => this.onLost?.(why));
    this.#threads.add(thread);
    return thread;
  }

  protected async endThread(thread: ThreadLink): Promise<void> {
    await thread.end();
    this.#threads.delete(thread);
  }

  async open(vector: GoCase): Promise<Cast> {
    if (vector.objects.length > MOST_OBJECTS) throw new Error(`more than ${MOST_OBJECTS} objects`);
    this.#counters.fill(0);
    const { clock, start } = clockOf(vector);
    const world = new World(onlooker({ clock, start, counters: this.#counters }));
    makeObjects(world, vector.objects, 'async');
    await this.assemble(vector, {
      is: 'open',
      objects: describeObjects(world, vector.objects),
      clock: clock instanceof FakeClock ? toPlain(clock.handle()) : null,
      start,
    });
    await settled();
    return {
      world,
      start: (op, g, step) => this.start(op, g, step),
      reports: () => this.#collect(world),
      end: async () => {
        disposeObjects(world);
        if (clock instanceof FakeClock) clock.dispose();
        await settled();
        this.disband();
        await settled();
        this.#take();
      },
    };
  }

  async close(): Promise<void> {
    this.onLost = null;
    await Promise.all([...this.#threads].map((thread) => this.endThread(thread)));
    this.#results.dispose();
  }

  async #collect(world: World): Promise<Report[]> {
    const reports = this.#take();
    const contexts = reports.flatMap((report) => (report.is === 'made' ? [report] : []));
    if (contexts.length > 0) {
      for (const context of contexts) world.learn(context);
      this.tellOf(contexts);
      await settled();
      reports.push(...this.#take());
    }
    return reports;
  }

  #take(): Report[] {
    const reports: Report[] = [];
    for (let next = this.#results.tryRecv(); next !== undefined; next = this.#results.tryRecv())
      reports.push(next.value);
    return reports;
  }

  /** Gives every thread its part of the case. */
  protected abstract assemble(vector: GoCase, opening: Opening): Promise<void>;
  protected abstract start(op: Op, g: string, step: number): void;
  /** Every thread must know them before it does anything else. */
  protected abstract tellOf(contexts: readonly MadeContext[]): void;
  /** The objects are gone, and everybody who could be woken was. */
  protected abstract disband(): void;
}

/** The driver looks at the objects and runs no operation. */
function onlooker(own: Pick<Surroundings, 'clock' | 'start' | 'counters'>): Surroundings {
  const never = (): never => {
    throw new Error('the driver runs no operations');
  };
  return { ...own, report: never, startGo: never, contextMade: never, afterFunc: never, stop: never };
}
