// Goroutines: the registry, panics, settling, and Go's report when everybody is asleep.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import {
  Chan,
  Cond,
  GoFatal,
  Mutex,
  Once,
  RWMutex,
  WaitGroup,
  go,
  goroutines,
  isSettled,
  onPanic,
  runMain,
  selectAsync,
  settled,
} from '../../src/sync/index.js';

afterEach(() => onPanic(null));

describe('the registry', () => {
  test('has a goroutine from go() to its end, under an id of its own', async () => {
    const gate = new Chan<void>();
    const first = go(() => gate.recvAsync(), 'first');
    const second = go(function second() {
      return gate.recvAsync();
    });
    expect(first.id).toBeLessThan(second.id);
    expect([first.name, second.name, first.status]).toEqual(['first', 'second', 'running']);
    expect(goroutines()).toEqual(expect.arrayContaining([first, second]));
    gate.close();
    await settled();
    expect([first.status, second.status]).toEqual(['done', 'done']);
    expect(goroutines()).not.toContain(first);
  });

  test('a goroutine starts after the code that started it, in order', async () => {
    const log: string[] = [];
    go(() => log.push('a'));
    go(() => log.push('b'));
    log.push('caller');
    await settled();
    expect(log).toEqual(['caller', 'a', 'b']);
  });
});

describe('settled', () => {
  test('waits for chains of wake-ups', async () => {
    const links = Array.from({ length: 50 }, () => new Chan<number>());
    let arrived = -1;
    links.forEach((link, i) => {
      go(async () => {
        const n = await link.recvAsync();
        if (i + 1 < links.length) await links[i + 1].sendAsync(n + 1);
        else arrived = n;
      });
    });
    await settled();
    expect([arrived, isSettled()]).toEqual([-1, true]);
    go(() => links[0].sendAsync(1));
    expect(isSettled()).toBe(false);
    await settled();
    expect(arrived).toBe(50);
  });
});

describe('panics', () => {
  test('go to the handler, with their goroutine, and the others go on', async () => {
    const seen: unknown[] = [];
    onPanic((panic, { name }) => seen.push([(panic as Error).message, name]));
    const ended = new Chan<void>();
    go(() => {
      throw new Error('at once');
    }, 'sync');
    go(async () => {
      await ended.recvAsync();
      throw new Error('later');
    }, 'async');
    ended.close();
    await settled();
    expect(seen).toEqual([
      ['at once', 'sync'],
      ['later', 'async'],
    ]);
    expect(goroutines()).toEqual([]);
  });

  test('without a handler end the process, with the error that was thrown', async () => {
    const sync = new URL('../../src/sync/index.js', import.meta.url).href;
    const program = `
      const { go } = await import(${JSON.stringify(sync)});
      go(async () => { throw new RangeError('nobody caught this'); });
      setTimeout(() => console.log('went on'), 60_000);`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('RangeError: nobody caught this') as string,
    });
  });

  test('a wait group is not done by a panic', async () => {
    onPanic(() => undefined);
    const group = new WaitGroup();
    group.go(() => {
      throw new Error('boom');
    });
    let released = false;
    void group.waitAsync().then(
      () => (released = true),
      () => undefined,
    );
    await settled();
    expect(released).toBe(false);
    group.dispose();
  });
});

describe('runMain', () => {
  test('answers what main returns', async () => {
    const ch = new Chan<number>();
    const answer = await runMain(async () => {
      go(() => ch.sendAsync(42));
      return ch.recvAsync();
    });
    expect(answer).toBe(42);
  });

  test("rejects with main's panic, and with that of another goroutine", async () => {
    await expect(runMain(() => Promise.reject(new Error('main')))).rejects.toThrow('main');
    const never = new Chan<void>();
    const failing = runMain(async () => {
      go(() => {
        throw new Error('other');
      });
      await never.recvAsync();
    });
    await expect(failing).rejects.toThrow('other');
    never.close();
    await settled();
  });

  const held = new Mutex();
  const reading = new RWMutex();
  const counting = new WaitGroup();
  const cond = new Cond(new Mutex());
  const once = new Once();
  const full = new Chan<number>();
  counting.add(1);

  const SLEEPS: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['chan receive', () => full.recvAsync()],
    ['chan send', () => new Chan<number>().sendAsync(1)],
    ['chan receive (nil chan)', () => Chan.nil().recvAsync()],
    ['chan send (nil chan)', () => Chan.nil<number>().sendAsync(1)],
    ['select', () => selectAsync([])],
    ['sync.Mutex.Lock', () => held.lockAsync().then(() => held.lockAsync())],
    ['sync.RWMutex.RLock', () => reading.lockAsync().then(() => reading.rLockAsync())],
    ['sync.RWMutex.Lock', () => reading.lockAsync()],
    ['sync.WaitGroup.Wait', () => counting.waitAsync()],
    ['sync.Cond.Wait', () => cond.l.lockAsync().then(() => cond.waitAsync())],
    ['sync.Once.Do', () => once.doAsync(() => once.doAsync(() => undefined))],
  ];

  test.each(SLEEPS)('reports a deadlock: %s', async (reason, sleep) => {
    const before = goroutines().length;
    const error = await runMain(sleep).then(
      () => expect.unreachable(),
      (thrown: GoFatal & { report: string }) => thrown,
    );
    expect(error).toBeInstanceOf(GoFatal);
    expect(error).toMatchObject({
      code: 'ERR_DEADLOCK',
      message: 'all goroutines are asleep - deadlock!',
    });
    const lines = error.report.split('\n');
    expect(lines.slice(0, 2)).toEqual(['fatal error: all goroutines are asleep - deadlock!', '']);
    expect(lines.at(-1)).toMatch(/^goroutine \d+ \[.*\]: main$/);
    expect(lines.at(-1)).toContain(`[${reason}]`);
    // Those of the reports before still sleep, for ever.
    expect(lines.length - 2).toBe(before + 1);
  });

  test('does not report while somebody can still run', async () => {
    const ch = new Chan<string>();
    const result = await runMain(async () => {
      go(async () => {
        for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
        await ch.sendAsync('late');
      });
      return ch.recvAsync();
    });
    expect(result).toBe('late');
  });
});
