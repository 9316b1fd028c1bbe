/** What the reader threads of churn.ts do. */
import { VersionTable, type VersionTableHandle } from '../../src/table/index.js';
import { random } from '../support/seed.js';

/** Words of the control memory: whether to stop, then how many look-ups each reader has made. */
export const Control = { stop: 0, lookups: 1 } as const;

export interface ReaderArgs {
  readonly handle: VersionTableHandle;
  readonly control: SharedArrayBuffer;
  readonly member: number;
  readonly seed: number;
  /** Never released: must be known at all times. */
  readonly stable: readonly string[];
  /** Come and go. */
  readonly passing: readonly string[];
}

export interface Sightings {
  readonly lookups: number;
  /** Of pods that come and go: how often one was there, and how often not. */
  readonly present: number;
  readonly absent: number;
  /** Answers that were another pod's; pods that are never released and were not there. A few, as text. */
  readonly strangers: number;
  readonly falseUnknown: number;
  readonly examples: readonly string[];
}

/** Both versions of a pod tell whose they are and which of the two, and need more than 32 bits. */
export function versionsOf(uid: string): { readonly status: number; readonly api: number } {
  let mixed = 7;
  for (const character of uid) mixed = (mixed * 31 + character.charCodeAt(0)) % 2 ** 45;
  return { status: mixed * 128 + 1, api: mixed * 128 + 2 };
}

export function read({ handle, control, member, seed, stable, passing }: ReaderArgs): Sightings {
  const table = VersionTable.attach(handle);
  const words = new Int32Array(control);
  const choose = random(seed + member);
  const pods = [...stable, ...passing].map((uid) => ({ uid, ...versionsOf(uid) }));
  const found = { lookups: 0, present: 0, absent: 0, strangers: 0, falseUnknown: 0 };
  const examples: string[] = [];
  while (Atomics.load(words, Control.stop) === 0) {
    for (let i = 0; i < 512; i++) {
      const at = choose(pods.length);
      const pod = pods[at];
      const asksStatus = (i & 1) === 0;
      const version = asksStatus ? table.statusVersion(pod.uid) : table.apiVersion(pod.uid);
      const isStable = at < stable.length;
      if (version === (asksStatus ? pod.status : pod.api)) {
        if (!isStable) found.present++;
        continue;
      }
      if (version === 0 && !isStable) {
        found.absent++;
        continue;
      }
      if (version === 0) found.falseUnknown++;
      else found.strangers++;
      if (examples.length < 5) examples.push(`${pod.uid}: ${asksStatus ? 'status' : 'api'} ${version}`);
    }
    found.lookups = Atomics.add(words, Control.lookups + member, 512) + 512;
  }
  return { ...found, examples };
}

/** The code of what each writer method does on this thread. */
export function tryToWrite(handle: VersionTableHandle): (string | undefined)[] {
  const table = VersionTable.attach(handle);
  const attempts = [
    () => table.acquire('mine'),
    () => table.release('theirs'),
    () => table.setStatusVersion(0, 1),
    () => table.setApiVersion(0, 1),
  ];
  return attempts.map((attempt) => {
    try {
      attempt();
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
}

/** What this thread sees of a table. */
export function look(handle: VersionTableHandle): { entries: unknown[]; size: number; find: number } {
  const table = VersionTable.attach(handle);
  return { entries: [...table.entries()], size: table.size, find: table.find('theirs') };
}
