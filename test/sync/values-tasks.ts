/** What threads do for values.test.ts. */
import { Chan, type ChanHandle } from '../../src/sync/index.js';

/** Sends back whatever comes, in the blocking form. */
export function echo({ input, output }: { input: ChanHandle; output: ChanHandle }): void {
  const back = Chan.attach<unknown>(output);
  for (const value of Chan.attach<unknown>(input)) back.send(value);
}
