/** The demo as text. */
import { TELLERS } from './demo-thread.js';
import type { Outcome, Standing } from './demo.js';
import { ACCOUNTS, TOTAL } from './ledger.js';
import type { Options } from './options.js';

const BAR = 10;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const total = (jobs: readonly number[]): number => jobs.reduce((sum, count) => sum + count, 0);

function shareOf(jobs: readonly number[], thread: number): number {
  const all = total(jobs);
  return all === 0 ? 0 : jobs[thread] / all;
}

export function heading(options: Options): string {
  const columns = Array.from({ length: options.threads }, (_, i) => `thread ${i + 1}`.padEnd(BAR + 6));
  return (
    `podloom: ${options.threads} threads with ${TELLERS} goroutines each book transfers between ${ACCOUNTS} accounts in\n` +
    `shared memory, for ${options.seconds} s (Ctrl-C ends it)\n\n` +
    `   time  transfers/s  ${columns.join('')}  audits/s  hand-offs/s\n`
  );
}

/** One second's work. */
export function progressLine(elapsed: number, standing: Standing): string {
  const { seconds, jobs } = standing;
  const bars = jobs.map((_, thread) => {
    const share = shareOf(jobs, thread);
    const filled = Math.round(share * BAR);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    return `${bar} ${Math.round(share * 100)} %`.padEnd(BAR + 6);
  });
  const columns = [
    `${elapsed} s`.padStart(7),
    whole(total(jobs) / seconds).padStart(11),
    bars.join(''),
    whole(standing.audits / seconds).padStart(8),
    whole(standing.handOffs / seconds).padStart(11),
  ];
  return columns.join('  ') + '\n';
}

export function summary(outcome: Outcome): string {
  const { jobs, seconds } = outcome;
  const shares = jobs.map((_, i) => `thread ${i + 1} ${(shareOf(jobs, i) * 100).toFixed(1)} %`);
  const verdict = outcome.balanced
    ? `the ledger holds ${whole(TOTAL)} as at the start, and so did each of ${whole(outcome.audits)} audits`
    : `THE LEDGER IS WRONG: ${whole(outcome.wrongAudits)} of ${whole(outcome.audits)} audits saw another sum than ${whole(TOTAL)}`;
  return [
    '',
    `transfers   ${whole(total(jobs))} in ${seconds.toFixed(1)} s: ${shares.join(', ')}`,
    `messages    ${whole(outcome.messages / seconds)} a second between threads`,
    `write lock  went from one thread to another ${whole(outcome.handOffs)} times`,
    `audit       ${verdict}`,
    '',
  ].join('\n');
}

export function summaryJson(outcome: Outcome): string {
  const { jobs, seconds } = outcome;
  return JSON.stringify({
    jobs: total(jobs),
    seconds: Number(seconds.toFixed(3)),
    messages: outcome.messages,
    messagesPerSecond: Math.round(outcome.messages / seconds),
    handOffs: outcome.handOffs,
    shares: jobs.map((_, i) => Number(shareOf(jobs, i).toFixed(4))),
    audits: outcome.audits,
    wrongAudits: outcome.wrongAudits,
    balanced: outcome.balanced,
  });
}
