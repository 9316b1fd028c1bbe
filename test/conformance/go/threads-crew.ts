/** What the crews with worker threads have in common: shared objects, one channel of reports, one set of counters. */
import { Chan, settled } from '../../../src/sync/index.js';
import type { Cast, Crew } from './crew.js';
import type { GoCase, Op } from './format.js';
import { type Description, type Form, describeObjects, disposeObjects, makeObjects } from './objects.js';
import { ThreadLink } from './thread-link.js';
import { type Report, World } from './world.js';

const REPORTS = 1024;
const MOST_OBJECTS = 256;

export abstract class ThreadsCrew implements Crew {
  onLost: ((why: string) => void) | null = null;
  readonly #form: Form;
  readonly #results = new Chan<Report>(REPORTS);
  readonly #counters = new Int32Array(new SharedArrayBuffer(MOST_OBJECTS * 4));

  constructor(form: Form) {
    this.#form = form;
  }

  protected newThread(): Promise<ThreadLink> {
    const data = { form: this.#form, results: this.#results, counters: this.#counters };
    return ThreadLink.start(data, (why) => this.onLost?.(why));
  }

  async open(vector: GoCase): Promise<Cast> {
    if (vector.objects.length > MOST_OBJECTS) throw new Error(`more than ${MOST_OBJECTS} objects`);
    this.#counters.fill(0);
    const world = new World(
      this.#counters,
      () => undefined,
      () => undefined,
    );
    makeObjects(world, vector.objects, 'async');
    await this.assemble(vector, describeObjects(world, vector.objects));
    await settled();
    return {
      world,
      start: (op, g, step) => this.start(op, g, step),
      reports: () => this.#takeReports(),
      end: async () => {
        disposeObjects(world);
        await settled();
        this.disband();
        await settled();
        this.#takeReports();
      },
    };
  }

  async close(): Promise<void> {
    this.onLost = null;
    await this.endThreads();
    this.#results.dispose();
  }

  #takeReports(): Report[] {
    const reports: Report[] = [];
    for (let next = this.#results.tryRecv(); next !== undefined; next = this.#results.tryRecv())
      reports.push(next.value);
    return reports;
  }

  /** Gives every thread its part of the case. */
  protected abstract assemble(vector: GoCase, objects: readonly Description[]): Promise<void>;
  protected abstract start(op: Op, g: string, step: number): void;
  /** The objects are gone, and everybody who could be woken was. */
  protected abstract disband(): void;
  protected abstract endThreads(): Promise<void>;
}
