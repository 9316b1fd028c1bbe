/**
 * The demo on a worker thread: tellers book transfers, an auditor adds up at every tick, a reporter tells main.
 * The thread ends by itself when the last of them has returned.
 */
import {
  Chan,
  type ChanHandle,
  Ticker,
  WaitGroup,
  go,
  realClock,
  recvFrom,
  selectAsync,
} from '../sync/index.js';
import { Ledger, type LedgerHandle, TOTAL, type Transfer } from './ledger.js';

export const TELLERS = 4;
const AUDIT_MS = 1;
const REPORT_MS = 100;

export interface DemoThread {
  /** 1, 2, … */
  readonly thread: number;
  readonly ledger: LedgerHandle;
  /** Closed when there are no more. */
  readonly jobs: ChanHandle;
  readonly receipts: ChanHandle;
  readonly reports: ChanHandle;
}

/** What a thread has done so far. */
export interface Report {
  readonly thread: number;
  readonly jobs: number;
  readonly audits: number;
  /** Audits that found another sum. */
  readonly wrongAudits: number;
  /** Nothing follows. */
  readonly final: boolean;
}

export function runDemoThread({ thread, ...handles }: DemoThread): void {
  const ledger = Ledger.attach(handles.ledger);
  const jobs = Chan.attach<Transfer>(handles.jobs);
  const receipts = Chan.attach<number>(handles.receipts);
  const reports = Chan.attach<Report>(handles.reports);
  const closing = new Chan<void>();
  const tellers = new WaitGroup();
  const auditor = new WaitGroup();
  const done = { jobs: 0, audits: 0, wrongAudits: 0 };

  for (let i = 0; i < TELLERS; i++) {
    tellers.go(async function teller() {
      for await (const transfer of jobs) {
        await ledger.book(transfer, thread);
        done.jobs++;
        await receipts.sendAsync(thread);
      }
    });
  }

  auditor.go(async () => {
    const tick = new Ticker(realClock, AUDIT_MS);
    for (;;) {
      const { index } = await selectAsync([recvFrom(closing), recvFrom(tick.c)]);
      if (index === 0) return tick.stop();
      const sum = await ledger.audit();
      done.audits++;
      if (sum !== TOTAL) done.wrongAudits++;
    }
  });

  go(async function reporter() {
    const tick = new Ticker(realClock, REPORT_MS);
    for (;;) {
      const { index } = await selectAsync([recvFrom(closing), recvFrom(tick.c)]);
      if (index === 0) break;
      await reports.sendAsync({ thread, ...done, final: false });
    }
    tick.stop();
    await auditor.waitAsync();
    await reports.sendAsync({ thread, ...done, final: true });
  });

  go(async function closer() {
    await tellers.waitAsync();
    closing.close();
  });
}
