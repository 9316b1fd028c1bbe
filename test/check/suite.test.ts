import { afterEach, describe, expect, it } from 'vitest';
import { checks, disableChecks, enableChecks } from '../../src/check/index.js';
import { Mutex } from '../../src/sync/index.js';
import { lockers } from './threads/start.js';

// What vitest.config.mjs promises of every test file.
describe.skipIf(process.env.PODLOOM_CHECK !== '1')('the suite', () => {
  const locker = lockers();

  afterEach(() => {
    enableChecks();
  });

  it('runs with the checks of the project on, on all threads', async () => {
    expect(checks()?.rules.ranks?.isBefore('tableIndex', 'podSlot')).toBe(true);
    const locks = ['podSlot', 'tableIndex'].map((rank) => new Mutex({ rank }));
    const [slot, index] = locks.map((lock) => lock.handle());
    const thread = locker('import');
    expect(await thread.do(['on?'])).toBe('on');
    expect(await thread.reply()).toBe('done');
    expect(await thread.do(['lock', slot], ['lock', index])).toMatchObject({ code: 'ERR_LOCK_RANK' });
    for (const lock of locks) lock.dispose();
  });

  it('lets a rank be used that only a test knows', () => {
    const lock = new Mutex({ rank: 'only here' });
    lock.lock();
    lock.unlock();
    lock.dispose();
  });

  it('can be without, threads included', async () => {
    disableChecks();
    const thread = locker('import');
    expect(await thread.do(['on?'])).toBe('off');
  });
});
