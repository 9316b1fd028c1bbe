// The promises of uid-index.ts, step by step instead of by chance. A reader and the writer take turns on one thread:
// the writer does something before each atomic load of a look-up, and a reader looks before each atomic store of
// the writer.

import { describe, expect, test } from 'vitest';
import { Header, layoutOf } from '../../src/table/layout.js';
import { VersionTable } from '../../src/table/index.js';
import { interrupted } from './interrupted.js';

interface Scene {
  readonly writer: VersionTable;
  readonly reader: VersionTable;
}

/** Version of each pod: its first character, so that a stranger's is seen. */
const versionOf = (uid: string): number => uid.charCodeAt(0);

function put(table: VersionTable, uid: string): void {
  table.setStatusVersion(table.acquire(uid), versionOf(uid));
}

/** As many comings and goings as it takes: tombstones go only when there are many. */
function rebuild({ writer }: Scene): void {
  const words = new Int32Array(writer.handle().memory);
  const before = words[Header.sequence];
  for (let i = 0; words[Header.sequence] === before; i++) {
    writer.acquire(`guest-${i}`);
    writer.release(`guest-${i}`);
  }
}

const OTHERS = Array.from({ length: 40 }, (_, i) => `0-other-${i}`);

/** 'A…' is the pod looked for; around it others, so that its chain has some length. */
function scene(): Scene {
  const writer = VersionTable.create({ maxPods: 1 });
  for (const uid of OTHERS.slice(20)) put(writer, uid);
  put(writer, UID);
  for (const uid of OTHERS.slice(0, 20)) put(writer, uid);
  return { writer, reader: VersionTable.attach(writer.handle()) };
}

const UID = 'A-pod-with-a-uid-of-three-dozen-byte';
// Of the same length and in the same slot, equal but for the beginning or for the end.
const HEAD_DIFFERS = 'B' + UID.slice(1);
const TAIL_DIFFERS = UID.slice(0, -1) + '!';
const INTRUSIONS: readonly { name: string; keeps: boolean; run: (scene: Scene) => void }[] = [
  { name: 'a rebuild', keeps: true, run: rebuild },
  {
    name: 'a rebuild and the first half of the next one',
    keeps: true,
    run(each) {
      rebuild(each);
      // The writer cannot be stopped half-way here, so what it would have done by then is done by hand.
      const words = new Int32Array(each.writer.handle().memory);
      const { cells, cellCount } = layoutOf(each.writer.capacity);
      const spare = cells[(words[Header.sequence] + 1) & 1];
      words.fill(0, spare, spare + cellCount);
    },
  },
  {
    name: 'two rebuilds and the pods around it gone',
    keeps: true,
    run(each) {
      for (const uid of OTHERS) each.writer.release(uid);
      rebuild(each);
      rebuild(each);
    },
  },
  {
    name: 'its release',
    keeps: false,
    run: ({ writer }) => void writer.release(UID),
  },
  ...[HEAD_DIFFERS, TAIL_DIFFERS].map((stranger) => ({
    name: `its slot given to ${stranger}`,
    keeps: false,
    run({ writer }: Scene) {
      writer.release(UID);
      writer.setStatusVersion(writer.acquire(stranger), 1);
    },
  })),
  {
    name: 'its release and return',
    keeps: false,
    run({ writer }) {
      writer.release(UID);
      put(writer, UID);
    },
  },
  {
    name: 'its release and return in another slot',
    keeps: false,
    run({ writer }) {
      writer.release(UID);
      writer.setStatusVersion(writer.acquire(HEAD_DIFFERS), 1);
      put(writer, UID);
    },
  },
];

