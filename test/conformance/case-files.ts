/**
 * Finds and reads case files.
 *
 * A case file ends in `.jsonl` or `.jsonl.gz` and has one case a line; everything else in a folder is passed
 * over. The kind is the name of the nearest folder that is one, seen from the file, unless it is given.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Kind, MalformedCase, type NamedCase, UsageError } from './kind.js';

export interface CaseFile {
  readonly path: string;
  readonly kind: Kind;
}

const CASE_FILE = /\.jsonl(\.gz)?$/;

export function findCaseFiles(
  paths: readonly string[],
  kinds: ReadonlyMap<string, Kind>,
  given: string | undefined,
): CaseFile[] {
  return paths.flatMap((path) => {
    const files = filesUnder(path).filter((file) => CASE_FILE.test(file));
    if (files.length === 0) throw new UsageError(`${path}: no case files (*.jsonl, *.jsonl.gz) there`);
    return files.map((file) => ({ path: file, kind: kindOf(file, kinds, given) }));
  });
}

function filesUnder(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`${path}: no such file or folder`);
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

function kindOf(file: string, kinds: ReadonlyMap<string, Kind>, given: string | undefined): Kind {
  const known = [...kinds.keys()].join(', ');
  if (given !== undefined) {
    const kind = kinds.get(given);
    if (kind === undefined) throw new UsageError(`unknown kind ${given}; known: ${known}`);
    return kind;
  }
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const kind = kinds.get(basename(folder));
    if (kind !== undefined) return kind;
    if (folder === dirname(folder)) break;
  }
  throw new UsageError(`${file}: no folder above it is named after a kind (${known}); give --kind`);
}

/** The cases of a file. A line that is none is an error that names the line. */
export function readCases(file: CaseFile): NamedCase[] {
  const bytes = readFileSync(file.path);
  let text: string;
  try {
    text = (file.path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new MalformedCase(`${file.path}: ${(error as Error).message}`);
  }
  const cases: NamedCase[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    try {
      cases.push(file.kind.parse(JSON.parse(line)));
    } catch (error) {
      throw new MalformedCase(`${file.path}:${index + 1}: not a case: ${(error as Error).message}`);
    }
  });
  if (cases.length === 0) throw new UsageError(`${file.path}: no cases in it`);
  return cases;
}
