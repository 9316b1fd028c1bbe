import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { ControlLink, isThreadDied } from '../../src/runtime/index.js';
import { hostOf, startLogged } from './fixture.js';

function pair(): [ControlLink, ControlLink] {
  const { port1, port2 } = new MessageChannel();
  return [new ControlLink(port1, 'b'), new ControlLink(port2, 'a')];
}

describe('control link', () => {
  test('calls go both ways on one port', async () => {
    const [a, b] = pair();
    a.handle('double', (n: number) => n * 2);
    b.handle('viaA', async (n: number) => ((await b.call('double', n)) as number) + 1);
    expect(await a.call('viaA', 20)).toBe(41);
    a.close();
    await Promise.all([a.closed, b.closed]);
  });

  test('an error keeps its code and cause', async () => {
    const { supervisor } = await startLogged();
    const { control } = hostOf(supervisor);
    await expect(control.call('fail')).rejects.toMatchObject({
      name: 'RangeError',
      message: 'no such pod',
      code: 'ERR_NO_SUCH_POD',
      cause: { message: 'inner', code: 'ERR_INNER' },
    });
    await expect(control.call('noSuchMethod')).rejects.toMatchObject({ code: 'ERR_UNKNOWN_METHOD' });
    await expect(control.call('unclonable')).rejects.toMatchObject({ code: 'ERR_NOT_TRANSFERABLE' });
    await expect(control.call('place', () => undefined)).rejects.toMatchObject({
      code: 'ERR_NOT_TRANSFERABLE',
    });
    expect(await control.call('place')).toEqual([0, 1, 1]);
  });

  test('the host may ask main', async () => {
    const { supervisor } = await startLogged({
      onHostUp: (host) => host.control.handle('podStatus', (uid: string) => `status of ${uid}`),
    });
    expect(await hostOf(supervisor).control.call('askMain', 'podStatus', 'u1')).toBe('status of u1');
  });

  test('calls in flight and later ones to a dead thread reject', async () => {
    const { supervisor, after } = await startLogged();
    const host = hostOf(supervisor);
    const inFlight = Array.from({ length: 10 }, () => host.control.call('never'));
    const outcome = Promise.allSettled(inFlight);
    host.kill();
    for (const result of await outcome) {
      expect(result.status).toBe('rejected');
      if (result.status === 'rejected') expect(isThreadDied(result.reason)).toBe(true);
    }
    await after(host);
    await expect(host.control.call('place')).rejects.toMatchObject({ code: 'ERR_THREAD_DIED' });
  });

  test('faults are refused unless asked for', async () => {
    const { supervisor } = await startLogged({ faults: false });
    await expect(hostOf(supervisor).fault({ kind: 'exit', code: 1 })).rejects.toMatchObject({
      code: 'ERR_FAULTS_OFF',
    });
  });

  test('stats and goroutines of a host', async () => {
    const { supervisor } = await startLogged();
    const host = hostOf(supervisor);
    expect(await host.stats()).toMatchObject({
      index: 0,
      incarnation: 1,
      threadId: host.threadId,
      slot: host.slot,
      goroutines: 0,
      mailbox: { waiting: 0 },
    });
    await host.control.call('spawn', 'sleeper');
    expect(await host.goroutines()).toMatchObject([{ name: 'sleeper', status: 'running' }]);
  });
});
