import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CancelHandle,
  Chan,
  type Context,
  type ContextHandle,
  FakeClock,
  afterFunc,
  arena,
  attachCancel,
  attachContext,
  background,
  cancelHandle,
  canceled,
  deadlineExceeded,
  settled,
  withCancel,
  withCancelCause,
  withTimeout,
  withValue,
  withoutCancel,
} from '../../src/sync/index.js';
import { Block, NODE_POOL } from '../../src/sync/layout.js';
import { Thread } from '../support/thread.js';

let thread: Thread;
let made: { dispose(): void }[];

/** Disposed of at the end of the test. */
function owned<T extends { dispose(): void }>(thing: T): T {
  made.push(thing);
  return thing;
}

const signalChan = (): Chan<void> => owned(new Chan<void>(1, { elem: 'void' }));

/** All but the places in queues, which threads keep for reuse. */
function blocksInUse(): number {
  const { words } = arena();
  return [...arena().blocks()].filter(
    (block) => words[block + Block.owner] !== 0 && words[block + Block.pool] !== NODE_POOL,
  ).length;
}

beforeEach(() => {
  thread = new Thread(new URL('./fixtures/context-thread.js', import.meta.url));
  made = [];
});

afterEach(async () => {
  for (const thing of made) thing.dispose();
  await settled();
  await thread.end();
});

const state = (ctx: Context): unknown[] => [ctx.err()?.message ?? null, ctx.cause()?.message ?? null];

describe('a context of this thread on another', () => {
  it('ends there at once, for a thread that never yields, and so do contexts below it', async () => {
    for (const target of ['x', 'y']) {
      const [x, cancel] = withCancelCause(background());
      owned(x);
      const started = signalChan();
      await thread.call('attach', 'x', x.handle());
      await thread.call('withCancel', 'y', 'x');
      const seen = thread.call('spin', target, started.handle());
      await started.recvAsync();
      cancel(new Error('why'));
      expect(await seen).toEqual(['context canceled', 'why', true]);
    }
  });

  it('keeps code and text of a cause', async () => {
    const [x, cancel] = withCancelCause(background());
    owned(x);
    const y = attachContext(x.handle());
    cancel(Object.assign(new Error('why'), { code: 'ERR_MINE' }));
    expect(y.cause()).toMatchObject({ message: 'why', code: 'ERR_MINE' });
    expect(y.err()).toBe(canceled);
    const [z, cancelZ] = withCancelCause(background());
    owned(z);
    cancelZ(deadlineExceeded);
    expect(attachContext(z.handle()).cause()).toBe(deadlineExceeded);
  });

  it('brings its name, its deadline and its values', async () => {
    using clock = new FakeClock();
    const key = Symbol('s');
    const base = withValue(withValue(background({ clock }), 'k', 1), 'k', { deep: [2] });
    const [x] = withTimeout(
      withValue(
        withValue(base, 'f', () => 1),
        key,
        1,
      ),
      100,
    );
    owned(x);
    await thread.call('attach', 'x', x.handle());
    expect(await thread.call('describe', 'x', ['k', 'f', 'z'])).toEqual([
      'context.Background.WithValue(k, int).WithValue(k, Object).WithValue(f, function).WithValue(s, int)' +
        '.WithDeadline(1970-01-01 00:00:00.1 +0000 UTC [100ms])',
      100,
      { deep: [2] },
      undefined,
      undefined,
    ]);
    // And on: a handle of a context below the attached one has them too.
    await thread.call('withCancel', 'y', 'x');
    const y = attachContext(await thread.call<ContextHandle>('handle', 'y'));
    expect([y.value('k'), y.deadline()]).toEqual([{ deep: [2] }, 100]);
    expect(String(y)).toMatch(/\[100ms\]\)\.WithCancel$/);
    await thread.call('dispose', 'y');
  });

  it('that cannot end, does not there either', async () => {
    const w = withoutCancel(withValue(background(), 'k', 1));
    await thread.call('attach', 'w', w.handle());
    expect(await thread.call('state', 'w')).toEqual([null, null]);
    expect(await thread.call('describe', 'w', ['k'])).toEqual(
      ['context.Background.WithValue(k, int).WithoutCancel', null, 1].map((value) => value ?? undefined),
    );
  });

  it('wakes who waits there, asynchronously or blocking, at it or below it', async () => {
    await thread.call('dedicated');
    for (const [op, target] of [
      ['waitDone', 'x'],
      ['waitDone', 'y'],
      ['blockDone', 'x'],
      ['blockDone', 'y'],
    ]) {
      const [x, cancel] = withCancel(background());
      owned(x);
      await thread.call('attach', 'x', x.handle());
      await thread.call('withCancel', 'y', 'x');
      const seen = thread.call(op, target);
      cancel();
      expect(await seen).toEqual(['context canceled', 'context canceled']);
    }
  });

  it('is chosen by a blocking select there before one below it', async () => {
    await thread.call('dedicated');
    const [x, cancel] = withCancel(background());
    owned(x);
    await thread.call('attach', 'x', x.handle());
    await thread.call('withCancel', 'y', 'x');
    const started = signalChan();
    const chosen = thread.call('blockSelect', ['y', 'x'], started.handle());
    await started.recvAsync();
    cancel();
    expect(await chosen).toBe(1);
  });

  it('runs functions and aborts signals there, unless stopped', async () => {
    const [x, cancel] = withCancelCause(background());
    owned(x);
    await thread.call('attach', 'x', x.handle());
    await thread.call('withCancel', 'y', 'x');
    await thread.call('afterFunc', 'f', 'x');
    await thread.call('afterFunc', 'g', 'y');
    await thread.call('afterFunc', 'h', 'y');
    await thread.call('signal', 'y');
    expect(await thread.call('stop', 'h')).toBe(true);
    cancel('why');
    await settled();
    expect((await thread.call<string[]>('ran')).sort()).toEqual(['f', 'g', 'why']);
    expect(await thread.call('stop', 'f')).toBe(false);
    expect(await thread.call('stop', 'h')).toBe(false);
  });
});

