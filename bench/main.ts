// `npm run bench -- [SUITE…] [--json] [--only NAME] [--quick]`: see docs/benchmarks.md.

import { parseArgs } from 'node:util';
import { FULL, QUICK } from './measure.js';
import { HEADER, jsonLine, tableLine } from './report.js';
import type { Bench } from './result.js';
import { SUITES } from './suites.js';

const USAGE = `usage: npm run bench -- [SUITE…] [--json] [--only NAME] [--quick]

  SUITE        ${Object.keys(SUITES).join(', ')}; all of them if none is named
  --json       one JSON object a line
  --only NAME  only results whose name begins with NAME, e.g. sync.mutex
  --quick      few short rounds: shows that it runs, not how fast it is
`;

class UsageError extends Error {}

interface Request {
  readonly benches: readonly Bench[];
  readonly json: boolean;
  readonly quick: boolean;
  readonly only: string;
}

function parse(args: string[]): Request | 'help' {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
  if (unknown.length > 0) throw new UsageError(`no suite ${unknown.join(', ')}`);
  const { only, json, quick } = values;
  const names = positionals.length > 0 ? positionals : Object.keys(SUITES);
  // A bench measures together what it compares, so it runs whole if any of its results is wanted.
  const benches = names
    .flatMap((name) => SUITES[name])
    .filter((bench) => bench.names.some((name) => name.startsWith(only) || only.startsWith(name)));
  if (benches.length === 0) throw new UsageError(`no result of ${names.join(', ')} begins with ${only}`);
  return { benches, json, quick, only };
}

async function main(args: string[]): Promise<number> {
  let request;
  try {
    request = parse(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`bench: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (request === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (!request.json) process.stdout.write(`Node ${process.version}\n${HEADER}\n`);
  for (const bench of request.benches) {
    for (const result of await bench.run(request.quick ? QUICK : FULL)) {
      if (!result.name.startsWith(request.only)) continue;
      process.stdout.write((request.json ? jsonLine(result) : tableLine(result)) + '\n');
    }
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
