import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { type Host, Mailbox, mailboxMemory } from '../../src/runtime/index.js';
import { isSettled, settled } from '../../src/sync/index.js';
import { parker } from '../../src/sync/parker.js';
import { hostOf, startLogged } from './fixture.js';

const count = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));

/** Both ends on this thread. */
function pair(credits: number, maxWaiting?: number): [Mailbox, Mailbox] {
  const { port1, port2 } = new MessageChannel();
  const shared = {
    memory: mailboxMemory(credits),
    peer: parker().slot,
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  };
  return [
    new Mailbox({ ...shared, port: port1, side: 'main' }),
    new Mailbox({ ...shared, port: port2, side: 'thread' }),
  ];
}

async function hangUp(...mailboxes: Mailbox[]): Promise<void> {
  for (const mailbox of mailboxes) mailbox.close();
  await Promise.all(mailboxes.map((mailbox) => mailbox.closed));
}

/** The host's thread sleeps until the answer is called. */
async function putToSleep(host: Host): Promise<() => void> {
  const words = new Int32Array(new SharedArrayBuffer(8));
  await host.control.call('sleep', words.buffer);
  await Atomics.waitAsync(words, 1, 0).value;
  return () => {
    Atomics.store(words, 0, 1);
    Atomics.notify(words, 0);
  };
}

describe('mailbox', () => {
  test.each([1, 7, 256])('10,000 posts each way arrive in order with %i credits', async (credits) => {
    const got: string[] = [];
    let all!: () => void;
    const done = new Promise<void>((resolve) => (all = resolve));
    const { supervisor } = await startLogged({
      credits,
      onHostUp: (host) =>
        host.mailbox.onMail((text) => {
          if (got.push(text) === 10_000) all();
        }),
    });
    const { mailbox } = hostOf(supervisor);
    for (const text of count(10_000)) mailbox.post(text);
    await mailbox.flushed();
    await done;
    expect(got).toEqual(count(10_000));
    expect(mailbox.stats()).toMatchObject({ sent: 10_000, received: 10_000, waiting: 0, replaced: 0 });
  });

  test('a burst to a sleeping thread rings once and is taken in one go', async () => {
    const { supervisor } = await startLogged({ credits: 1000 });
    const host = hostOf(supervisor);
    await host.control.call('silence');
    const before = (await host.stats()).mailbox;
    const wake = await putToSleep(host);
    for (const text of count(1000)) host.mailbox.post(text);
    expect(host.mailbox.stats()).toMatchObject({ sent: 1000, rings: 1, credits: 0 });
    wake();
    await settled();
    const after = (await host.stats()).mailbox;
    expect(after.received - before.received).toBe(1000);
    expect(after.drains - before.drains).toBe(1);
    expect(host.mailbox.stats().credits).toBe(1000);
  });

  test('without credits the newest payload of each key is kept, in the place of the first', async () => {
    const { supervisor } = await startLogged({ credits: 2 });
    const host = hostOf(supervisor);
    await host.control.call('silence');
    const wake = await putToSleep(host);
    const { mailbox } = host;
    mailbox.post('a1', 'a');
    mailbox.post('b1', 'b');
    for (let i = 2; i <= 1000; i++) {
      mailbox.post(`a${i}`, 'a');
      mailbox.post(`b${i}`, 'b');
      mailbox.post(`c${i}`, 7);
    }
    mailbox.post('plain');
    mailbox.post('a1001', 'a');
    expect(mailbox.stats()).toMatchObject({ sent: 2, waiting: 4, credits: 0 });
    wake();
    await mailbox.flushed();
    await settled();
    expect(await host.control.call('received')).toEqual([
      ['a1', 'a'],
      ['b1', 'b'],
      ['a1001', 'a'],
      ['b1000', 'b'],
      ['c1000', 7],
      ['plain', null],
    ]);
    expect(mailbox.stats()).toMatchObject({ waiting: 0, credits: 2, lost: 0 });
  });

  test('the same from the thread to main', async () => {
    const got: string[] = [];
    const { supervisor } = await startLogged({ credits: 1 });
    const host = hostOf(supervisor);
    await host.control.call('postKeyed', 'k', count(50));
    expect((await host.stats()).mailbox).toMatchObject({ sent: 1, replaced: 48, waiting: 1 });
    host.mailbox.onMail((text) => void got.push(text));
    await settled();
    expect(got).toEqual(['0', '49']);
  });

  test('posts without a key are refused beyond the limit, and the mailbox goes on', async () => {
    const [a, b] = pair(1, 3);
    for (const text of count(4)) a.post(text);
    expect(() => a.post('x')).toThrow(expect.objectContaining({ code: 'ERR_MAILBOX_FULL' }));
    a.post('keyed', 'k');
    const got: string[] = [];
    b.onMail((text) => void got.push(text));
    await a.flushed();
    await settled();
    expect(got).toEqual(['0', '1', '2', '3', 'keyed']);
    await hangUp(a, b);
  });

  test('mail waits for its handler, and counts as pending until it is handled', async () => {
    const [a, b] = pair(10);
    a.post('early');
    expect(isSettled()).toBe(false);
    const got: string[] = [];
    b.onMail((text) => void got.push(text));
    expect(got).toEqual([]);
    await settled();
    expect(got).toEqual(['early']);
    await hangUp(a, b);
  });

  test('what was sent before hanging up arrives; what is posted later is lost and says so', async () => {
    const [a, b] = pair(10);
    const got: string[] = [];
    b.onMail((text) => void got.push(text));
    for (const text of count(5)) a.post(text);
    a.close();
    await b.closed;
    await a.closed;
    expect(got).toEqual(count(5));
    expect(b.post('into the void')).toBe(false);
    expect(b.stats().lost).toBe(1);
    await settled();
  });

  test('flushed() does not wait for a dead end', async () => {
    const [a, b] = pair(1);
    a.post('0');
    a.post('1');
    const flushed = a.flushed();
    b.close();
    await flushed;
    await a.closed;
    expect(a.stats()).toMatchObject({ waiting: 0, lost: 1 });
    await settled();
  });

  test('settled() waits for mail to and from threads, every time', async () => {
    const got: string[] = [];
    const { supervisor } = await startLogged({
      threads: 2,
      credits: 3,
      onHostUp: (host) => host.mailbox.onMail((text) => void got.push(text)),
    });
    await settled();
    for (let round = 1; round <= 200; round++) {
      for (const index of [0, 1]) for (let i = 0; i < 5; i++) hostOf(supervisor, index).mailbox.post('x');
      await settled();
      expect(got.length).toBe(round * 10);
    }
  });

  test('an error of the handler is an uncaught one and takes no other mail with it', async () => {
    const [a, b] = pair(10);
    const uncaught: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => uncaught.push(error));
    const got: string[] = [];
    b.onMail((text) => {
      if (text === '1') throw new Error('bad mail');
      got.push(text);
    });
    for (const text of count(3)) a.post(text);
    await settled();
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(got).toEqual(['0', '2']);
    expect(uncaught).toMatchObject([{ message: 'bad mail' }]);
    await hangUp(a, b);
  });

  test('credits are checked at the door', () => {
    for (const credits of [0, -1, 1.5, 2 ** 21])
      expect(() => mailboxMemory(credits)).toThrow(/credits must be/);
  });
});
