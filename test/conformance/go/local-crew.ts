/** `--threads 0`: every goroutine on this thread, local primitives, async forms. */
import { FakeClock, onPanic, settled } from '../../../src/sync/index.js';
import { type Cast, type Crew, clockOf, startGoHere } from './crew.js';
import { afterFuncHere, stopHere } from './context-ops.js';
import type { GoCase, Op } from './format.js';
import { disposeObjects, makeObjects } from './objects.js';
import { crashReport } from './panics.js';
import { Routine } from './routine.js';
import { type Report, World } from './world.js';

export class LocalCrew implements Crew {
  onLost = null;

  async open(vector: GoCase): Promise<Cast> {
    const cast = new LocalCast(vector);
    onPanic((panic, goroutine) => cast.world.report(crashReport(panic, goroutine.name)));
    await settled();
    return cast;
  }

  async close(): Promise<void> {
    onPanic(null);
  }
}

class LocalCast implements Cast {
  readonly world: World;
  readonly #routines = new Map<string, Routine>();
  #reports: Report[] = [];

  constructor(vector: GoCase) {
    this.world = new World({
      ...clockOf(vector),
      counters: new Int32Array(vector.objects.length),
      report: (report) => this.#reports.push(report),
      startGo: startGoHere,
      contextMade: () => undefined,
      afterFunc: function* (world, op, step) {
        afterFuncHere(world, op, step);
      },
      stop: function* (world, name) {
        return stopHere(world, name);
      },
    });
    makeObjects(this.world, vector.objects, 'async');
    for (let i = 0; i < vector.goroutines; i++) this.#routines.set(`g${i}`, new Routine(this.world, `g${i}`));
  }

  start(op: Op, g: string, step: number): void {
    this.#routines.get(g)?.start({ op, g, step });
  }

  async reports(): Promise<Report[]> {
    return this.#reports.splice(0);
  }

  async end(): Promise<void> {
    disposeObjects(this.world);
    const { clock } = this.world.around;
    if (clock instanceof FakeClock) clock.dispose();
    for (const routine of this.#routines.values()) routine.end();
    await settled();
  }
}
