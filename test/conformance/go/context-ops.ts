/** Contexts. */
import type { Chan } from '../../../src/sync/index.js';
import type { ContextOp, Result } from './format.js';
import type { Script } from './script.js';
import type { Actor, World } from './world.js';

export function doneOf(_world: World, _name: string): Chan<number> {
  throw new Error('contexts are not there yet');
}

export function cancelContext(_world: World, _name: string): void {
  throw new Error('contexts are not there yet');
}

export function causeOf(_world: World, _name: string): string | null {
  throw new Error('contexts are not there yet');
}

export function* contextOp(_world: World, _op: ContextOp, _actor: Actor): Script<Result> {
  throw new Error('contexts are not there yet');
}
