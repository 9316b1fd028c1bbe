// A thread of a Crew: runs what it is told, one report an order.

import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../src/observe/errors.js';
import { openDedicated } from '../../src/sync/index.js';
import type { CrewOrder, CrewReport } from './crew.js';

if ((workerData as { dedicated: boolean }).dedicated) openDedicated();

async function obey({ id, module, task, args }: CrewOrder): Promise<CrewReport> {
  try {
    const tasks = (await import(module)) as Record<string, (args: unknown) => unknown>;
    return { id, value: await tasks[task](args) };
  } catch (error) {
    return { id, error: toWireError(error) };
  }
}

parentPort?.on('message', (order: CrewOrder) => {
  void obey(order).then((report) => parentPort?.postMessage(report));
});
