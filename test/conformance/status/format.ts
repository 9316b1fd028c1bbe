/** The shapes of the status manager's vectors; test/vectors/status/FORMAT.md says what they mean. */
import type { Gates } from '../../../src/kube/gates.js';
import type { Pod, PodCondition, PodStatus } from '../../../src/kube/types.js';
import { MalformedCase } from '../kind.js';
import type { StateVector } from './state-cases.js';

/** A call of one pure function. */
export interface FunctionCase {
  readonly name: string;
  readonly fn: string;
  readonly gates?: Partial<Gates>;
  readonly args: readonly unknown[];
  readonly want: unknown;
}

/** A life of a status manager, step by step. */
export interface SequenceCase {
  readonly name: string;
  readonly gates: Partial<Gates>;
  readonly steps: readonly Step[];
  readonly want: readonly Want[];
}

export type StatusCase = FunctionCase | SequenceCase | StateVector;

/** An operation and its arguments: each operation has some of them. */
export interface Step {
  readonly op: string;
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly condition: PodCondition;
  readonly uid: string;
  readonly uids: readonly string[];
  readonly namespace: string;
  readonly name: string;
  readonly containerID: string;
  readonly container: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly value: boolean;
  readonly all: boolean;
  readonly drain: boolean;
  readonly version: number;
  readonly resize: string;
  readonly content: string;
  readonly seconds: number;
  readonly deletionTimestamp: string;
  readonly gracePeriodSeconds: number;
  readonly verb: string;
  readonly code: number;
  readonly applied?: boolean;
  readonly client?: null;
}

/** What a step shows, as changes since the one before it. */
export interface Want {
  readonly ret?: unknown;
  readonly cache?: Readonly<Record<string, unknown>>;
  readonly api?: Readonly<Record<string, unknown>>;
  readonly apiVersions?: Readonly<Record<string, number>>;
  readonly signal: boolean;
  readonly actions?: readonly unknown[];
  readonly startup?: readonly unknown[];
  readonly safety?: readonly string[];
  readonly stateFile?: string;
}

export const isFunctionCase = (vector: StatusCase): vector is FunctionCase => 'fn' in vector;
export const isSequenceCase = (vector: StatusCase): vector is SequenceCase =>
  'gates' in vector && !isFunctionCase(vector);

export function parseCase(line: unknown): StatusCase {
  const vector = line as Partial<FunctionCase & SequenceCase> | null;
  if (typeof vector !== 'object' || vector === null) throw new MalformedCase('not an object');
  if (typeof vector.name !== 'string') throw new MalformedCase('no name');
  if (vector.fn !== undefined) {
    const { fn, name, args } = vector;
    if (!Array.isArray(args) || !('want' in vector))
      throw new MalformedCase(`${fn} ${name}: no args or want`);
    return { ...(vector as FunctionCase), name: `${fn} ${name}` };
  }
  const { name, steps, want } = vector;
  if (!Array.isArray(steps) || !Array.isArray(want)) throw new MalformedCase(`${name}: no steps or want`);
  if (steps.length !== want.length)
    throw new MalformedCase(`${name}: ${steps.length} steps, but ${want.length} wanted outcomes`);
  return vector as SequenceCase | StateVector;
}
