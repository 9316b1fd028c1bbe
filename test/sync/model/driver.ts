/**
 * Runs a program on the real primitives beside the model: after each step everything settles, and what was
 * observed must be what one of the worlds the model allows would show.
 *
 * How the objects live is the `Mode`. In `threads` the goroutines live on a crew, spread evenly; their orders
 * come over shared channels, so that settling counts them.
 */
import { isDeepStrictEqual } from 'node:util';
import { Chan, type ChanHandle, arena, go, settled } from '../../../src/sync/index.js';
import { Block, NODE_POOL } from '../../../src/sync/layout.js';
import type { Crew } from '../../support/crew.js';
import { type Objects, addressesOf, allOf, attachObjects, makeObjects, perform } from './perform.js';
import { type Program, chosenStep, emptyWorld, step } from './program.js';
import type { Completed, Op, World } from './world.js';

/** local: never shared. shared: from the start. promoted: shared one by one as it goes. threads: on a crew. */
export type Mode = 'local' | 'shared' | 'promoted' | 'threads';

export interface Order {
  readonly step: number;
  readonly op: Op;
}

/** One goroutine of a program: takes orders, reports what they came to. */
export async function obey(
  g: number,
  orders: Chan<Order>,
  objects: Objects,
  report: (done: Completed) => void,
): Promise<void> {
  for await (const { step, op } of orders) report({ g, step, result: await perform(objects, op) });
}

export async function check({ shape, choices }: Program, mode: Mode, crew?: Crew): Promise<void> {
  const trace: string[] = [];
  const before = blocksInUse();
  let worlds: World[] = [emptyWorld(shape)];
  const objects = makeObjects(worlds[0]);
  const bench = await startBench(mode, worlds[0], objects, crew);
  const differ = (got: Completed[], lens: number[]): Error =>
    new Error(
      `${mode}: after\n  ${trace.join('\n  ')}\nthe real thing shows ${JSON.stringify({ got, lens })}\n` +
        `the model allows other things, from ${JSON.stringify(worlds.slice(0, 4))}`,
    );
  try {
    for (const [index, choice] of choices.entries()) {
      const chosen = chosenStep(worlds[0], shape.theme, index, choice);
      if (chosen === null) break;
      trace.push(`${index}: g${chosen.g} ${JSON.stringify(chosen.op)}`);
      await bench.order(chosen.g, { step: index, op: chosen.op });
      if (mode === 'promoted' && choice.promote < 30) {
        const turns = await promote(allOf(objects), choice.promote);
        trace.push(
          `   and after ${turns} turns the handle of object ${choice.promote % allOf(objects).length}`,
        );
      }
      await settled();
      const got = bench.completed();
      const lens = objects.chans.map((ch) => ch.len);
      const possible = worlds
        .flatMap((world) => step(world, index, chosen.g, chosen.op))
        .filter(({ world, completed }) => isDeepStrictEqual(got, completed) && sameLengths(world, lens))
        .map(({ world }) => world);
      if (possible.length === 0) throw differ(got, lens);
      worlds = distinct(possible);
    }
    await end(worlds[0], objects, bench);
  } finally {
    await bench.stop();
  }
  const left = blocksInUse() - before;
  if (left !== 0) throw new Error(`${mode}: ${left} blocks left in the arena after\n  ${trace.join('\n  ')}`);
}

/** Shares one object while the step is on its way: before, between or after the wake-ups it leads to. */
async function promote(all: { handle(): unknown }[], choice: number): Promise<number> {
  const turns = choice % 7;
  for (let i = 0; i < turns; i++) await Promise.resolve();
  all[choice % all.length].handle();
  return turns;
}

/** Whoever still sleeps must learn that its object is gone, and nobody else hears anything. */
async function end(world: World, objects: Objects, bench: Bench): Promise<void> {
  for (const object of allOf(objects)) object.dispose();
  await settled();
  const want = world.routines.flatMap((blocked, g) =>
    blocked !== null && standsSomewhere(world, blocked.op)
      ? [{ g, step: blocked.step, result: { error: 'ERR_STALE_HANDLE' } }]
      : [],
  );
  const got = bench.completed();
  if (!isDeepStrictEqual(got, want))
    throw new Error(`dispose woke ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
}

/** False for a goroutine that waits for nil channels only. */
function standsSomewhere(world: World, op: Op): boolean {
  if ('ch' in op) return !world.chans[op.ch].nil;
  if ('cases' in op) return op.cases.some((c) => c.dir !== 'default' && !world.chans[c.ch].nil);
  return true;
}

const sameLengths = (world: World, lens: number[]): boolean =>
  world.chans.every((ch, i) => ch.buffer.length === lens[i]);

function distinct(worlds: World[]): World[] {
  const seen = new Map(worlds.map((world) => [JSON.stringify(world), world]));
  return [...seen.values()];
}

/** Primitives and payloads; places are kept by the threads for reuse. */
function blocksInUse(): number {
  const { words } = arena();
  let count = 0;
  for (const block of arena().blocks()) {
    if (words[block + Block.pool] !== NODE_POOL && words[block + Block.owner] !== 0) count++;
  }
  return count;
}

interface Bench {
  order(g: number, order: Order): Promise<void>;
  /** What completed since it was last asked, by goroutine. */
  completed(): Completed[];
  stop(): Promise<void>;
}

const byGoroutine = (a: Completed, b: Completed): number => a.g - b.g;

async function startBench(mode: Mode, world: World, objects: Objects, crew?: Crew): Promise<Bench> {
  if (mode === 'threads') {
    if (crew === undefined) throw new Error('threads need a crew');
    return crewBench(crew, world, objects);
  }
  const lOf = world.conds.map(({ l }) => l);
  // Several attachments on one thread are one object to Go's rules.
  const twin = mode === 'shared' ? attachObjects(addressesOf(objects), lOf) : objects;
  const done: Completed[] = [];
  const orders = world.routines.map(() => new Chan<Order>(1));
  orders.forEach((ch, g) => {
    go(() => obey(g, ch, g % 2 === 0 ? objects : twin, (completed) => done.push(completed)));
  });
  await settled();
  return {
    order: (g, order) => orders[g].sendAsync(order),
    completed: () => done.splice(0).sort(byGoroutine),
    async stop() {
      for (const ch of orders) ch.close();
      await settled();
    },
  };
}

export interface CrewProgram {
  readonly orders: readonly (readonly [g: number, handle: ChanHandle])[];
  readonly reports: ChanHandle;
  readonly addresses: ReturnType<typeof addressesOf>;
  readonly lOf: readonly number[];
}

async function crewBench(crew: Crew, world: World, objects: Objects): Promise<Bench> {
  const addresses = addressesOf(objects);
  const orders = world.routines.map(() => new Chan<Order>(1));
  const reports = new Chan<Completed>(64);
  const common = { reports: reports.handle(), addresses, lOf: world.conds.map(({ l }) => l) };
  const handles = orders.map((ch, g) => [g, ch.handle()] as const);
  await crew.all('joinProgram', (member) => ({
    ...common,
    orders: handles.filter(([g]) => g % crew.size === member),
  }));
  await settled();
  return {
    order: (g, order) => orders[g].sendAsync(order),
    completed() {
      const done: Completed[] = [];
      for (let got = reports.tryRecv(); got !== undefined; got = reports.tryRecv()) done.push(got.value);
      return done.sort(byGoroutine);
    },
    async stop() {
      for (const ch of orders) ch.close();
      await settled();
      for (const ch of [...orders, reports]) ch.dispose();
    },
  };
}
