// A process of its own with a small arena: fills it in the way it is told, and prints what happened as JSON.

import {
  Chan,
  Mutex,
  RWMutex,
  arena,
  openArena,
  recvFrom,
  selectAsync,
  sendTo,
  settled,
} from '../../src/sync/index.js';

const LEAST = 128 * 1024;

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

openArena({ bytes: LEAST + 64 * 1024, maxValueBytes: 4096 });

/** Values, until there is no room; everything that went in comes out whole, and then there is room again. */
async function values(): Promise<unknown> {
  const ch = new Chan<string>(4096);
  ch.handle();
  const text = (i: number): string => `${i}:`.padEnd(200, 'x');
  const seen: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    let sent = 0;
    while ((await codeOf(() => ch.trySend(text(sent)))) === 'done') sent++;
    const codes = [
      await codeOf(() => ch.trySend(text(0))),
      await codeOf(() => ch.sendAsync(text(0))),
      await codeOf(() => selectAsync([sendTo(ch, text(0))])),
    ];
    let whole = 0;
    for (let i = 0; i < sent; i++) if (ch.tryRecv()?.value === text(i)) whole++;
    seen.push({ sent: sent > 50, whole: whole === sent, left: ch.len, codes });
  }
  ch.dispose();
  return seen;
}

/** Primitives, until there is no room: those that could not be shared go on as local ones, sleepers and all. */
async function primitives(): Promise<unknown> {
  const made: Mutex[] = [];
  for (;;) {
    const mutex = new Mutex();
    if ((await codeOf(() => mutex.handle())) !== 'done') break;
    made.push(mutex);
  }
  const log: string[] = [];
  const mutex = new Mutex();
  await mutex.lockAsync();
  for (const name of ['a', 'b']) void mutex.lockAsync().then(() => log.push(name));
  const ch = new Chan<string>(1);
  ch.trySend('kept');
  void ch.sendAsync('waits').then(() => log.push('sent'));
  const live = arena().liveBlocks;
  const codes = [await codeOf(() => mutex.handle()), await codeOf(() => ch.handle())];
  // This makes room for the lock, but none for those who wait at it.
  made.pop()?.dispose();
  codes.push(await codeOf(() => mutex.handle()));
  const lost = arena().liveBlocks - (live - 1);
  mutex.unlock();
  await settled();
  mutex.unlock();
  await settled();
  const values = [ch.tryRecv()?.value, ch.tryRecv()?.value];
  await settled();
  for (const one of made) one.dispose();
  const again = await codeOf(() => new Mutex().handle());
  return { codes, lost, log, values, again };
}

/** Nobody can wait without a place: the waiter gets the error, the lock goes on as if it had not come. */
async function places(): Promise<unknown> {
  const mutex = new Mutex();
  const rw = new RWMutex();
  const text = 'x'.repeat(2000);
  const empty = new Chan<number>(0, { elem: 'number' });
  const any = new Chan<string>();
  for (const one of [mutex, rw, empty, any]) one.handle();
  await mutex.lockAsync();
  await rw.rLockAsync();
  // Leaves this thread with a few places, which it keeps for reuse.
  const early = [1, 2, 3, 4].map(() => empty.recvAsync());
  while (empty.trySend(1));
  await Promise.all(early);
  const fill = new Chan<string>(4096);
  fill.handle();
  // Payloads of the smallest size leave no room for a place either.
  for (const size of [2000, 500, 100, 1]) {
    while ((await codeOf(() => fill.trySend('x'.repeat(size)))) === 'done');
  }
  // Now those are used up.
  const parked: Promise<string>[] = [];
  let full = '';
  while (full === '') {
    parked.push(codeOf(() => empty.recvAsync()).then((code) => (full = code)));
    await turn();
  }
  // Room for one value, but for no place.
  fill.tryRecv();
  const live = arena().liveBlocks;
  const codes = [
    full,
    await codeOf(() => mutex.lockAsync()),
    await codeOf(() => rw.lockAsync()),
    await codeOf(() => any.recvAsync()),
    await codeOf(() => any.sendAsync(text)),
    await codeOf(() => selectAsync([recvFrom(any)])),
  ];
  const readersStillEnter = rw.tryRLock();
  const lost = arena().liveBlocks - live;
  empty.close();
  await Promise.all(parked);
  fill.dispose();
  mutex.unlock();
  rw.rUnlock();
  rw.rUnlock();
  const free = [mutex.tryLock(), rw.tryLock(), any.trySend(text)];
  const waiting = any.recvAsync();
  const sent = any.trySend(text);
  return { codes, readersStillEnter, lost, free, sent, got: (await waiting) === text };
}

const stories: Record<string, () => Promise<unknown>> = { values, primitives, places };
process.stdout.write(JSON.stringify(await stories[process.argv[2]]()));
