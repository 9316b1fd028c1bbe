/**
 * Runs a benchmark's task on a thread of its own.
 *
 * A fresh thread has a fresh isolate: nothing that ran before has shaped the code it measures. And it may block.
 */
import { Worker } from 'node:worker_threads';

export interface Assignment {
  /** URL of the module, name of the exported task. */
  readonly module: string;
  readonly task: string;
  readonly args: unknown;
}

const entry = new URL('./thread.js', import.meta.url);

/** `module` exports `task`, a function of one cloneable argument; resolves to what it answers. */
export function onThread<T>(module: string, task: string, args: unknown): Promise<T> {
  const assignment: Assignment = { module, task, args };
  const worker = new Worker(entry, { workerData: assignment });
  return new Promise<T>((resolve, reject) => {
    let answer: { readonly value: T } | null = null;
    worker.once('message', (value: T) => (answer = { value }));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (answer !== null) resolve(answer.value);
      else reject(new Error(`the thread for ${task} ended with exit code ${code} and no answer`));
    });
  });
}
