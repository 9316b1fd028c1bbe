/** Channels and select. */
import {
  Chan,
  type SelectCase,
  otherwise,
  recvFrom,
  select,
  selectAsync,
  sendTo,
} from '../../../src/sync/index.js';
import { doneOf } from './context-ops.js';
import type { ChanOp, Result, SelectSpec } from './format.js';
import { type Script, wait } from './script.js';
import type { Actor, World } from './world.js';

export function* chanOp(world: World, op: ChanOp, actor: Actor): Script<Result> {
  if (op.op === 'make') {
    const { cap, len } = new Chan<number>(op.n, { elem: 'number' });
    return { cap, len };
  }
  if (op.op === 'select') return yield* selectOp(world, op.cases);
  const ch: Chan<number> = world.get(op.ch, Chan<number>);
  switch (op.op) {
    case 'send':
      yield* send(ch, op.v);
      return {};
    case 'recv':
      return { v: yield* recv(ch) };
    case 'recv2': {
      const { value: v, ok } = yield* wait(
        () => ch.recv2(),
        () => ch.recv2Async(),
      );
      return { v, ok };
    }
    case 'trySend':
      return { selected: ch.trySend(op.v) };
    case 'tryRecv': {
      const received = ch.tryRecv();
      if (received === undefined) return { selected: false };
      return { selected: true, v: received.value, ok: received.ok };
    }
    case 'close':
      ch.close();
      return {};
    case 'len':
      return { n: ch.len };
    case 'cap':
      return { n: ch.cap };
    case 'range':
      return { values: yield* range(world, ch, op.n ?? Infinity, actor) };
  }
}

export const send = (ch: Chan<number>, v: number): Script<void> =>
  wait(
    () => ch.send(v),
    () => ch.sendAsync(v),
  );

export const recv = (ch: Chan<number>): Script<number> =>
  wait(
    () => ch.recv(),
    () => ch.recvAsync(),
  );

/** `for … of` and `for await … of` have no common form; this is what both of them do. */
function* range(world: World, ch: Chan<number>, most: number, { g }: Actor): Script<number[]> {
  const blocking = ch[Symbol.iterator]();
  const async = ch[Symbol.asyncIterator]();
  const values: number[] = [];
  while (values.length < most) {
    const next = yield* wait<IteratorResult<number, void>>(
      () => blocking.next(),
      () => async.next(),
    );
    if (next.done === true) break;
    values.push(next.value);
    world.report({ is: 'got', g, value: next.value });
  }
  return values;
}

function* selectOp(world: World, specs: readonly SelectSpec[]): Script<Result> {
  const cases = specs.map((spec) => selectCase(world, spec));
  const { index, value, ok } = yield* wait(
    () => select(cases),
    () => selectAsync(cases),
  );
  const spec = specs[index];
  if (spec.dir !== 'recv') return { case: index };
  return spec.done === undefined ? { case: index, v: value, ok } : { case: index, ok };
}

function selectCase(world: World, spec: SelectSpec): SelectCase {
  if (spec.dir === 'default') return otherwise;
  if (spec.dir === 'send') return sendTo(world.get(spec.ch, Chan<number>), spec.v);
  return spec.done === undefined
    ? recvFrom(world.get(spec.ch, Chan<number>))
    : recvFrom(doneOf(world, spec.done));
}
