// A thread of the demo that `npm start` shows.
import { workerData } from 'node:worker_threads';
import { type DemoThread, runDemoThread } from '../src/cli/demo-thread.js';

runDemoThread(workerData as DemoThread);
