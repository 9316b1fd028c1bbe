/** A worker thread of the go runner: hosts scripted goroutines (async forms), or is one (blocking forms). */
import { workerData } from 'node:worker_threads';
import { Chan, FakeClock, go, onPanic, openDedicated, realClock } from '../../../src/sync/index.js';
import { DedicatedThread } from './dedicated-thread.js';
import { HostThread } from './host-thread.js';
import { crashReport } from './panics.js';
import { fromPlain } from './plain-handle.js';
import type { Message, ThreadData } from './thread-link.js';
import type { Report } from './world.js';

const { form, control, results, counters } = workerData as ThreadData;
const messages = Chan.attach<Message>(control);
const reports = Chan.attach<Report>(results);

function report(one: Report): void {
  if (!reports.trySend(one)) throw new Error('the driver does not take its reports');
}

const always = { counters, report };

/** What is the same on every thread of a case. */
export type Common = ReturnType<typeof common>;

function common({ clock, start }: Extract<Message, { is: 'open' }>) {
  return { ...always, clock: clock === null ? realClock : FakeClock.attach(fromPlain(clock)), start };
}

if (form === 'async') {
  const host = new HostThread(common);
  onPanic((panic, goroutine) => report(crashReport(panic, goroutine.name)));
  go(async () => {
    for await (const message of messages) host.take(message);
  }, 'control');
} else {
  const dedicated = new DedicatedThread(common);
  openDedicated();
  for (const message of messages) dedicated.take(message);
}