describe('the right to cancel', () => {
  it('ends a context of this thread from another, with all that hangs on it', async () => {
    using clock = new FakeClock();
    const [x] = withTimeout(background({ clock }), 100, { cause: new Error('late') });
    owned(x);
    const [y] = withCancel(withValue(x, 'k', 1));
    const ran: string[] = [];
    afterFunc(y, () => ran.push('f'));
    y.signal.addEventListener('abort', () => ran.push('abort'));
    await thread.call('attachCancel', 'x', cancelHandle(x));
    const waiting = y.done().recv2Async();
    await thread.call('cancel', 'x', 'why');
    expect((await waiting).ok).toBe(false);
    await settled();
    expect(state(x)).toEqual(['context canceled', 'why']);
    expect(state(y)).toEqual(['context canceled', 'why']);
    expect(ran.sort()).toEqual(['abort', 'f']);
    await clock.advance(200);
    expect(state(x)).toEqual(['context canceled', 'why']);
  });

  it('stops the timer of the thread that made the context', async () => {
    using clock = new FakeClock();
    const root = background({ clock });
    await thread.call('attach', 'root', root.handle());
    await thread.call('withTimeout', 'x', 'root', 100, 'late');
    const cancel = attachCancel(await thread.call<CancelHandle>('cancelHandle', 'x'));
    expect(await thread.call('timers')).toBe(1);
    cancel();
    await settled();
    expect(await thread.call('timers')).toBe(0);
    expect(await thread.call('state', 'x')).toEqual(['context canceled', 'context canceled']);
    await thread.call('dispose', 'x');
    cancel('after it is gone');
  });

  it('is not in a context handle', async () => {
    const [x] = withCancel(background());
    owned(x);
    expect(() => cancelHandle(attachContext(x.handle()))).toThrow(/no right to cancel/);
    expect(() => cancelHandle(background())).toThrow(/no right to cancel/);
  });

  it('is used once: the first of several threads wins', async () => {
    for (let i = 0; i < 20; i++) {
      const [x, cancel] = withCancelCause(background());
      await thread.call('attachCancel', 'x', cancelHandle(x));
      await thread.call('attach', 'x', x.handle());
      const there = thread.call('cancel', 'x', 'there');
      cancel('here');
      await there;
      expect(await thread.call('state', 'x')).toEqual(state(x));
      x.dispose();
    }
  });
});

