/** Combinations the recorded cases do not have, written by hand after FORMAT.md; each runs in every mode. */
import '../../support/without-checks.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { Kind, NamedCase, Stage, Verdict } from '../kind.js';
import type { Completed, GoCase, ObjectSpec, Step, Want } from './format.js';
import { goKind } from './go-kind.js';

type Line = readonly [step: Step, want: Want];

const done = (g: string, step: number, result = {}): Completed => ({ g, step, result });
const at = (g: string, step: number, op: string) => ({ g, step, op });

function vector(name: string, objects: readonly ObjectSpec[], goroutines: number, lines: readonly Line[]) {
  return {
    name,
    objects,
    goroutines,
    steps: lines.map(([step]) => step),
    want: lines.map(([, want]) => want),
  } satisfies GoCase;
}

const c0: ObjectSpec = { name: 'c0', type: 'chan', cap: 0 };
const c1: ObjectSpec = { name: 'c1', type: 'chan', cap: 1 };
const wg: ObjectSpec = { name: 'wg', type: 'waitgroup' };
const o: ObjectSpec = { name: 'o', type: 'once' };
const p: ObjectSpec = { name: 'p', type: 'once' };
const bg: ObjectSpec = { name: 'bg', type: 'background' };
const empty = { cap: 0, len: 0 };
const nil = { done: 'nil', err: null, cause: null };
const open = { done: 'open', err: null, cause: null };
const canceled = { done: 'closed', err: 'context canceled', cause: 'context canceled' };

