/** The thread of one task: see on-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Assignment } from './on-thread.js';

const { module, task, args } = workerData as Assignment;
const tasks = (await import(module)) as Record<string, (args: unknown) => unknown>;
parentPort?.postMessage(await tasks[task](args));