describe('a context of another thread', () => {
  it('ends with one of this thread above it, while its own thread blocks', async () => {
    await thread.call('dedicated');
    const [x, cancel] = withCancelCause(background());
    owned(x);
    await thread.call('attach', 'x', x.handle());
    await thread.call('withCancel', 'y', 'x');
    const y = owned(attachContext(await thread.call<ContextHandle>('handle', 'y')));
    const blocker = owned(new Chan<number>());
    const blocked = thread.call('blockRecv', blocker.handle());
    const waiting = y.done().recv2Async();
    cancel(new Error('why'));
    expect((await waiting).ok).toBe(false);
    expect(state(y)).toEqual(['context canceled', 'why']);
    blocker.close();
    expect(await blocked).toBe(false);
  });

  it('is seen to have ended with one above it while its own thread never yields', async () => {
    const [x, cancel] = withCancelCause(background());
    owned(x);
    await thread.call('attach', 'x', x.handle());
    await thread.call('withCancel', 'y', 'x');
    await thread.call('withCancel', 'z', 'y');
    await thread.call('handle', 'y');
    const z = owned(attachContext(await thread.call<ContextHandle>('handle', 'z')));
    const [started, stop] = [signalChan(), signalChan()];
    const busy = thread.call('hog', started.handle(), stop.handle());
    await started.recvAsync();
    cancel('why');
    expect(state(z)).toEqual(['context canceled', 'why']);
    stop.close();
    await busy;
    expect(await thread.call('state', 'z')).toEqual(['context canceled', 'why']);
    await thread.call('dispose', 'y');
  });

  it('ends by its deadline although its own thread never yields', async () => {
    const [started, stop] = [signalChan(), signalChan()];
    await thread.call('attach', 'root', background().handle());
    await thread.call('withTimeout', 'x', 'root', 1, 'late');
    const x = owned(attachContext(await thread.call<ContextHandle>('handle', 'x')));
    const busy = thread.call('hog', started.handle(), stop.handle());
    await started.recvAsync();
    while (!x.isDone);
    expect(state(x)).toEqual(['context deadline exceeded', 'late']);
    stop.close();
    await busy;
  });

  it('ends on the real clock while its thread blocks', async () => {
    await thread.call('dedicated');
    expect(await thread.call('blockForReal')).toEqual([
      'context deadline exceeded',
      'context deadline exceeded',
    ]);
  });
});

describe('dispose', () => {
  it('is seen on the other thread, whose contexts below end', async () => {
    const [x] = withCancel(background());
    await thread.call('attach', 'x', x.handle());
    await thread.call('withCancel', 'y', 'x');
    await thread.call('afterFunc', 'f', 'y');
    const waiting = thread.call('waitDone', 'x').catch((error: { code: string }) => error.code);
    await thread.call('state', 'x');
    x.dispose();
    expect(await waiting).toBe('ERR_STALE_HANDLE');
    await settled();
    expect(await thread.call('ran')).toEqual(['f']);
    expect((await thread.call<string[]>('state', 'y'))[0]).toBe('context canceled');
    await expect(thread.call('state', 'x')).rejects.toMatchObject({ code: 'ERR_STALE_HANDLE' });
    await expect(thread.call('withCancel', 'z', 'x')).rejects.toMatchObject({ code: 'ERR_STALE_HANDLE' });
  });

  it('leaves no block behind, watched from another thread or not', async () => {
    const round = async (): Promise<void> => {
      const [x, cancel] = withCancelCause(background());
      const [y] = withCancel(x);
      await thread.call('attach', 'x', x.handle());
      await thread.call('attach', 'y', y.handle());
      await thread.call('withCancel', 'z', 'y');
      cancel(new Error('why'));
      await settled();
      y.dispose();
      x.dispose();
    };
    for (let i = 0; i < 3; i++) await round();
    const before = arena().liveBlocks;
    for (let i = 0; i < 50; i++) await round();
    expect(arena().liveBlocks).toBe(before);
  });

  it('may come at any moment', async () => {
    const outcomes = new Set<unknown>();
    const round = async (i: number): Promise<void> => {
      const [x, cancel] = withCancelCause(background());
      const [y] = withCancel(x);
      y.signal.addEventListener('abort', () => undefined);
      const racing = thread.call('race', x.handle(), cancelHandle(x));
      // Sooner or later, so that each order of the two threads has its turn.
      for (let turns = i % 60; turns > 0; turns--) await Promise.resolve(x.isDone);
      if (i % 2 === 0) cancel(new Error('here'));
      if (i % 3 !== 0) x.dispose();
      outcomes.add(await racing);
      expect(y.err() ?? x.err()).toBe(canceled);
      x.dispose();
    };
    const before = blocksInUse();
    for (let i = 0; i < 600; i++) await round(i);
    await settled();
    expect(blocksInUse()).toBe(before);
    const stale = 'this context was disposed, here or on another thread; take a new handle from a live one';
    for (const outcome of outcomes) expect(['here', 'there', 'ERR_STALE_HANDLE', stale]).toContain(outcome);
  });

  it('refuses made-up handles', () => {
    const code = (handle: unknown): string => {
      try {
        attachContext(handle as ContextHandle);
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'none';
    };
    expect(code(null)).toBe('ERR_FOREIGN_HANDLE');
    expect(code({ podloom: 'chan' })).toBe('ERR_FOREIGN_HANDLE');
    const [x] = withCancel(background());
    const handle = x.handle();
    x.dispose();
    expect(code(handle)).toBe('ERR_STALE_HANDLE');
    expect(() => attachCancel({ podloom: 'context' } as unknown as CancelHandle)).toThrow(/not a handle/);
  });
});
