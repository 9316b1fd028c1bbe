/** What `npm start` understands. */
import { parseArgs } from 'node:util';
import { PodloomError } from '../observe/errors.js';

export interface Options {
  readonly seconds: number;
  readonly threads: number;
  /** The last line of the output is a JSON object. */
  readonly json: boolean;
}

export const USAGE = `usage: npm start -- [--duration SECONDS] [--threads N] [--json] [--help]

Shows podloom's primitives at work across threads: goroutines on worker threads take transfers from one
channel and book them in a ledger in shared memory, behind one RWMutex, while auditors add it up.

  --duration SECONDS  how long; default 5
  --threads N         how many worker threads, 1 to 16; default 2
  --json              end with one line of JSON
  --help              this text
`;

export class UsageError extends PodloomError {
  constructor(message: string) {
    super('ERR_USAGE', message);
  }
}

export function parseOptions(args: readonly string[]): Options | 'help' {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        duration: { type: 'string', default: '5' },
        threads: { type: 'string', default: '2' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    // Node's message goes on with advice about positional arguments, which there are none of.
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
  if (values.help) return 'help';
  const seconds = Number(values.duration);
  if (values.duration.trim() === '' || !(seconds > 0 && seconds <= 86_400))
    throw new UsageError(`--duration must be a number of seconds up to 86400, got '${values.duration}'`);
  const threads = Number(values.threads);
  if (!Number.isInteger(threads) || threads < 1 || threads > 16)
    throw new UsageError(`--threads must be an integer from 1 to 16, got '${values.threads}'`);
  return { seconds, threads, json: values.json };
}
