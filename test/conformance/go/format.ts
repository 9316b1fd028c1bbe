/** The shapes of a Go vector, as in test/vectors/go/FORMAT.md. */

export type Scalar = string | number | boolean | null;

export type ObjectSpec =
  | { readonly name: string; readonly type: 'chan'; readonly cap?: number; readonly nil?: boolean }
  | { readonly name: string; readonly type: 'mutex' | 'rwmutex' | 'waitgroup' | 'once' }
  | { readonly name: string; readonly type: 'cond'; readonly l: string; readonly rlocker?: boolean }
  | {
      readonly name: string;
      readonly type: 'onceFunc' | 'onceValue' | 'onceValues';
      readonly f: InnerOp;
    }
  | { readonly name: string; readonly type: 'background' | 'todo' };

export type SelectSpec =
  | { readonly dir: 'send'; readonly ch: string; readonly v: number }
  | { readonly dir: 'recv'; readonly ch: string; readonly done?: undefined }
  | { readonly dir: 'recv'; readonly done: string; readonly ch?: undefined }
  | { readonly dir: 'default' };

export type ChanOp =
  | { readonly op: 'send' | 'trySend'; readonly ch: string; readonly v: number }
  | { readonly op: 'recv' | 'recv2' | 'tryRecv' | 'close' | 'len' | 'cap'; readonly ch: string }
  | { readonly op: 'range'; readonly ch: string; readonly n?: number }
  | { readonly op: 'make'; readonly n: number }
  | { readonly op: 'select'; readonly cases: readonly SelectSpec[] };

export type LockOp =
  | {
      readonly op:
        'lock' | 'unlock' | 'tryLock' | 'rLock' | 'rUnlock' | 'tryRLock' | 'rlockerLock' | 'rlockerUnlock';
      readonly mu: string;
    }
  | { readonly op: 'condWait' | 'condWaitUnlock' | 'signal' | 'broadcast'; readonly cond: string };

export interface GoOp {
  readonly op: 'go';
  readonly wg: string;
  readonly as: string;
  readonly do: InnerOp;
}
export interface DoOp {
  readonly op: 'do';
  readonly once: string;
  readonly do: InnerOp;
}
export interface CallOp {
  readonly op: 'call';
  readonly fn: string;
}

export type GroupOp =
  | { readonly op: 'add'; readonly wg: string; readonly n: number }
  | { readonly op: 'done' | 'wait'; readonly wg: string }
  | GoOp
  | DoOp
  | CallOp;

export interface AfterFuncOp {
  readonly op: 'afterFunc';
  readonly ctx: string;
  readonly as: string;
  readonly do: InnerOp;
}

export type MakeContextOp = { readonly parent: string; readonly as: string } & (
  | { readonly op: 'withCancel' | 'withCancelCause' | 'withoutCancel' }
  | { readonly op: 'withTimeout' | 'withTimeoutCause'; readonly ms: number; readonly cause?: string }
  | { readonly op: 'withDeadline' | 'withDeadlineCause'; readonly at: number; readonly cause?: string }
  | { readonly op: 'withValue'; readonly key: Scalar; readonly val: Scalar }
);

export type ContextOp =
  | MakeContextOp
  | AfterFuncOp
  | { readonly op: 'cancel' | 'err' | 'cause' | 'deadline' | 'string' | 'waitDone'; readonly ctx: string }
  | { readonly op: 'cancelCause'; readonly ctx: string; readonly cause?: string }
  | { readonly op: 'value'; readonly ctx: string; readonly key: Scalar }
  | { readonly op: 'stop'; readonly fn: string };

export type InnerOp =
  | { readonly op: 'return'; readonly value?: Scalar; readonly values?: readonly Scalar[] }
  | { readonly op: 'panic'; readonly text: string }
  | { readonly op: 'recvPanic'; readonly ch: string; readonly text: string }
  | { readonly op: 'goexit' }
  | { readonly op: 'recv' | 'close'; readonly ch: string }
  | { readonly op: 'send'; readonly ch: string; readonly v: number }
  | { readonly op: 'cancel' | 'cause'; readonly ctx: string }
  | DoOp
  | CallOp
  | GoOp;

export type Op = ChanOp | LockOp | GroupOp | ContextOp;

export type Step = { readonly g: string } & (Op | { readonly op: 'advance'; readonly ms: number });

export type Result = Record<string, unknown>;

export interface Completed {
  readonly g: string;
  readonly step: number;
  readonly result: Result;
}

export interface Blocked {
  readonly g: string;
  readonly step: number;
  readonly op: string;
  readonly got?: readonly number[];
}

export interface Outcome {
  readonly completed: readonly Completed[];
  readonly blocked: readonly Blocked[];
  readonly objects?: Readonly<Record<string, unknown>>;
  readonly now?: number;
}

export type Want =
  | Outcome
  | { readonly oneOf: readonly (Outcome & { readonly then: readonly Want[] })[] }
  | { readonly fatal: string }
  | { readonly crash: string };

export interface GoCase {
  readonly name: string;
  readonly note?: string;
  readonly impl?: boolean;
  readonly clock?: 'virtual';
  readonly objects: readonly ObjectSpec[];
  readonly goroutines: number;
  readonly steps: readonly Step[];
  readonly want: readonly Want[];
}

/** Every inner op of a step or of an object's function, at any depth. */
export function* innerOps(op: Step | Op | InnerOp | ObjectSpec): Generator<InnerOp> {
  const inner = 'do' in op ? op.do : 'f' in op ? op.f : undefined;
  if (inner === undefined) return;
  yield inner;
  yield* innerOps(inner);
}

/** Everything the case can do: its steps and all that is inside them or its objects. */
export function* allOps(vector: GoCase): Generator<Step | InnerOp> {
  for (const object of vector.objects) yield* innerOps(object);
  for (const step of vector.steps) {
    yield step;
    yield* innerOps(step);
  }
}
