import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Chan,
  type Clock,
  FakeClock,
  Ticker,
  Timer,
  after,
  arena,
  background,
  go,
  realClock,
  runMain,
  settled,
  wait,
  withCancel,
  withTimeout,
} from '../../src/sync/index.js';
import { Thread } from '../../src/sync/layout.js';
import { parker } from '../../src/sync/parker.js';

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock({ now: 1000 });
});

afterEach(() => clock.dispose());

const timers = (): number => Atomics.load(parker().words, parker().record + Thread.timers);

describe('FakeClock', () => {
  it('fires in time order, and in the order they were set at one instant', async () => {
    const fired: string[] = [];
    const set = (at: number, name: string): void =>
      void clock.setTimer(at, () => fired.push(`${name}@${clock.now()}`));
    set(1030, 'c');
    set(1010, 'a');
    set(1030, 'd');
    set(1020, 'b');
    set(1031, 'e');
    expect(timers()).toBe(5);
    await clock.advance(30);
    expect(fired).toEqual(['a@1010', 'b@1020', 'c@1030', 'd@1030']);
    expect(clock.now()).toBe(1030);
    expect(timers()).toBe(1);
  });

  it('settles what a timer set going before the next one', async () => {
    const steps: string[] = [];
    const ch = new Chan<number>();
    go(async () => {
      for await (const value of ch) steps.push(`got ${value}@${clock.now()}`);
    });
    for (const at of [1010, 1011, 1012]) Timer.func(clock, at - 1000, () => ch.sendAsync(at));
    await clock.advance(100);
    expect(steps).toEqual(['got 1010@1010', 'got 1011@1011', 'got 1012@1012']);
    ch.close();
    await settled();
  });

  it('waits for what is under way before it moves', async () => {
    const fired: number[] = [];
    go(async () => {
      for (let i = 0; i < 100; i++) await Promise.resolve();
      fired.push(await after(clock, 10).recvAsync());
    });
    await clock.advance(10);
    expect(fired).toEqual([1010]);
  });

  it('fires timers that are set on the way, and those that are due when they are set', async () => {
    const fired: number[] = [];
    const chain = (left: number): void => {
      fired.push(clock.now());
      if (left > 0) clock.setTimer(clock.now() + 10, () => chain(left - 1));
    };
    clock.setTimer(1005, () => chain(3));
    await clock.advance(30);
    expect(fired).toEqual([1005, 1015, 1025]);
    clock.setTimer(500, () => fired.push(clock.now()));
    expect(fired.length).toBe(3);
    await settled();
    expect(fired).toEqual([1005, 1015, 1025, 1030]);
    await clock.advance(10);
  });

  it('never fires what was stopped, also by one due at the same instant', async () => {
    const fired: string[] = [];
    clock.setTimer(1010, () => fired.push(`stopped ${String(late.stop())}`));
    const late = clock.setTimer(1010, () => fired.push('late'));
    const second = clock.setTimer(1010, () => fired.push('second'));
    expect([second.stop(), second.stop()]).toEqual([true, false]);
    await clock.advance(10);
    expect(fired).toEqual(['stopped true']);
  });

  it('is the same clock however often it is attached, and apart from others', async () => {
    const other = new FakeClock();
    const again = FakeClock.attach(clock.handle());
    expect(again).toBe(clock);
    const fired: string[] = [];
    clock.setTimer(1010, () => fired.push('mine'));
    other.setTimer(5, () => fired.push('other'));
    await clock.advance(100);
    expect(fired).toEqual(['mine']);
    await other.advance(100);
    expect(fired).toEqual(['mine', 'other']);
    other.dispose();
  });

  it('takes advances one after the other', async () => {
    const seen: number[] = [];
    clock.setTimer(1010, () => seen.push(clock.now()));
    await Promise.all([clock.advance(5), clock.advance(5), clock.advance(5)]);
    expect([...seen, clock.now()]).toEqual([1010, 1015]);
    await expect(clock.advance(-1)).rejects.toMatchObject({ code: 'ERR_BAD_TIME' });
  });

  it('keeps its order under thousands of timers set and stopped at random', async () => {
    const fired: number[] = [];
    const handles = Array.from({ length: 2000 }, (_, i) => {
      const at = 1000 + ((i * 7919) % 500);
      return { at, timer: clock.setTimer(at, () => fired.push(at)) };
    });
    const left = handles.filter(({ timer }, i) => !(i % 3 === 0 && timer.stop())).map(({ at }) => at);
    await clock.advance(500);
    expect(fired).toEqual(left.sort((a, b) => a - b));
    expect(timers()).toBe(0);
  });

  it('leaves no memory behind', () => {
    const before = arena().liveBlocks;
    for (let i = 0; i < 100; i++) {
      const one = new FakeClock();
      one.setTimer(10, () => undefined);
      one.dispose();
    }
    expect(arena().liveBlocks).toBe(before);
  });
});

describe('the real clock', () => {
  it('goes on, and fires in order', async () => {
    const start = realClock.now();
    const fired: number[] = [];
    const done = new Chan<void>(1, { elem: 'void' });
    realClock.setTimer(start + 4, () => {
      fired.push(2);
      done.trySend();
    });
    realClock.setTimer(start + 2, () => fired.push(1));
    realClock.setTimer(start + 3, () => fired.push(3)).stop();
    await done.recvAsync();
    expect(fired).toEqual([1, 2]);
    expect(realClock.now()).toBeGreaterThanOrEqual(start + 4);
    expect(timers()).toBe(0);
  });

  it('takes delays longer than setTimeout does', () => {
    const timer = realClock.setTimer(realClock.now() + 2 ** 40, () => undefined);
    expect(timer.stop()).toBe(true);
  });
});

