// Starts lockers and talks to them.

import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterEach } from 'vitest';
import type { LockerData, Reply, Step } from './locker.js';

export class Locker {
  readonly worker: Worker;

  constructor(by: LockerData['by'] = 'enableChecks', options: WorkerOptions = {}) {
    this.worker = new Worker(new URL('./locker.js', import.meta.url), { ...options, workerData: { by } });
  }

  /** Sends the steps; resolves with the first reply. */
  async do(...steps: Step[]): Promise<Reply> {
    this.worker.postMessage(steps);
    return this.reply();
  }

  async reply(): Promise<Reply> {
    const [reply] = (await once(this.worker, 'message')) as [Reply];
    return reply;
  }
}

/** Lockers that end with the test. */
export function lockers(): (...args: ConstructorParameters<typeof Locker>) => Locker {
  const running: Locker[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((locker) => locker.worker.terminate()));
  });
  return (...args) => {
    const locker = new Locker(...args);
    running.push(locker);
    return locker;
  };
}
