// `npm start`: until there is a node to start, the primitives at work across threads.

import { Chan } from '../sync/index.js';
import { type Outcome, runDemo } from './demo.js';
import { heading, progressLine, summary, summaryJson } from './display.js';
import { type Options, USAGE, UsageError, parseOptions } from './options.js';

async function run(options: Options): Promise<Outcome> {
  const stop = new Chan<void>();
  const end = (): void => {
    if (!stop.isClosed) stop.close();
  };
  const timer = setTimeout(end, options.seconds * 1000);
  // Only the first: whoever presses it twice does not want to wait for the summary.
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    let elapsed = 0;
    return await runDemo(options, stop, (second) => process.stdout.write(progressLine(++elapsed, second)));
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

async function main(args: readonly string[]): Promise<number> {
  let options;
  try {
    options = parseOptions(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`podloom: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  process.stdout.write(heading(options));
  const outcome = await run(options);
  process.stdout.write(summary(outcome));
  if (options.json) process.stdout.write(summaryJson(outcome) + '\n');
  return outcome.balanced ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