describe('Timer', () => {
  it('sends the time once', async () => {
    const c = after(clock, 10);
    expect(c.tryRecv()).toBeUndefined();
    await clock.advance(20);
    expect(c.tryRecv()?.value).toBe(1010);
    expect(c.tryRecv()).toBeUndefined();
  });

  it('leaves nothing in its channel when stopped or reset', async () => {
    const timer = new Timer(clock, 10);
    await clock.advance(10);
    expect(timer.stop()).toBe(true);
    expect(timer.c.tryRecv()).toBeUndefined();
    expect(timer.stop()).toBe(false);
    expect(timer.reset(10)).toBe(false);
    expect(timer.reset(20)).toBe(true);
    await clock.advance(19);
    expect(timer.c.len).toBe(0);
    await clock.advance(1);
    expect(timer.c.tryRecv()?.value).toBe(1030);
  });

  it('runs a function as a goroutine', async () => {
    let ran = 0;
    const timer = Timer.func(clock, 10, () => ran++);
    await clock.advance(10);
    expect(ran).toBe(1);
    timer.reset(10);
    expect(timer.stop()).toBe(true);
    await clock.advance(10);
    expect(ran).toBe(1);
  });

  it('keeps a deadlock from being reported', async () => {
    const slow = runMain(() => after(realClock, 2).recvAsync());
    expect(typeof (await slow)).toBe('number');
    await expect(runMain(() => new Chan<number>().recvAsync())).rejects.toMatchObject({
      code: 'ERR_DEADLOCK',
    });
  });
});

describe('Ticker', () => {
  it('drops ticks for a slow receiver and stays in step', async () => {
    const ticker = new Ticker(clock, 10);
    await clock.advance(35);
    expect(ticker.c.tryRecv()?.value).toBe(1010);
    expect(ticker.c.tryRecv()).toBeUndefined();
    await clock.advance(5);
    expect(ticker.c.tryRecv()?.value).toBe(1040);
    ticker.reset(100);
    await clock.advance(99);
    expect(ticker.c.len).toBe(0);
    await clock.advance(1);
    ticker.stop();
    expect(ticker.c.len).toBe(0);
    await clock.advance(1000);
    expect(ticker.c.len).toBe(0);
    expect(timers()).toBe(0);
  });

  it('skips what a jump of the clock left behind', () => {
    let now = 0;
    let fire: () => void = () => undefined;
    const dues: number[] = [];
    const jumpy: Clock = {
      now: () => now,
      setTimer: (at, callback) => {
        dues.push(at);
        fire = callback;
        return { stop: () => true };
      },
    };
    const ticker = new Ticker(jumpy, 10);
    now = 47;
    fire();
    expect(dues).toEqual([10, 50]);
    ticker.stop();
  });

  it('needs a period', () => {
    for (const period of [0, -1])
      expect(() => new Ticker(clock, period)).toThrow('non-positive interval for NewTicker');
    expect(() => new Ticker(clock, NaN)).toThrow(/must be a number/);
  });

  it('ends when its channel is disposed of', async () => {
    const ticker = new Ticker(clock, 10);
    ticker.c.handle();
    ticker.c.dispose();
    await clock.advance(10);
    expect(timers()).toBe(0);
  });
});

describe('wait', () => {
  it('jitters up to the factor, which is 1 if it is not positive', () => {
    for (let i = 0; i < 100; i++) {
      const [a, b] = [wait.jitter(100, 0.5), wait.jitter(100, 0)];
      expect(a >= 100 && a < 150 && b >= 100 && b < 200).toBe(true);
    }
  });

  it('runs at once, then a period after each end, until the context ends', async () => {
    const [ctx, cancel] = withCancel(background({ clock }));
    const starts: number[] = [];
    const loop = wait.until(
      async () => {
        starts.push(clock.now());
        await after(clock, 5).recvAsync();
      },
      10,
      ctx,
    );
    await clock.advance(45);
    expect(starts).toEqual([1000, 1015, 1030, 1045]);
    cancel();
    // It is never cut short.
    await clock.advance(5);
    await loop;
    expect(starts.length).toBe(4);
    expect(timers()).toBe(0);
  });

  it('counts the period from the start if it does not slide', async () => {
    const [ctx] = withTimeout(background({ clock }), 35);
    const starts: number[] = [];
    const loop = wait.jitterUntil(
      async () => {
        starts.push(clock.now());
        await after(clock, 5).recvAsync();
      },
      10,
      ctx,
      { sliding: false },
    );
    await clock.advance(100);
    await loop;
    expect(starts).toEqual([1000, 1010, 1020, 1030]);
    expect(timers()).toBe(0);
  });

  it('does not run at all for a context that has ended, and ends with what the function throws', async () => {
    const [ctx, cancel] = withCancel(background({ clock }));
    const boom = (): never => {
      throw new Error('boom');
    };
    await expect(wait.until(boom, 10, ctx)).rejects.toThrow('boom');
    await expect(wait.jitterUntil(boom, 10, ctx, { sliding: false })).rejects.toThrow('boom');
    await expect(wait.forever(boom, 10, ctx)).rejects.toThrow('boom');
    expect(timers()).toBe(0);
    cancel();
    await wait.until(boom, 10, ctx);
  });
});
