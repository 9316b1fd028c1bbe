/**
 * The pod table with 10,000 pods: what a look-up, a version and a pod's coming and going cost, beside a Map of the
 * same uids. A Map knows one thread only; it is what the table is measured against, not what could replace it.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { VersionTable, type VersionTableHandle } from '../src/table/index.js';
import { type Effort, type Loop, compare, measure, summarize } from './measure.js';
import { onThread } from './on-thread.js';
import type { Bench, Result, Suite } from './result.js';

const PODS = 10_000;
const BASE = 'table.map-get';

/** Flat strings, as JSON.parse makes them: randomUUID's are concatenations, and dear to look into. */
function uids(count: number): string[] {
  return JSON.parse(JSON.stringify(Array.from({ length: count }, () => randomUUID()))) as string[];
}

/** `each` for one uid after the other, far enough apart that neighbours in memory do not help. */
function over(all: readonly string[], each: (uid: string, i: number) => void): Loop {
  let i = 0;
  return (times) => {
    for (let n = 0; n < times; n++) {
      i += 7919;
      if (i >= all.length) i %= all.length;
      each(all[i], i);
    }
  };
}

export function onWriterThread(effort: Effort): Promise<Record<string, number[]>> {
  const table = VersionTable.create({ maxPods: PODS });
  const known = uids(PODS);
  const strangers = uids(PODS);
  const slots = known.map((uid) => table.acquire(uid));
  const map = new Map(known.map((uid, i) => [uid, i]));
  let version = 0;
  let sum = 0;
  return measure(
    {
      base: over(known, (uid) => (sum ^= map.get(uid) ?? 0)),
      find: over(known, (uid) => (sum ^= table.find(uid))),
      miss: over(strangers, (uid) => (sum ^= table.find(uid))),
      read: over(known, (uid) => (sum ^= table.apiVersion(uid))),
      readAt: over(known, (_, i) => (sum ^= table.apiVersionAt(slots[i]))),
      set: over(known, (_, i) => table.setStatusVersion(slots[i], ++version)),
      // Each leaves a tombstone, so that rebuilds are in the price.
      churn: over(strangers, (uid) => {
        table.acquire(uid);
        table.release(uid);
      }),
    },
    effort,
  );
}

interface ReaderArgs {
  readonly handle: VersionTableHandle;
  readonly known: readonly string[];
  readonly effort: Effort;
}

export function onReaderThread({ handle, known, effort }: ReaderArgs): Promise<Record<string, number[]>> {
  const table = VersionTable.attach(handle);
  const map = new Map(known.map((uid, i) => [uid, i]));
  let sum = 0;
  return measure(
    {
      base: over(known, (uid) => (sum ^= map.get(uid) ?? 0)),
      read: over(known, (uid) => (sum ^= table.apiVersion(uid))),
    },
    effort,
  );
}

/** The reader's numbers while this thread makes, changes and releases other pods as fast as it can. */
async function besideBusyWriter(effort: Effort): Promise<Record<string, number[]>> {
  const table = VersionTable.create({ maxPods: PODS });
  const known = uids(PODS);
  const others = uids(PODS / 2);
  for (const uid of known) table.setApiVersion(table.acquire(uid), 1);
  let done = false;
  const args: ReaderArgs = { handle: table.handle(), known, effort };
  const reading = onThread<Record<string, number[]>>(import.meta.url, 'onReaderThread', args).finally(
    () => (done = true),
  );
  while (!done) {
    for (const uid of others) table.setStatusVersion(table.acquire(uid), 1);
    for (const uid of others) table.release(uid);
    await turn();
  }
  return reading;
}

function withGoal(result: Result, ns: number): Result {
  return { ...result, goal: `≤ ${ns} ns`, ok: result.value <= ns };
}

const ownThread: Bench = {
  names: [
    BASE,
    'table.find',
    'table.find.unknown',
    'table.api-version',
    'table.api-version-at',
    'table.set-status-version',
    'table.acquire-release',
  ],
  async run(effort) {
    const { base, ...own } = await onThread<Record<string, number[]>>(
      import.meta.url,
      'onWriterThread',
      effort,
    );
    return [
      summarize(BASE, base),
      compare('table.find', own.find, BASE, base),
      compare('table.find.unknown', own.miss, BASE, base),
      withGoal(compare('table.api-version', own.read, BASE, base), 300),
      summarize('table.api-version-at', own.readAt),
      withGoal(summarize('table.set-status-version', own.set), 50),
      summarize('table.acquire-release', own.churn),
    ];
  },
};

const otherThread: Bench = {
  names: ['table.api-version.busy-writer'],
  async run(effort) {
    const { base, read } = await besideBusyWriter(effort);
    return [withGoal(compare('table.api-version.busy-writer', read, BASE, base), 300)];
  },
};

export const tableSuite: Suite = [ownThread, otherThread];
