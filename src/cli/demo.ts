/**
 * The demo on main: a producer sends transfers until it is told to stop, a collector counts the receipts that
 * come back and shows a line a second. Main never blocks; every wait here is an await.
 *
 *   producer ──jobs──▶ tellers (worker threads) ──receipts──▶ collector
 *                         │ ledger in shared memory              ▲
 *                         └──────────────reports─────────────────┘
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PodloomError } from '../observe/errors.js';
import { Chan, Ticker, go, realClock, recvFrom, selectAsync, sendTo } from '../sync/index.js';
import { type DemoThread, type Report } from './demo-thread.js';
import { ACCOUNTS, Ledger, TOTAL, type Transfer } from './ledger.js';
import type { Options } from './options.js';

/** Where things stand, of the whole run or of one second. */
export interface Standing {
  readonly seconds: number;
  /** By thread. */
  readonly jobs: readonly number[];
  /** Values that crossed threads over channels: jobs, receipts, reports. */
  readonly messages: number;
  readonly audits: number;
  readonly wrongAudits: number;
  readonly handOffs: number;
}

export interface Outcome extends Standing {
  /** The sum of all balances at the end is that of the beginning, and no audit ever saw another. */
  readonly balanced: boolean;
}

const QUEUE = 64;
const entry = new URL('../../workers/demo.js', import.meta.url);

/** Runs until the time is over or `stop` is closed. `show` is called once a second with what that second saw. */
export async function runDemo(
  options: Options,
  stop: Chan<void>,
  show: (standing: Standing) => void,
): Promise<Outcome> {
  const ledger = Ledger.open();
  using jobs = new Chan<Transfer>(QUEUE);
  using receipts = new Chan<number>(QUEUE, { elem: 'number' });
  using reports = new Chan<Report>(QUEUE);
  const threads = Array.from({ length: options.threads }, (_, i) =>
    startThread({
      thread: i + 1,
      ledger: ledger.handle(),
      jobs: jobs.handle(),
      receipts: receipts.handle(),
      reports: reports.handle(),
    }),
  );
  const death = Promise.race(threads.map((thread) => thread.death));
  // Looked at only while the collector runs.
  death.catch(() => undefined);
  try {
    go(() => produce(jobs, stop));
    const collector = new Collector(options.threads, ledger);
    const outcome = await Promise.race([collector.run(receipts, reports, show), death]);
    await Promise.all(threads.map((thread) => thread.ended));
    const wrongAudits = outcome.wrongAudits + ((await ledger.audit()) === TOTAL ? 0 : 1);
    return { ...outcome, audits: outcome.audits + 1, wrongAudits, balanced: wrongAudits === 0 };
  } finally {
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
    ledger.dispose();
  }
}

interface StartedThread {
  readonly worker: Worker;
  readonly ended: Promise<unknown>;
  /** Never resolves; rejects if the thread dies before its work is done. */
  readonly death: Promise<never>;
}

function startThread(data: DemoThread): StartedThread {
  const worker = new Worker(entry, { workerData: data });
  const death = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code !== 0)
        reject(new PodloomError('ERR_THREAD_DIED', `thread ${data.thread} ended with exit code ${code}`));
    });
  });
  return { worker, death, ended: once(worker, 'exit') };
}

async function produce(jobs: Chan<Transfer>, stop: Chan<void>): Promise<void> {
  for (;;) {
    const { index } = await selectAsync([recvFrom(stop), sendTo(jobs, anyTransfer())]);
    if (index === 0) break;
  }
  jobs.close();
}

function anyTransfer(): Transfer {
  const from = Math.floor(Math.random() * ACCOUNTS);
  const to = (from + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS;
  return { from, to, amount: 1 + Math.floor(Math.random() * 9) };
}

class Collector {
  readonly #ledger: Ledger;
  readonly #receipts: number[];
  readonly #latest: Report[] = [];
  readonly #start = performance.now();
  #reports = 0;

  constructor(threads: number, ledger: Ledger) {
    this.#ledger = ledger;
    this.#receipts = new Array<number>(threads).fill(0);
  }

  async run(
    receipts: Chan<number>,
    reports: Chan<Report>,
    show: (standing: Standing) => void,
  ): Promise<Standing> {
    const second = new Ticker(realClock, 1000);
    let shown = this.#standing();
    while (!this.#isComplete()) {
      const got = await selectAsync([recvFrom(receipts), recvFrom(reports), recvFrom(second.c)]);
      if (got.index === 0) this.#receipts[(got.value as number) - 1]++;
      else if (got.index === 1) this.#take(got.value as Report);
      else {
        const now = this.#standing();
        show(difference(now, shown));
        shown = now;
      }
    }
    second.stop();
    return this.#standing();
  }

  #take(report: Report): void {
    this.#reports++;
    this.#latest[report.thread - 1] = report;
  }

  /** Every thread has said its last word, and every receipt it sent before that has come. */
  #isComplete(): boolean {
    return this.#receipts.every((count, i) => this.#latest[i]?.final && this.#latest[i].jobs === count);
  }

  #standing(): Standing {
    const sum = (of: (report: Report) => number): number =>
      this.#latest.reduce((total, report) => total + of(report), 0);
    const jobs = [...this.#receipts];
    return {
      seconds: (performance.now() - this.#start) / 1000,
      jobs,
      messages: 2 * jobs.reduce((a, b) => a + b, 0) + this.#reports,
      audits: sum((report) => report.audits),
      wrongAudits: sum((report) => report.wrongAudits),
      handOffs: this.#ledger.handOffs,
    };
  }
}

function difference(now: Standing, before: Standing): Standing {
  return {
    seconds: now.seconds - before.seconds,
    jobs: now.jobs.map((count, i) => count - before.jobs[i]),
    messages: now.messages - before.messages,
    audits: now.audits - before.audits,
    wrongAudits: now.wrongAudits - before.wrongAudits,
    handOffs: now.handOffs - before.handOffs,
  };
}
