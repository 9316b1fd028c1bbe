import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { wrongNode } from './support/node-major.js';

describe('the Node under test', () => {
  it('is the expected one in the test process', () => {
    expect(wrongNode(process.version)).toBeUndefined();
  });

  it('is the same one in a worker thread', async () => {
    const worker = new Worker("require('node:worker_threads').parentPort.postMessage(process.version)", {
      eval: true,
    });
    const exited = once(worker, 'exit');
    const [version] = (await once(worker, 'message')) as [string];
    await exited;
    expect(version).toBe(process.version);
  });

  it('is told apart from another by its major', () => {
    expect(wrongNode('v20.18.1', '20')).toBeUndefined();
    expect(wrongNode('v24.9.0', undefined)).toBeUndefined();
    expect(wrongNode('v20.20.2', '24')).toMatch(/but PODLOOM_EXPECT_NODE_MAJOR is 24/);
    expect(wrongNode('v18.20.0', undefined)).toMatch(/needs 20 or newer/);
  });
});
