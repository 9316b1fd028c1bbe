// `npm test`: runs vitest over dist/ and ends with one line of totals.
//
//   npm test -- [--short] [FILTER…] [vitest options]
//
// --short leaves out the files named *.slow.test.ts and sets PODLOOM_SHORT=1 for the rest.
// A filter is a part of a test file's path, as source or as compiled.

import { parseCLI, startVitest, type TestModule, type Vitest } from 'vitest/node';
import { wrongNode } from './support/node-major.js';

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** Errors outside of tests (a file that does not load, a hook, an unhandled rejection) count as failures. */
function countModule(module: TestModule, totals: Totals): void {
  totals.failed += module.errors().length;
  for (const suite of module.children.allSuites()) totals.failed += suite.errors().length;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    // Still pending at the end: its process died.
    totals[state === 'pending' ? 'failed' : state]++;
  }
}

function count(vitest: Vitest): Totals {
  const totals = { passed: 0, failed: vitest.state.getUnhandledErrors().length, skipped: 0 };
  for (const module of vitest.state.getTestModules()) countModule(module, totals);
  return totals;
}

async function main(args: string[]): Promise<number> {
  process.stdout.write(`Node ${process.version}\n`);
  const wrong = wrongNode(process.version);
  if (wrong) {
    process.stderr.write(`The suite ${wrong}.\n`);
    return 1;
  }
  if (args.includes('--short')) process.env.PODLOOM_SHORT = '1';
  const { filter, options } = parseCLI(['vitest', 'run', ...args.filter((arg) => arg !== '--short')]);
  const compiled = filter.map((part) => part.replace(/\.ts$/, '.js'));

  const vitest = await startVitest('test', compiled, { ...options, watch: false });
  const totals = count(vitest);
  await vitest.close();
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
  process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : Number(process.exitCode ?? 0);
}

process.exit(await main(process.argv.slice(2)));
