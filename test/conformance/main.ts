// `npm run conformance`: replays recorded vectors.
//
//   npm run conformance -- [PATH…] [--kind KIND] [--threads MODE]
//
// PATH: case files (.jsonl, .jsonl.gz) or folders of them; all of test/vectors if there is none.
// The kind is told by the folder's name or --kind. --threads for `go`: 0, a number of threads, or `each`; all of
// 0, 2 and each, one after the other, if it is not given.
//
// Exit status: 0 all passed, 1 a case failed or a line is no case, 2 called in a wrong way.

import { parseArgs } from 'node:util';
import { inRepository } from '../support/repository.js';
import { type CaseFile, findCaseFiles, readCases } from './case-files.js';
import { type Kind, MalformedCase, type NamedCase, type Stage, UsageError } from './kind.js';
import { kinds } from './kinds.js';
import { type Totals, describe, runCases } from './run-cases.js';

const PROGRESS_MS = 2000;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const paths = positionals.length > 0 ? positionals : [inRepository('test/vectors')];
  const files = findCaseFiles(paths, kinds, values.kind);
  const jobs = plan(
    files.map((file) => ({ ...file, cases: readCases(file) })),
    values.threads,
  );
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  for (const { kind, mode, files } of jobs) {
    const stage = await kind.open(mode);
    try {
      for (const file of files) {
        const one = await runFile(stage, mode, file);
        totals.passed += one.passed;
        totals.failed += one.failed;
        totals.skipped += one.skipped;
      }
    } finally {
      await stage.close();
    }
  }
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { kind: { type: 'string' }, threads: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

interface Loaded extends CaseFile {
  readonly cases: readonly NamedCase[];
}

/** Mode by mode, so that each mode's threads are started once. What is wrong with the call or a file shows before any run. */
function plan(files: readonly Loaded[], threads: string | undefined) {
  const byKind = new Map<Kind, Loaded[]>();
  for (const file of files) byKind.set(file.kind, [...(byKind.get(file.kind) ?? []), file]);
  return [...byKind].flatMap(([kind, own]) =>
    kind.modes(threads).map((mode) => ({ kind, mode, files: own })),
  );
}

async function runFile(stage: Stage<NamedCase>, mode: string, { path, cases }: Loaded): Promise<Totals> {
  const where = mode === '' ? path : `${path} --threads ${mode}`;
  const started = performance.now();
  let told = started;
  let done = 0;
  const totals = await runCases(stage, cases, (vector, verdict) => {
    done++;
    const text = describe(vector, verdict);
    if (text !== '') process.stdout.write(`${text}\n  in ${where}\n`);
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    process.stderr.write(`${where}: ${done} of ${cases.length}\n`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${where}: ${totals.passed} passed, ${totals.failed} failed in ${seconds} s\n`);
  return totals;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof MalformedCase)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
