import { describe, expect, it } from 'vitest';
import {
  type Context,
  type ContextKey,
  FakeClock,
  GoPanic,
  afterFunc,
  arena,
  attachContext,
  background,
  canceled,
  cause,
  deadlineExceeded,
  otherwise,
  recvFrom,
  selectAsync,
  settled,
  todo,
  withCancel,
  withCancelCause,
  withDeadline,
  withTimeout,
  withValue,
  withoutCancel,
} from '../../src/sync/index.js';

const code = (f: () => unknown): string => {
  try {
    f();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
};

const isClosed = (ctx: Context): boolean => ctx.done().isClosed;

describe('background', () => {
  it('never ends', () => {
    for (const ctx of [background(), todo()]) {
      expect([ctx.err(), ctx.cause(), ctx.deadline(), ctx.isDone]).toEqual([null, null, undefined, false]);
      expect(ctx.done().isNil).toBe(true);
      expect(ctx.signal.aborted).toBe(false);
      expect(ctx.value('k')).toBeUndefined();
    }
  });
});

describe('cancel', () => {
  it('ends the context and everything below, and nothing above or beside', () => {
    const [root] = withCancel(background());
    const [x, cancel] = withCancel(root);
    const [y] = withCancel(withValue(x, 'k', 1));
    const [z] = withCancel(root);
    expect(y.done().isClosed).toBe(false);
    cancel();
    for (const ctx of [x, y]) {
      expect(ctx.err()).toBe(canceled);
      expect(ctx.cause()).toBe(canceled);
      expect(isClosed(ctx)).toBe(true);
    }
    for (const ctx of [root, z]) expect(ctx.err()).toBeNull();
    expect(canceled.message).toBe('context canceled');
    expect(canceled.timeout()).toBe(false);
  });

  it('keeps the first cause, for itself and those below', () => {
    const [x, cancelX] = withCancelCause(background());
    const [y, cancelY] = withCancelCause(x);
    const [z] = withCancel(y);
    const p = new Error('p');
    const c = new Error('c');
    cancelY(c);
    cancelX(p);
    cancelX(new Error('again'));
    cancelY(null);
    expect([cause(x), cause(y), cause(z)]).toEqual([p, c, c]);
    expect([x.err(), y.err(), z.err()]).toEqual([canceled, canceled, canceled]);
    const [w, cancelW] = withCancelCause(background());
    cancelW('a text');
    expect(cause(w)?.message).toBe('a text');
  });

  it('makes children of an ended context end at birth, with its error and cause', () => {
    const [x, cancel] = withCancelCause(background());
    cancel(new Error('why'));
    const [y] = withTimeout(x, 1000, { cause: new Error('not this') });
    expect(y.err()).toBe(canceled);
    expect(y.cause()?.message).toBe('why');
    expect(isClosed(y)).toBe(true);
    expect(y.signal.aborted).toBe(true);
  });

  it('closes the parent before the children', async () => {
    for (let i = 0; i < 20; i++) {
      const [x, cancel] = withCancel(background());
      const [y] = withCancel(x);
      const chosen = selectAsync([recvFrom(y.done()), recvFrom(x.done())]);
      cancel();
      expect((await chosen).index).toBe(1);
    }
  });

  it('aborts the signal with the cause, after the whole tree has ended', () => {
    const [x, cancel] = withCancelCause(background());
    const [y] = withCancel(x);
    let seen: unknown[] = [];
    x.signal.addEventListener('abort', () => void (seen = [x.signal.reason, y.err()]));
    const why = new Error('why');
    cancel(why);
    expect(seen).toEqual([why, canceled]);
    expect(y.signal.reason).toBe(why);
  });
});

describe('deadlines', () => {
  it('end the context with deadline exceeded, and the given cause', async () => {
    using clock = new FakeClock({ now: 1000 });
    const root = background({ clock });
    const late = new Error('late');
    const [x] = withTimeout(root, 100, { cause: late });
    const [y] = withCancel(x);
    const [z] = withDeadline(root, 1100);
    expect([x.deadline(), y.deadline(), z.deadline()]).toEqual([1100, 1100, 1100]);
    await clock.advance(99);
    expect([x.err(), z.err()]).toEqual([null, null]);
    await clock.advance(1);
    expect([x.err(), y.err(), z.err()]).toEqual([deadlineExceeded, deadlineExceeded, deadlineExceeded]);
    expect([x.cause(), y.cause(), z.cause()]).toEqual([late, late, deadlineExceeded]);
    expect(deadlineExceeded.message).toBe('context deadline exceeded');
    expect(deadlineExceeded.timeout()).toBe(true);
  });

  it('are dropped, with their cause, if later than the parent\u2019s; an equal one is kept', async () => {
    using clock = new FakeClock();
    const [x] = withTimeout(background({ clock }), 100, { cause: new Error('X') });
    const [y] = withTimeout(x, 101, { cause: new Error('Y') });
    expect(y.deadline()).toBe(100);
    expect(String(y)).toMatch(/\.WithCancel$/);
    const [z] = withTimeout(x, 100, { cause: new Error('Z') });
    expect(String(z)).toMatch(/WithDeadline\(1970-01-01 00:00:00\.1 \+0000 UTC \[100ms\]\)$/);
    await clock.advance(200);
    expect(y.cause()?.message).toBe('X');
    expect(z.cause()?.message).toMatch(/^[XZ]$/);
  });

  it('in the past end the context at birth', () => {
    using clock = new FakeClock({ now: 500 });
    const [x, cancel] = withDeadline(background({ clock }), 500, { cause: new Error('late') });
    cancel();
    expect(x.err()).toBe(deadlineExceeded);
    expect(x.cause()?.message).toBe('late');
  });

  it('do not use their cause when the cancel function ends the context, and leave no timer', async () => {
    using clock = new FakeClock();
    const [x, cancel] = withTimeout(background({ clock }), 100, { cause: new Error('late') });
    cancel();
    expect(x.cause()).toBe(canceled);
    await clock.advance(200);
    expect(x.cause()).toBe(canceled);
    expect(x.deadline()).toBe(100);
  });

  it('are seen by a thread that never yields', () => {
    const [x] = withTimeout(background(), 1);
    const [y] = withCancel(x);
    while (!y.isDone) {
      // Spins: no timer of this thread can fire.
    }
    expect([x.err(), y.err()]).toEqual([deadlineExceeded, deadlineExceeded]);
  });

  it('fire on the real clock', async () => {
    const [x] = withTimeout(background(), 1);
    await x.done().recvAsync();
    expect(x.err()).toBe(deadlineExceeded);
  });

  it('must be numbers', () => {
    expect(code(() => withTimeout(background(), NaN))).toBe('ERR_BAD_TIME');
    expect(code(() => withDeadline(background(), undefined as unknown as number))).toBe('ERR_BAD_TIME');
  });
});

describe('values', () => {
  it('are found through everything, the nearest first', () => {
    const a = withValue(background(), 'k', 1);
    const b = withValue(a, 'k', 2);
    const [c] = withTimeout(withValue(b, 1, 'one'), 3_600_000);
    const d = withoutCancel(c);
    const [e, cancel] = withCancel(d);
    expect([a.value('k'), b.value('k'), e.value('k'), e.value(1), e.value('1')]).toEqual([
      1,
      2,
      2,
      'one',
      undefined,
    ]);
    cancel();
    expect(e.value('k')).toBe(2);
    expect(d.deadline()).toBeUndefined();
    expect(d.done().isNil).toBe(true);
    c.dispose();
  });

  it('print as Go prints them', () => {
    const [x] = withCancel(background());
    const v = withValue(x, 'k', 'val');
    expect(String(withCancel(withoutCancel(v))[0])).toBe(
      'context.Background.WithCancel.WithValue(k, val).WithoutCancel.WithCancel',
    );
    expect(String(withValue(background(), 'k', 9))).toBe('context.Background.WithValue(k, int)');
    expect(String(withValue(background(), 'k', null))).toBe('context.Background.WithValue(k, <nil>)');
    expect(String(todo())).toBe('context.TODO');
  });

  it('survive withoutCancel while the end does not', () => {
    const [x, cancel] = withCancel(withValue(background(), 'k', 1));
    const w = withoutCancel(x);
    cancel();
    expect([w.err(), w.cause(), w.value('k')]).toEqual([null, null, 1]);
  });
});

describe('bad arguments', () => {
  const nil = null as unknown as Context;

  it('panic as in Go', () => {
    const text = 'cannot create context from nil parent';
    for (const make of [
      () => withCancel(nil),
      () => withCancelCause(nil),
      () => withTimeout(nil, 1),
      () => withDeadline(nil, 1),
      () => withValue(nil, 'k', 1),
      () => withoutCancel(nil),
    ]) {
      expect(make).toThrow(GoPanic);
      expect(make).toThrow(text);
    }
    expect(() => withValue(background(), null as unknown as ContextKey, 1)).toThrow('nil key');
    for (const key of [{}, [], () => 1])
      expect(() => withValue(background(), key as unknown as ContextKey, 1)).toThrow('key is not comparable');
    expect(() => afterFunc(nil, () => 1)).toThrow(
      'runtime error: invalid memory address or nil pointer dereference',
    );
  });
});

describe('afterFunc', () => {
  it('runs each function once, in its own goroutine', async () => {
    const [x, cancel] = withCancel(background());
    const [y] = withCancel(x);
    const ran: string[] = [];
    const stops = ['a', 'b'].map((name) => afterFunc(y, () => ran.push(name)));
    cancel();
    expect(ran).toEqual([]);
    await settled();
    expect(ran.sort()).toEqual(['a', 'b']);
    expect(stops.map((stop) => stop())).toEqual([false, false]);
    afterFunc(y, () => ran.push('late'));
    await settled();
    expect(ran).toContain('late');
  });

  it('never runs one that was stopped', async () => {
    const [x, cancel] = withCancel(background());
    let ran = false;
    const stop = afterFunc(x, () => (ran = true));
    expect([stop(), stop()]).toEqual([true, false]);
    cancel();
    await settled();
    expect(ran).toBe(false);
    const never = afterFunc(background(), () => (ran = true));
    expect([never(), never()]).toEqual([true, false]);
  });
});

describe('memory', () => {
  it('is not touched by contexts of one thread', () => {
    const before = arena().liveBlocks;
    const [root] = withCancel(background());
    for (let i = 0; i < 200_000; i++) {
      const [x, cancel] = i % 2 === 0 ? withCancel(root) : withTimeout(root, 1_000_000);
      if (i % 5 === 0) void x.done();
      cancel();
      withCancel(background());
    }
    expect(arena().liveBlocks).toBe(before);
  });

  it('is given back when shared contexts are disposed of', () => {
    const before = arena().liveBlocks;
    const [root, cancelRoot] = withCancel(background());
    const why = new Error('why');
    const cycle = (i: number): void => {
      const [x, cancel] = withCancelCause(i % 3 === 0 ? root : background());
      x.handle();
      // Each way to end: with a cause, under a watch, not at all.
      if (i % 2 === 0) withCancel(x);
      if (i % 4 < 2) cancel(why);
      x.dispose();
    };
    for (let i = 0; i < 100; i++) cycle(i);
    const warm = arena().liveBlocks;
    for (let i = 0; i < 50_000; i++) cycle(i);
    expect(arena().liveBlocks).toBe(warm);
    // A few places are kept for reuse.
    expect(warm - before).toBeLessThan(8);
    cancelRoot();
  });
});

describe('a shared context on its own thread', () => {
  it('is watched only while something hangs on it', () => {
    const [x] = withCancel(background());
    const handle = x.handle();
    const cycle = (): void => {
      const attached = attachContext(handle);
      const [, cancel] = withCancel(attached);
      const stop = afterFunc(attached, () => undefined);
      cancel();
      stop();
    };
    cycle();
    const before = arena().liveBlocks;
    for (let i = 0; i < 100; i++) cycle();
    expect(arena().liveBlocks).toBe(before);
    x.dispose();
  });

  it('works as before, also for those who waited when it was shared', async () => {
    const [x, cancel] = withCancelCause(background());
    const [y] = withCancel(x);
    const waiting = x.done().recv2Async();
    x.handle();
    expect((await selectAsync([recvFrom(x.done()), otherwise])).index).toBe(1);
    cancel(new Error('why'));
    expect((await waiting).ok).toBe(false);
    expect([x.cause()?.message, y.cause()?.message]).toEqual(['why', 'why']);
    x.dispose();
    expect(code(() => x.err())).toBe('ERR_STALE_HANDLE');
    expect(code(() => x.done())).toBe('ERR_STALE_HANDLE');
    expect(code(() => x.handle())).toBe('ERR_STALE_HANDLE');
    expect(code(() => withCancel(x))).toBe('ERR_STALE_HANDLE');
    expect(y.cause()?.message).toBe('why');
    cancel();
  });

  it('disposed of without having ended, ends what is below and rejects who waits', async () => {
    const [x, cancel] = withCancel(background());
    const [y] = withCancel(x);
    x.handle();
    const waiting = x.done().recvAsync();
    x.dispose();
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_STALE_HANDLE' });
    expect(y.err()).toBe(canceled);
    expect(y.cause()).toMatchObject({ code: 'ERR_STALE_HANDLE' });
    cancel();
  });
});
