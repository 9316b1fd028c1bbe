/**
 * How long a sleeping receiver takes to wake: two threads signal each other by turns, so that each sleeps when
 * its turn comes, and one of them times the way of the signal. In every round the same is done by hand with
 * Atomics, on the same two threads.
 */
import { Chan, type ChanHandle } from '../../src/sync/index.js';
import { type Effort, compare } from '../measure.js';
import { onThread } from '../on-thread.js';
import type { Bench } from '../result.js';
import { median, percentile } from '../stats.js';
import { RawTurns } from './raw.js';

type Form = 'blocking' | 'async';

interface Side {
  readonly to: ChanHandle;
  readonly from: ChanHandle;
  readonly raw: SharedArrayBuffer;
  readonly form: Form;
  readonly effort: Effort;
}

interface Turns {
  signal(): void;
  wait(): void;
  waitAsync(): Promise<void>;
}

/** Microseconds a wake-up, by round. */
interface Latencies {
  readonly chan: number[][];
  readonly raw: number[][];
}

/** Byte offset of the moment the signal left, in a 64-bit word. */
const SENT_AT = 192;
const WARM_ROUNDS = 1;

function turnsOf(side: Side, which: 0 | 1): { readonly chan: Turns; readonly raw: Turns } {
  const to = Chan.attach<void>(side.to);
  const from = Chan.attach<void>(side.from);
  const chan: Turns = {
    signal: () => void to.trySend(),
    wait: () => from.recv(),
    waitAsync: () => from.recvAsync(),
  };
  return { chan, raw: new RawTurns(side.raw, which) };
}

/** Sends the stamped signal, waits for the answer. */
export async function pinger(side: Side): Promise<void> {
  const turns = turnsOf(side, 0);
  const sentAt = new BigInt64Array(side.raw, SENT_AT);
  const hold = setInterval(() => undefined, 60_000);
  for (let round = 0; round < side.effort.rounds + WARM_ROUNDS; round++) {
    for (const kind of ['chan', 'raw'] as const) {
      const mine = turns[kind];
      for (let i = 0; i < side.effort.samples; i++) {
        sentAt[0] = process.hrtime.bigint();
        mine.signal();
        if (side.form === 'blocking') mine.wait();
        else await mine.waitAsync();
      }
    }
  }
  clearInterval(hold);
}

/** Waits for the signal, answers. */
export async function ponger(side: Side): Promise<Latencies> {
  const turns = turnsOf(side, 1);
  const sentAt = new BigInt64Array(side.raw, SENT_AT);
  const latencies: Latencies = { chan: [], raw: [] };
  const hold = setInterval(() => undefined, 60_000);
  for (let round = 0; round < side.effort.rounds + WARM_ROUNDS; round++) {
    for (const kind of ['chan', 'raw'] as const) {
      const mine = turns[kind];
      const took: number[] = [];
      for (let i = 0; i < side.effort.samples; i++) {
        if (side.form === 'blocking') mine.wait();
        else await mine.waitAsync();
        took.push(Number(process.hrtime.bigint() - sentAt[0]) / 1000);
        mine.signal();
      }
      if (round >= WARM_ROUNDS) latencies[kind].push(took);
    }
  }
  clearInterval(hold);
  return latencies;
}

const medians = (rounds: readonly number[][]): number[] => rounds.map((round) => median(round));

function bench(form: Form, rawName: string): Bench {
  const name = `sync.chan.void.wake.${form}`;
  return {
    names: [name],
    async run(effort) {
      using ping = new Chan<void>(1, { elem: 'void' });
      using pong = new Chan<void>(1, { elem: 'void' });
      const raw = new SharedArrayBuffer(256);
      const there: Side = { to: ping.handle(), from: pong.handle(), raw, form, effort };
      const [latencies] = await Promise.all([
        onThread<Latencies>(import.meta.url, 'ponger', { ...there, to: there.from, from: there.to }),
        onThread<void>(import.meta.url, 'pinger', there),
      ]);
      const all = latencies.chan.flat();
      const allRaw = latencies.raw.flat();
      const extra = {
        p50: percentile(all, 50),
        p99: percentile(all, 99),
        rawP50: percentile(allRaw, 50),
        rawP99: percentile(allRaw, 99),
      };
      return [compare(name, medians(latencies.chan), rawName, medians(latencies.raw), 'us', extra)];
    },
  };
}

export const wake: readonly Bench[] = [
  bench('blocking', 'Atomics.wait'),
  bench('async', 'Atomics.waitAsync'),
];