describe('the writer comes into a look-up', () => {
  // Tables have random hash keys: each repetition is another arrangement.
  const REPETITIONS = 5;

  test.each(INTRUSIONS)('$name', ({ keeps, run }) => {
    const allowed = keeps ? [versionOf(UID)] : [versionOf(UID), 0];
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      let loads = Infinity;
      for (let at = 0; at < loads; at++) {
        const stage = scene();
        let seen = 0;
        const version = interrupted(
          'load',
          () => stage.reader.statusVersion(UID),
          (load) => {
            seen = load + 1;
            if (load === at) run(stage);
          },
        );
        expect(allowed, `came in at load ${at}`).toContain(version);
        loads = Math.max(at + 1, seen);
      }
      // Sequence, cell, generation, nine words, version, generation.
      expect(loads).toBeGreaterThanOrEqual(14);
    }
  });

  test.each(INTRUSIONS)('find: $name', ({ keeps, run }) => {
    for (let at = 0, done = false; !done; at++) {
      const stage = scene();
      const before = stage.writer.find(UID);
      done = true;
      const slot = interrupted(
        'load',
        () => stage.reader.find(UID),
        (load) => {
          if (load !== at) return;
          done = false;
          run(stage);
        },
      );
      const allowed = keeps ? [before] : [before, -1, stage.writer.find(UID)];
      expect(allowed, `came in at load ${at}`).toContain(slot);
    }
  });
});

test('the writer comes into entries: each is one pod', () => {
  for (let at = 0, done = false; !done; at++) {
    const stage = scene();
    done = true;
    const entries = interrupted(
      'load',
      () => [...stage.reader.entries()],
      (load) => {
        if (load !== at) return;
        done = false;
        stage.writer.release(UID);
        put(stage.writer, HEAD_DIFFERS);
      },
    );
    const wrong = entries.filter(({ uid, statusVersion }) => statusVersion !== versionOf(uid));
    expect(wrong, `came in at load ${at}`).toEqual([]);
    const missing = OTHERS.filter((uid) => !entries.some((entry) => entry.uid === uid));
    expect(missing, `came in at load ${at}`).toEqual([]);
  }
});

describe('a reader comes into what the writer does', () => {
  const ALWAYS = OTHERS.slice(0, 10);

  /** Looks at all pods before every store of `action`; answers what it saw of UID, in order. */
  function watched(stage: Scene, action: () => void): number[] {
    const seen: number[] = [];
    const wrong: unknown[] = [];
    interrupted('store', action, (store) => {
      seen.push(stage.reader.statusVersion(UID));
      for (const uid of ALWAYS) {
        const version = stage.reader.statusVersion(uid);
        if (version !== versionOf(uid)) wrong.push({ store, uid, version });
      }
      for (const entry of stage.reader.entries()) {
        if (![0, versionOf(entry.uid)].includes(entry.statusVersion)) wrong.push({ store, entry });
        if (stage.reader.find(entry.uid) !== entry.slot) wrong.push({ store, unfound: entry.uid });
      }
    });
    expect(wrong).toEqual([]);
    seen.push(stage.reader.statusVersion(UID));
    return seen;
  }

  test('a pod goes in one instant', () => {
    const stage = scene();
    const seen = watched(stage, () => stage.writer.release(UID));
    expect(seen.slice(0, 2)).toEqual([versionOf(UID), 0]);
    expect(seen.slice(1).every((version) => version === 0)).toBe(true);
  });

  test('a pod comes, and its slot shows nothing of the one before', () => {
    const stage = scene();
    stage.writer.release(UID);
    stage.writer.setStatusVersion(stage.writer.acquire(HEAD_DIFFERS), versionOf(HEAD_DIFFERS));
    stage.writer.release(HEAD_DIFFERS);
    const seen = watched(stage, () => put(stage.writer, UID));
    expect(new Set(seen.slice(0, -1))).toEqual(new Set([0]));
    expect(seen.at(-1)).toBe(versionOf(UID));
  });

  test('nobody is missing during a rebuild', () => {
    const stage = scene();
    const seen = watched(stage, () => rebuild(stage));
    expect(new Set(seen)).toEqual(new Set([versionOf(UID)]));
  });
});
