/**
 * One file that is replaced whole: after a crash at any point it is the old one or the new one.
 *
 * The new content goes into a temporary file in the same folder (its name starts with a dot), is synced, renamed over
 * the old one, and the folder is synced. What a killed process leaves behind is a temporary file; `sweep` removes those.
 * Two processes must not share a file.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { CheckpointError } from './errors.js';

export interface CheckpointFile {
  readonly path: string;
  /** Makes the folder if there is none. */
  prepare(): Promise<void>;
  /** undefined: there is no such file. */
  read(): Promise<Buffer | undefined>;
  replace(content: string): Promise<void>;
  /** Removes what killed processes left. */
  sweep(): Promise<void>;
}

interface SystemError extends Error {
  readonly code: string;
  readonly errno: number;
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && typeof (error as Partial<SystemError>).errno === 'number';
const hasCode = (error: unknown, code: string): boolean => isSystemError(error) && error.code === code;

export class DiskCheckpointFile implements CheckpointFile {
  readonly path: string;
  readonly #directory: string;
  readonly #temporaryPrefix: string;

  constructor(directory: string, fileName: string) {
    this.#directory = resolve(directory);
    this.path = join(this.#directory, fileName);
    this.#temporaryPrefix = `.${fileName}.`;
  }

  prepare(): Promise<void> {
    return this.#told('mkdir', this.#directory, () => makeFolder(this.#directory));
  }

  read(): Promise<Buffer | undefined> {
    return this.#told('read', this.path, async () => {
      try {
        return await readFile(this.path);
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    });
  }

  async replace(content: string): Promise<void> {
    await this.prepare();
    const temporary = join(this.#directory, this.#temporaryPrefix + randomBytes(8).toString('hex'));
    try {
      await this.#told('write', temporary, () => writeSynced(temporary, content));
      await this.#told('rename', this.path, () => rename(temporary, this.path));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await this.#told('sync', this.#directory, () => syncFolder(this.#directory));
  }

  async sweep(): Promise<void> {
    const names = await this.#told('readdir', this.#directory, () => readdir(this.#directory));
    const left = names.filter((name) => this.#isTemporary(name));
    // One that cannot be removed is in nobody's way.
    await Promise.allSettled(left.map((name) => rm(join(this.#directory, name), { force: true })));
  }

  #isTemporary(name: string): boolean {
    return (
      name.startsWith(this.#temporaryPrefix) &&
      /^[0-9a-f]{16}$/.test(name.slice(this.#temporaryPrefix.length))
    );
  }

  /** Failures in Go's form: `mkdir /state: not a directory`. */
  async #told<T>(operation: string, path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const reason = isSystemError(error) ? describe(error) : String(error);
      throw new CheckpointError('io', this.path, `${operation} ${path}: ${reason}`, { cause: error });
    }
  }
}

const describe = (error: SystemError): string =>
  error.code === 'EISDIR' ? 'is a directory' : (getSystemErrorMap().get(error.errno)?.[1] ?? error.code);

/** With its parents. Not Node's own `recursive`: where a folder cannot have children, as /proc, that never returns. */
async function makeFolder(path: string): Promise<void> {
  try {
    await assertFolder(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    const parent = dirname(path);
    if (parent !== path) await makeFolder(parent);
    await mkdir(path, 0o755).catch((failure: unknown) => {
      // Somebody else was quicker.
      if (hasCode(failure, 'EEXIST')) return assertFolder(path);
      throw failure;
    });
  }
}

/** Fails unless it is one. The dot makes a file in its place an error. */
async function assertFolder(path: string): Promise<void> {
  await stat(`${path}/.`);
}

async function writeSynced(path: string, content: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** A rename is on disk when its folder is. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
