import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Chan, RWMutex } from '../../src/sync/index.js';

describe('a blocked thread takes over what was granted to a goroutine of its own', () => {
  it.each([
    ['write', 'write'],
    ['write', 'read'],
    ['read', 'write'],
    ['read', 'read'],
  ] as const)('RWMutex: the goroutine waits to %s, the thread to %s', async (goroutine, thread) => {
    const lock = new RWMutex();
    const queued = new Chan<string>();
    await lock.lockAsync();
    const worker = new Worker(new URL('./fixtures/provisional-worker.js', import.meta.url), {
      workerData: { lock: lock.handle(), queued: queued.handle(), goroutine, thread },
    });
    const seen = new Promise<string[]>((resolve) => worker.once('message', resolve));
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    await queued.recvAsync();
    lock.unlock();
    expect(await seen).toEqual(['thread', 'goroutine']);
    await exited;
    expect(lock.tryLock()).toBe(true);
    lock.dispose();
    queued.dispose();
  });
});