const cases: readonly GoCase[] = [
  vector('a panic in wg.Go ends the process', [wg], 1, [
    [
      { g: 'g0', op: 'go', wg: 'wg', as: 't', do: { op: 'panic', text: 'boom' } },
      { crash: 'panic: boom [recovered' },
    ],
  ]),
  vector('a panic later in wg.Go, from a receive', [wg, c0], 1, [
    [
      { g: 'g0', op: 'go', wg: 'wg', as: 't', do: { op: 'recvPanic', ch: 'c0', text: 'late' } },
      { completed: [done('g0', 0)], blocked: [at('t', 0, 'recvPanic')], objects: { c0: empty } },
    ],
    [{ g: 'g0', op: 'close', ch: 'c0' }, { crash: 'panic: late' }],
  ]),
  vector('go inside once', [wg, o, c0], 2, [
    [
      {
        g: 'g0',
        op: 'do',
        once: 'o',
        do: { op: 'go', wg: 'wg', as: 't', do: { op: 'recv', ch: 'c0' } },
      },
      {
        completed: [done('g0', 0, { ran: true })],
        blocked: [at('t', 0, 'recv')],
        objects: { o: { runs: 1 }, c0: empty },
      },
    ],
    [
      { g: 'g0', op: 'wait', wg: 'wg' },
      {
        completed: [],
        blocked: [at('g0', 1, 'wait'), at('t', 0, 'recv')],
        objects: { o: { runs: 1 }, c0: empty },
      },
    ],
    [
      { g: 'g1', op: 'send', ch: 'c0', v: 7 },
      {
        completed: [done('g0', 1), done('g1', 2), done('t', 0, { v: 7 })],
        blocked: [],
        objects: { o: { runs: 1 }, c0: empty },
      },
    ],
  ]),
  vector(
    'once inside go, and a once function that starts a goroutine',
    [
      wg,
      o,
      c0,
      c1,
      { name: 'F', type: 'onceFunc', f: { op: 'go', wg: 'wg', as: 'u', do: { op: 'send', ch: 'c1', v: 3 } } },
    ],
    2,
    [
      [
        { g: 'g0', op: 'go', wg: 'wg', as: 't', do: { op: 'do', once: 'o', do: { op: 'recv', ch: 'c0' } } },
        {
          completed: [done('g0', 0)],
          blocked: [at('t', 0, 'do')],
          objects: { o: { runs: 1 }, F: { runs: 0 }, c0: empty, c1: { cap: 1, len: 0 } },
        },
      ],
      [
        { g: 'g1', op: 'call', fn: 'F' },
        {
          completed: [done('g1', 1), done('u', 1)],
          blocked: [at('t', 0, 'do')],
          objects: { o: { runs: 1 }, F: { runs: 1 }, c0: empty, c1: { cap: 1, len: 1 } },
        },
      ],
      [
        { g: 'g1', op: 'close', ch: 'c0' },
        {
          completed: [done('g1', 2), done('t', 0, { inner: true })],
          blocked: [],
          objects: { o: { runs: 1 }, F: { runs: 1 }, c0: empty, c1: { cap: 1, len: 1 } },
        },
      ],
      [
        { g: 'g1', op: 'wait', wg: 'wg' },
        {
          completed: [done('g1', 3)],
          blocked: [],
          objects: { o: { runs: 1 }, F: { runs: 1 }, c0: empty, c1: { cap: 1, len: 1 } },
        },
      ],
    ],
  ),
  vector(
    'calls and closes inside onces',
    [
      o,
      p,
      c0,
      { name: 'V', type: 'onceValue', f: { op: 'close', ch: 'c0' } },
      { name: 'F', type: 'onceFunc', f: { op: 'call', fn: 'V' } },
      { name: 'P', type: 'onceFunc', f: { op: 'do', once: 'p', do: { op: 'close', ch: 'c0' } } },
    ],
    1,
    [
      [
        { g: 'g0', op: 'do', once: 'o', do: { op: 'call', fn: 'F' } },
        {
          completed: [done('g0', 0, { ran: true })],
          blocked: [],
          objects: {
            o: { runs: 1 },
            p: { runs: 0 },
            c0: empty,
            V: { runs: 1 },
            F: { runs: 1 },
            P: { runs: 0 },
          },
        },
      ],
      [
        { g: 'g0', op: 'call', fn: 'V' },
        {
          completed: [done('g0', 1, { value: 0 })],
          blocked: [],
          objects: {
            o: { runs: 1 },
            p: { runs: 0 },
            c0: empty,
            V: { runs: 1 },
            F: { runs: 1 },
            P: { runs: 0 },
          },
        },
      ],
      [
        { g: 'g0', op: 'call', fn: 'P' },
        {
          completed: [done('g0', 2, { panic: 'close of closed channel' })],
          blocked: [],
          objects: {
            o: { runs: 1 },
            p: { runs: 1 },
            c0: empty,
            V: { runs: 1 },
            F: { runs: 1 },
            P: { runs: 1 },
          },
        },
      ],
    ],
  ),
  vector('contexts inside functions', [wg, bg, o, c1], 2, [
    [
      { g: 'g0', op: 'withCancelCause', parent: 'bg', as: 'x' },
      {
        completed: [done('g0', 0)],
        blocked: [],
        objects: { bg: nil, o: { runs: 0 }, c1: { cap: 1, len: 0 }, x: open },
      },
    ],
    [
      { g: 'g1', op: 'afterFunc', ctx: 'x', as: 'f', do: { op: 'cause', ctx: 'x' } },
      {
        completed: [done('g1', 1)],
        blocked: [],
        objects: { bg: nil, o: { runs: 0 }, c1: { cap: 1, len: 0 }, x: open },
      },
    ],
    [
      {
        g: 'g0',
        op: 'afterFunc',
        ctx: 'x',
        as: 'h',
        do: { op: 'go', wg: 'wg', as: 't', do: { op: 'send', ch: 'c1', v: 1 } },
      },
      {
        completed: [done('g0', 2)],
        blocked: [],
        objects: { bg: nil, o: { runs: 0 }, c1: { cap: 1, len: 0 }, x: open },
      },
    ],
    [
      { g: 'g0', op: 'do', once: 'o', do: { op: 'cancel', ctx: 'x' } },
      {
        completed: [
          done('f', 1, { cause: 'context canceled' }),
          done('g0', 3, { ran: true }),
          done('h', 2),
          done('t', 2),
        ],
        blocked: [],
        objects: { bg: nil, o: { runs: 1 }, c1: { cap: 1, len: 1 }, x: canceled },
      },
    ],
    [
      { g: 'g1', op: 'stop', fn: 'h' },
      {
        completed: [done('g1', 4, { stopped: false })],
        blocked: [],
        objects: { bg: nil, o: { runs: 1 }, c1: { cap: 1, len: 1 }, x: canceled },
      },
    ],
  ]),
  vector(
    'a context made after the function that cancels it was registered, and a stop from elsewhere',
    [bg, c0],
    3,
    [
      [
        { g: 'g0', op: 'withCancel', parent: 'bg', as: 'x' },
        { completed: [done('g0', 0)], blocked: [], objects: { bg: nil, c0: empty, x: open } },
      ],
      [
        { g: 'g1', op: 'afterFunc', ctx: 'x', as: 'f', do: { op: 'cancel', ctx: 'y' } },
        { completed: [done('g1', 1)], blocked: [], objects: { bg: nil, c0: empty, x: open } },
      ],
      [
        { g: 'g0', op: 'afterFunc', ctx: 'x', as: 'h', do: { op: 'recv', ch: 'c0' } },
        { completed: [done('g0', 2)], blocked: [], objects: { bg: nil, c0: empty, x: open } },
      ],
      [
        { g: 'g2', op: 'withCancel', parent: 'bg', as: 'y' },
        { completed: [done('g2', 3)], blocked: [], objects: { bg: nil, c0: empty, x: open, y: open } },
      ],
      [
        { g: 'g2', op: 'cancel', ctx: 'x' },
        {
          completed: [done('f', 1), done('g2', 4)],
          blocked: [at('h', 2, 'recv')],
          objects: { bg: nil, c0: empty, x: canceled, y: canceled },
        },
      ],
      [
        { g: 'g2', op: 'send', ch: 'c0', v: 5 },
        {
          completed: [done('g2', 5), done('h', 2, { v: 5 })],
          blocked: [],
          objects: { bg: nil, c0: empty, x: canceled, y: canceled },
        },
      ],
      [
        { g: 'g2', op: 'afterFunc', ctx: 'bg', as: 'k', do: { op: 'return' } },
        {
          completed: [done('g2', 6)],
          blocked: [],
          objects: { bg: nil, c0: empty, x: canceled, y: canceled },
        },
      ],
      [
        { g: 'g1', op: 'stop', fn: 'k' },
        {
          completed: [done('g1', 7, { stopped: true })],
          blocked: [],
          objects: { bg: nil, c0: empty, x: canceled, y: canceled },
        },
      ],
    ],
  ),
];

