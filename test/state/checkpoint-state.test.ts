import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codecV1, codecV129, openCheckpointState, type State } from '../../src/state/index.js';
import { FakeFile } from './fake-file.js';

const FILE = 'pod_status_manager_state';
const settled = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'written',
    (error: unknown) => (error as Error).message,
  );

describe.each([codecV1, codecV129])('on disk, $name', (codec) => {
  let directory: string;
  const open = (): Promise<State> => openCheckpointState({ directory, codec });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'podloom-state-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  test('a restart keeps allocations and resize statuses', async () => {
    const state = await open();
    await state.setContainerResourceAllocation('u1', 'a', { cpu: '100m', memory: '64Mi' });
    await state.setContainerResourceAllocation('u1', 'b', null);
    await state.setContainerResourceAllocation('u2', 'c', {});
    await state.setPodResizeStatus('u1', 'Deferred');
    await state.setResizeStatus(new Map([...state.getResizeStatus(), ['u3', '']]));
    const restarted = await open();
    expect(restarted.getPodResourceAllocation()).toEqual(state.getPodResourceAllocation());
    expect(restarted.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '100m', memory: '64Mi' });
    expect(restarted.getContainerResourceAllocation('u1', 'b')).toBeNull();
    expect(restarted.getResizeStatus()).toEqual(
      new Map([
        ['u1', 'Deferred'],
        ['u3', ''],
      ]),
    );
    await restarted.clearState();
    expect((await open()).getPodResourceAllocation().size).toBe(0);
  });

  test('__proto__ and constructor are names', async () => {
    const state = await open();
    for (const podUID of ['__proto__', 'constructor', 'u1']) {
      await state.setContainerResourceAllocation(
        podUID,
        '__proto__',
        JSON.parse('{"__proto__":"1"}') as Record<string, string>,
      );
      await state.setPodResizeStatus(podUID, 'Proposed');
    }
    const restarted = await open();
    expect(restarted.getPodResourceAllocation()).toEqual(state.getPodResourceAllocation());
    expect(Object.entries(restarted.getContainerResourceAllocation('__proto__', '__proto__') ?? {})).toEqual([
      ['__proto__', '1'],
    ]);
    expect(restarted.getPodResizeStatus('__proto__')).toBe('Proposed');
    expect(restarted.getContainerResourceAllocation('toString', 'a')).toBeUndefined();
    expect(({} as Record<string, unknown>).cpu).toBeUndefined();
  });

  test('the folder and an empty file are made', async () => {
    // Both want the same parent made.
    const folders = ['a', 'b'].map((name) => join(directory, 'new', name));
    await Promise.all(folders.map((folder) => openCheckpointState({ directory: folder, codec })));
    for (const folder of folders) {
      expect((await stat(join(folder, FILE))).mode & 0o777).toBe(0o600);
      const again = await openCheckpointState({ directory: folder, codec });
      expect(again.getPodResourceAllocation().size).toBe(0);
    }
  });

  test('left-over temporary files of a killed process go, other files stay', async () => {
    await writeFile(join(directory, `.${FILE}.0123456789abcdef`), '{"half');
    await writeFile(join(directory, `.${FILE}.notours`), '');
    await writeFile(join(directory, 'cpu_manager_state'), '');
    await open();
    expect((await readdir(directory)).sort()).toEqual([`.${FILE}.notours`, 'cpu_manager_state', FILE].sort());
  });

  test('a write that fails leaves the file and no temporary one; a later one gets through', async () => {
    const state = await open();
    await state.setContainerResourceAllocation('u1', 'a', { cpu: '1' });
    const before = await readFile(join(directory, FILE));

    const away = `${directory}-away`;
    await rename(directory, away);
    await writeFile(directory, '');
    await expect(state.setContainerResourceAllocation('u1', 'a', { cpu: '2' })).rejects.toMatchObject({
      code: 'ERR_CHECKPOINT_IO',
      message: `mkdir ${directory}: not a directory`,
      file: join(directory, FILE),
    });
    expect(state.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '2' });
    await expect(state.flush()).rejects.toMatchObject({ code: 'ERR_CHECKPOINT_IO' });
    expect(await readdir(away)).toEqual([FILE]);
    expect(await readFile(join(away, FILE))).toEqual(before);

    await rm(directory);
    await rename(away, directory);
    await state.flush();
    expect((await open()).getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '2' });
  });

  test('a file that cannot be replaced leaves no temporary one', async () => {
    const state = await open();
    await rm(join(directory, FILE));
    await mkdir(join(directory, FILE));
    await expect(state.setPodResizeStatus('u1', 'Proposed')).rejects.toMatchObject({
      code: 'ERR_CHECKPOINT_IO',
    });
    expect(await readdir(directory)).toEqual([FILE]);
  });

  test('a folder that cannot be written to is a typed error', async () => {
    // To root a folder without permissions is open; nobody can make one in /proc.
    const closed = process.getuid?.() === 0 ? '/proc/podloom-state' : directory;
    if (closed === directory) await chmod(directory, 0o500);
    await expect(openCheckpointState({ directory: closed, codec })).rejects.toMatchObject({
      code: 'ERR_CHECKPOINT_IO',
      fault: 'io',
      file: join(closed, FILE),
    });
    await chmod(directory, 0o700);
  });

  test.each([
    ['empty', ''],
    ['white space', ' \n'],
    ['truncated', '{"podloom":1,"data":"{\\"allocationEnt'],
    ['zeros', '\0'.repeat(64)],
    ['edited', '{"allocationEntries":{"u1":{"a":{"cpu":"2"}}},"checksum":734324720}'],
    ['foreign', '{"apiVersion":"v1","kind":"Pod"}'],
    ['no object', '[1,2]'],
    ['of a later podloom', '{"podloom":99}'],
  ])('a file that is %s is an error that names it, and stays as it is', async (_, content) => {
    const path = join(directory, FILE);
    await writeFile(path, content);
    const error = await open().catch((thrown: unknown) => thrown as Error & { code: string; file: string });
    expect(error).toMatchObject({
      file: path,
      code: expect.stringMatching(/^ERR_CHECKPOINT_(CORRUPT|FOREIGN)$/) as string,
    });
    expect((error as Error).message).toContain(`"${path}"`);
    expect((error as Error).message).toMatch(/drain this node and delete/);
    expect(await readFile(path, 'utf8')).toBe(content);
    expect(await readdir(directory)).toEqual([FILE]);
  });

  test('a folder in place of the file is an error that names it, and stays', async () => {
    const path = join(directory, FILE);
    await mkdir(path);
    await expect(open()).rejects.toMatchObject({ code: 'ERR_CHECKPOINT_IO', file: path });
    expect((await stat(path)).isDirectory()).toBe(true);
  });
});

