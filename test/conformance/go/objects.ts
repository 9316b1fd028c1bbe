/**
 * The objects of a case: made by the driver, and attached on every other thread from plain descriptions.
 */
import {
  Chan,
  Cond,
  type Locker,
  Mutex,
  Once,
  OnceFunc,
  RWMutex,
  WaitGroup,
  background,
  todo,
} from '../../../src/sync/index.js';
import type { ObjectSpec } from './format.js';
import { onceBody } from './group-ops.js';
import { type Plain, fromPlain, toPlain } from './plain-handle.js';
import { runAsync, runBlocking } from './script.js';
import type { World } from './world.js';

export interface Description {
  readonly spec: ObjectSpec;
  readonly handle: Plain<unknown>;
}

/** Which form this thread uses, for functions the library calls back. */
export type Form = 'blocking' | 'async';

/** Makes every object in the world, local to this thread. */
export function makeObjects(world: World, specs: readonly ObjectSpec[], form: Form): void {
  for (const spec of inOrder(specs)) world.add(spec.name, made(world, spec, form));
}

function made(world: World, spec: ObjectSpec, form: Form): unknown {
  switch (spec.type) {
    case 'chan':
      return spec.nil === true ? Chan.nil() : new Chan<number>(spec.cap, { elem: 'number' });
    case 'mutex':
      return new Mutex();
    case 'rwmutex':
      return new RWMutex();
    case 'waitgroup':
      return new WaitGroup();
    case 'once':
      return new Once();
    case 'cond':
      return new Cond(lockerOf(world, spec.l, spec.rlocker === true));
    case 'onceFunc':
    case 'onceValue':
    case 'onceValues':
      return new OnceFunc(onceFunction(world, spec, form));
    case 'background':
      return background({ clock: world.around.clock });
    case 'todo':
      return todo({ clock: world.around.clock });
  }
}

/** Moves the objects into the arena and says how other threads find them. */
export function describeObjects(world: World, specs: readonly ObjectSpec[]): Description[] {
  return specs.map((spec) => {
    const object = world.get<{ handle(): unknown }>(spec.name, Object as never);
    // Every thread has roots of its own.
    const isRoot = spec.type === 'background' || spec.type === 'todo';
    return { spec, handle: isRoot ? {} : toPlain(object.handle()) };
  });
}

export function attachObjects(world: World, descriptions: readonly Description[], form: Form): void {
  const handles = new Map(descriptions.map(({ spec, handle }) => [spec.name, handle]));
  for (const spec of inOrder(descriptions.map((description) => description.spec)))
    world.add(spec.name, attached(world, spec, handles.get(spec.name) ?? {}, form));
}

function attached(world: World, spec: ObjectSpec, plain: Plain<unknown>, form: Form): unknown {
  const handle = fromPlain(plain) as never;
  switch (spec.type) {
    case 'chan':
      return Chan.attach<number>(handle);
    case 'mutex':
      return Mutex.attach(handle);
    case 'rwmutex':
      return RWMutex.attach(handle);
    case 'waitgroup':
      return WaitGroup.attach(handle);
    case 'once':
      return Once.attach(handle);
    case 'cond':
      return Cond.attach(handle, lockerOf(world, spec.l, spec.rlocker === true));
    case 'onceFunc':
    case 'onceValue':
    case 'onceValues':
      return OnceFunc.attach(handle, onceFunction(world, spec, form));
    case 'background':
    case 'todo':
      return made(world, spec, form);
  }
}

/** Ends every sleep at them; whoever slept learns that the object is stale. */
export function disposeObjects(world: World): void {
  for (const [, object] of world.objects()) (object as Disposable)[Symbol.dispose]();
}

/** A cond comes after its lock. The same order on every thread: the counters of the onces go by it. */
function inOrder(specs: readonly ObjectSpec[]): ObjectSpec[] {
  return [...specs.filter((spec) => spec.type !== 'cond'), ...specs.filter((spec) => spec.type === 'cond')];
}

function lockerOf(world: World, name: string, reading: boolean): Locker {
  const lock = world.get<object>(name, Object);
  if (lock instanceof Mutex) return lock;
  const rw = world.get(name, RWMutex);
  return reading ? rw.rlocker() : rw;
}

function onceFunction(world: World, spec: ObjectSpec & { f: unknown }, form: Form): () => unknown {
  const body = () => onceBody(world, spec.name, spec.type as 'onceFunc', spec.f as never);
  return form === 'blocking' ? () => runBlocking(body()) : () => runAsync(body());
}