describe.each(['0', '2', 'each'])('inner operations with --threads %s', (mode) => {
  const stages: Stage<NamedCase>[] = [];
  afterAll(() => Promise.all(stages.map((stage) => stage.close())));

  async function replay(one: GoCase): Promise<Verdict> {
    if (stages.length === 0) stages.push(await (goKind as Kind).open(mode));
    return stages[0].run(one);
  }

  test.each(cases)('$name', async (one) => {
    expect(await replay(one)).toEqual({ is: 'passed' });
  });

  test('a wrong expectation fails at its step', async () => {
    for (const one of cases) {
      const last = one.want.length - 1;
      const want = [...one.want.slice(0, last), { completed: [], blocked: [at('g9', 0, 'send')] }];
      const verdict = await replay({ ...one, want });
      expect(verdict).toMatchObject({ is: 'failed' });
      expect(verdict.is === 'failed' && verdict.step).toContain(`step ${last} `);
    }
  });

  test('goexit is skipped wherever it stands', async () => {
    const hidden = vector('goexit', [o, p], 1, [
      [
        { g: 'g0', op: 'do', once: 'o', do: { op: 'do', once: 'p', do: { op: 'goexit' } } },
        { completed: [], blocked: [] },
      ],
    ]);
    expect(await replay(hidden)).toMatchObject({ is: 'skipped' });
  });
});
