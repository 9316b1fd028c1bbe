import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/runtime/index.js';
import { Supervisor } from '../../src/runtime/index.js';
import { parker } from '../../src/sync/parker.js';
import { FIXTURE_HOST, hostOf, startLogged } from './fixture.js';

describe('start', () => {
  test('resolves when every place has a ready host, each on a thread of its own', async () => {
    const { supervisor, log } = await startLogged({ threads: 3 });
    expect([...log].sort()).toEqual(['up 0.1', 'up 1.1', 'up 2.1']);
    const hosts = [0, 1, 2].map((index) => hostOf(supervisor, index));
    expect(new Set(hosts.map((host) => host.threadId)).size).toBe(3);
    expect(new Set(hosts.map((host) => host.slot)).size).toBe(3);
    const places = await Promise.all(hosts.map((host) => host.control.call('place')));
    expect(places).toEqual([0, 1, 2].map((index) => [index, 1, 3]));
  });

  test('a host that cannot start is tried again and then is an error, with nothing left running', async () => {
    const failures: string[] = [];
    const pauses: number[] = [];
    const supervisor = new Supervisor({
      threads: 2,
      hostModule: new URL('./no-such-module.js', import.meta.url),
      bootAttempts: 3,
      backoff: (count) => (pauses.push(count), 1),
      onBootFailure: (index, _error, count) => failures.push(`${index}#${count}`),
    });
    await expect(supervisor.start()).rejects.toMatchObject({
      code: 'ERR_HOST_BOOT',
      cause: { code: 'ERR_MODULE_NOT_FOUND' },
    });
    expect(failures.filter((failure) => failure.endsWith('#3')).length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThanOrEqual(6);
    expect(pauses).toContain(2);
    await expect(supervisor.start()).rejects.toMatchObject({ code: 'ERR_SUPERVISOR_STATE' });
  });

  test.each([
    ['throws in main', { failUntil: { word: new SharedArrayBuffer(4), attempts: 100 } }, 'ERR_FIXTURE'],
    ['exits in main', { exitInMain: 3 }, 'ERR_THREAD_DIED'],
  ])('a host that %s is a failed start', async (_name, data, code) => {
    const supervisor = new Supervisor({
      threads: 1,
      hostModule: FIXTURE_HOST,
      bootAttempts: 2,
      backoff: () => 0,
      data,
    });
    await expect(supervisor.start()).rejects.toMatchObject({ code: 'ERR_HOST_BOOT', cause: { code } });
  });

  test('threads that die before piscina has them up do not hang it', async () => {
    const supervisor = new Supervisor({
      threads: 2,
      hostModule: FIXTURE_HOST,
      bootAttempts: 4,
      backoff: () => 0,
      // Not piscina's code fails, nor ours, but the start of the thread.
      execArgv: ['--require', './no-such-preload.cjs'],
    });
    await expect(supervisor.start()).rejects.toMatchObject({
      code: 'ERR_HOST_BOOT',
      message: expect.stringContaining('no-such-preload') as string,
    });
  });

  test('a host that starts at the third attempt is up', async () => {
    const word = new SharedArrayBuffer(4);
    const { supervisor, log } = await startLogged({ data: { failUntil: { word, attempts: 3 } } });
    expect(log).toEqual(['up 0.3']);
    expect(hostOf(supervisor).incarnation).toBe(3);
  });

  test('bad options are refused at the door', () => {
    for (const threads of [0, -1, 1.5, 1000, NaN]) {
      expect(() => new Supervisor({ threads, hostModule: FIXTURE_HOST })).toThrow(/threads must be/);
    }
  });
});

describe('death', () => {
  const faults: [string, Fault, object][] = [
    [
      'throw',
      { kind: 'throw', message: 'boom' },
      { kind: 'error', error: { message: 'boom', code: 'ERR_INJECTED' } },
    ],
    [
      'unhandled rejection',
      { kind: 'reject', message: 'ouch' },
      { kind: 'error', error: { message: 'ouch' } },
    ],
    ['process.exit', { kind: 'exit', code: 3 }, { kind: 'exit', code: 3 }],
    ['process.exit(0)', { kind: 'exit', code: 0 }, { kind: 'exit', code: 0 }],
    [
      'out of memory',
      { kind: 'oom' },
      { kind: 'out-of-memory', error: { code: 'ERR_WORKER_OUT_OF_MEMORY' } },
    ],
  ];

  test.each(faults)('by %s: replaced, callbacks in order, others untouched', async (_name, fault, end) => {
    const { supervisor, log, ends, after } = await startLogged({
      threads: 2,
      resourceLimits: { maxOldGenerationSizeMb: 48 },
    });
    const first = hostOf(supervisor, 1);
    const other = hostOf(supervisor, 0);
    log.length = 0;
    await first.fault(fault);
    const second = await after(first);
    expect(log).toEqual([`down 1.1 ${ends[0].kind}`, 'up 1.2']);
    expect(ends[0]).toMatchObject(end);
    expect(second.threadId).not.toBe(first.threadId);
    expect(await second.control.call('place')).toEqual([1, 2, 2]);
    expect(hostOf(supervisor, 0)).toBe(other);
    await expect(first.stats()).rejects.toMatchObject({ code: 'ERR_THREAD_DIED' });
  });

  test('by kill, even of a thread that never yields', async () => {
    const { supervisor, log, ends, after } = await startLogged();
    const first = hostOf(supervisor);
    await first.fault({ kind: 'spin' });
    expect(supervisor.kill(0, 'stuck')).toBe(true);
    await after(first);
    expect(log).toEqual(['up 0.1', 'down 0.1 killed', 'up 0.2']);
    expect(ends[0]).toEqual({ kind: 'killed', why: 'stuck' });
  });

  test('again and again: every time replaced', async () => {
    const { supervisor, log, after } = await startLogged();
    for (let round = 1; round <= 5; round++) {
      const host = hostOf(supervisor);
      expect(host.incarnation).toBe(round);
      const next = after(host);
      if (round % 2 === 0) host.kill();
      else await host.fault({ kind: 'exit', code: round });
      await next;
    }
    expect(log.filter((line) => line.startsWith('up')).length).toBe(6);
  });

  test.each(['exit', 'throw'] as const)(
    'mail posted before a death by %s comes before onHostDown',
    async (end) => {
      for (let round = 0; round < 5; round++) {
        const got: string[] = [];
        let atDown = -1;
        const { supervisor, after } = await startLogged({
          credits: 1000,
          onHostUp: (host) => host.mailbox.onMail((text) => void got.push(text)),
          onHostDown: (host) => {
            if (host.incarnation === 1) atDown = got.length;
          },
        });
        const host = hostOf(supervisor);
        const next = after(host);
        await host.control.call('postAll', 500, end);
        await next;
        expect(atDown).toBe(500);
        expect(got).toEqual(Array.from({ length: 500 }, (_, i) => String(i)));
        await supervisor.stop();
      }
    },
  );

  test('of a host that posts while starting and exits as soon as it is up: nothing is lost', async () => {
    const got: string[] = [];
    const log: string[] = [];
    let enough!: () => void;
    const three = new Promise<void>((resolve) => (enough = resolve));
    const { supervisor } = await startLogged({
      data: { postAndExit: 20 },
      onHostUp: (host) => host.mailbox.onMail((text) => void got.push(`${host.incarnation}:${text}`)),
      onHostDown: (host, end) => {
        log.push(`${host.incarnation} ${end.kind} after ${got.length}`);
        if (log.length === 3) enough();
      },
    });
    await three;
    await supervisor.stop();
    expect(log.slice(0, 3)).toEqual(['1 exit after 20', '2 exit after 40', '3 exit after 60']);
  });
});

describe('messages and death', () => {
  test('mail that was sent but never rung for arrives before onHostDown', async () => {
    const got: string[] = [];
    let atDown = -1;
    const { supervisor, after } = await startLogged({
      credits: 1000,
      onHostUp: (host) => {
        host.mailbox.onMail((text) => void got.push(text));
        // As if the thread died between sending and ringing: nobody hears it.
        if (host.incarnation === 1) parker().mailListeners.clear();
      },
      onHostDown: (host) => {
        if (host.incarnation === 1) atDown = got.length;
      },
    });
    const host = hostOf(supervisor);
    const next = after(host);
    await host.control.call('postAll', 500, 'exit');
    await next;
    expect(atDown).toBe(500);
  });

  test('a host that was ready, posted and exited while main was blocked was up, and its mail arrives', async () => {
    const exitWord = new Int32Array(new SharedArrayBuffer(4));
    const log: string[] = [];
    let got = 0;
    let isDown!: () => void;
    const down = new Promise<void>((resolve) => (isDown = resolve));
    const started = startLogged({
      data: { postAndExit: 20, exitWord: exitWord.buffer },
      onHostUp: (host) => {
        if (host.incarnation > 1) return;
        log.push('up');
        host.mailbox.onMail(() => void got++);
      },
      onHostDown: (host, end) => {
        if (host.incarnation > 1) return;
        log.push(`${end.kind} after ${got}`);
        isDown();
      },
    });
    expect(Atomics.wait(exitWord, 0, 0, 60_000)).not.toBe('timed-out');
    const { supervisor } = await started;
    await down;
    await supervisor.stop();
    expect(log).toEqual(['up', 'exit after 20']);
  });
});

describe('the end', () => {
  test('stop ends hosts in order, in every state, and can be called twice', async () => {
    const { supervisor, log, ends } = await startLogged({ threads: 2 });
    await Promise.all([supervisor.stop(), supervisor.stop()]);
    expect([...log].sort()).toEqual(['down 0.1 stopped', 'down 1.1 stopped', 'up 0.1', 'up 1.1']);
    expect(ends).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
    expect(supervisor.hosts).toEqual([null, null]);
    await expect(supervisor.drain()).rejects.toMatchObject({ code: 'ERR_SUPERVISOR_STATE' });
  });

  test('stop kills a host that does not end', async () => {
    const { supervisor, log } = await startLogged({ stopTimeoutMs: 20 });
    await hostOf(supervisor).fault({ kind: 'spin' });
    await supervisor.stop();
    expect(log).toEqual(['up 0.1', 'down 0.1 killed']);
  });

  test('stop during start rejects start and leaves nothing', async () => {
    const supervisor = new Supervisor({ threads: 2, hostModule: FIXTURE_HOST });
    const started = supervisor.start();
    const stopped = supervisor.stop();
    await expect(started).rejects.toMatchObject({ code: 'ERR_SUPERVISOR_STATE' });
    await stopped;
  });

  test('stop before start is allowed, start after it is not', async () => {
    const supervisor = new Supervisor({ threads: 1, hostModule: FIXTURE_HOST });
    await supervisor.stop();
    await expect(supervisor.start()).rejects.toMatchObject({ code: 'ERR_SUPERVISOR_STATE' });
  });

  test('drain waits for what was begun, and passes from a dead host to its replacement', async () => {
    const { supervisor, log, after } = await startLogged();
    const host = hostOf(supervisor);
    await host.fault({ kind: 'exit', code: 1 });
    const drained = supervisor.drain();
    await after(host);
    await drained;
    expect(log.at(-1)).toBe('up 0.2');
  });
});