test('a v1.29 file opens with our codec, and is ours after the next change', async () => {
  const file = new FakeFile();
  const upstream = await openCheckpointState({ directory: '', codec: codecV129, file });
  await upstream.setContainerResourceAllocation('u1', 'a', { cpu: '1000m' });
  await expect(openCheckpointState({ directory: '', codec: codecV129, file })).rejects.toThrow(
    'could not restore state from checkpoint: checkpoint is corrupted, please drain this node and delete pod allocation checkpoint file "/state/fake" before restarting Kubelet',
  );
  const kept = file.content;
  const ours = await openCheckpointState({ directory: '', file });
  expect(file.content).toBe(kept);
  expect(ours.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '1' });
  await ours.setPodResizeStatus('u1', 'Proposed');
  expect(file.content).toMatch(/^\{"podloom":1,/);
  const again = await openCheckpointState({ directory: '', file });
  expect(again.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '1' });
});

describe('writes', () => {
  let file: FakeFile;
  let state: State;

  beforeEach(async () => {
    file = new FakeFile();
    state = await openCheckpointState({ directory: '', file });
    file.writes = 0;
    file.held = true;
  });
  const stored = (): Promise<State> => openCheckpointState({ directory: '', file });

  test('memory has changed before the call returns', () => {
    void state.setContainerResourceAllocation('u1', 'a', { cpu: '1' });
    expect(state.getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '1' });
  });

  test.each([codecV1, codecV129])(
    'changes made while one is under way go out together in the next, in order: $name',
    async (codec) => {
      const file = new FakeFile();
      const state = await openCheckpointState({ directory: '', codec, file });
      const stored = (): Promise<State> => openCheckpointState({ directory: '', codec, file });
      file.writes = 0;
      file.held = true;
      const first = state.setContainerResourceAllocation('u1', 'a', { cpu: '0' });
      const write = await file.next();
      const later = Array.from({ length: 999 }, (_, n) =>
        state.setContainerResourceAllocation('u1', 'a', { cpu: String(n + 1) }),
      );
      later.push(state.setPodResizeStatus('u1', 'Proposed'));
      write.finish();
      await first;
      expect((await stored()).getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '0' });
      (await file.next()).finish();
      await Promise.all(later);
      expect(file.writes).toBe(2);
      expect((await stored()).getContainerResourceAllocation('u1', 'a')).toEqual({ cpu: '999' });
      expect((await stored()).getPodResizeStatus('u1')).toBe('Proposed');
    },
  );

  test("a caller's promise is that of the write with its change", async () => {
    const first = settled(state.setPodResizeStatus('u1', 'Proposed'));
    const write = await file.next();
    const second = settled(state.setPodResizeStatus('u2', 'Proposed'));
    const third = settled(state.setPodResizeStatus('u3', 'Proposed'));
    write.finish(new Error('disk full'));
    expect(await first).toBe('disk full');
    (await file.next()).finish();
    expect(await Promise.all([second, third])).toEqual(['written', 'written']);
    // The write that got through also has what the failed one was for.
    expect([...(await stored()).getResizeStatus().keys()]).toEqual(['u1', 'u2', 'u3']);
  });

  test('a failure that nobody awaits ends nothing', async () => {
    void state.setPodResizeStatus('u1', 'Proposed');
    (await file.next()).finish(new Error('disk full'));
    expect(await settled(state.flush())).toBe('disk full');
    const flushed = state.flush();
    (await file.next()).finish();
    await flushed;
    expect((await stored()).getPodResizeStatus('u1')).toBe('Proposed');
  });

  test('flush waits for what is under way, and writes nothing twice', async () => {
    void state.setPodResizeStatus('u1', 'Proposed');
    const write = await file.next();
    const flushed = state.flush();
    write.finish();
    await flushed;
    await state.flush();
    expect(file.writes).toBe(1);
  });

  test('what changes nothing is not written, unless something is still to be', async () => {
    await state.delete('unknown', '');
    await state.setPodResizeStatus('unknown', '');
    expect(file.writes).toBe(0);
    const failing = settled(state.setPodResizeStatus('u1', 'Proposed'));
    (await file.next()).finish(new Error('disk full'));
    expect(await failing).toBe('disk full');
    const retried = settled(state.delete('unknown', ''));
    (await file.next()).finish();
    expect(await retried).toBe('written');
    expect((await stored()).getPodResizeStatus('u1')).toBe('Proposed');
  });

  test('v1.29 writes every time', async () => {
    const own = new FakeFile();
    const upstream = await openCheckpointState({ directory: '', codec: codecV129, file: own });
    await upstream.delete('unknown', '');
    expect(own.writes).toBe(2);
  });

  test('a list that v1.29 could not write is refused before it gets into memory', async () => {
    const own = new FakeFile();
    const upstream = await openCheckpointState({ directory: '', codec: codecV129, file: own });
    const bad = upstream.setContainerResourceAllocation('u1', 'a', { cpu: 'lots' });
    await expect(bad).rejects.toMatchObject({ code: 'ERR_BAD_QUANTITY' });
    const all = upstream.setPodResourceAllocation(new Map([['u1', new Map([['a', { cpu: 'lots' }]])]]));
    await expect(all).rejects.toMatchObject({ code: 'ERR_BAD_QUANTITY' });
    expect(upstream.getPodResourceAllocation().size).toBe(0);
    await upstream.setContainerResourceAllocation('u2', 'a', { cpu: '1' });
    expect(own.content).toContain('u2');
  });
});
