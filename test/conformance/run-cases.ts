/** Runs cases and tells somebody about each. */
import type { NamedCase, Stage, Verdict } from './kind.js';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export type Listener = (vector: NamedCase, verdict: Verdict) => void;

/** Runs the cases on one stage, which stays open. */
export async function runCases(
  stage: Stage<NamedCase>,
  cases: readonly NamedCase[],
  listener: Listener,
): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  for (const vector of cases) {
    const verdict = await stage.run(vector);
    totals[verdict.is]++;
    listener(vector, verdict);
  }
  return totals;
}

/** A verdict for people; empty for a case that passed. */
export function describe(vector: NamedCase, verdict: Verdict): string {
  switch (verdict.is) {
    case 'passed':
      return '';
    case 'skipped':
      return `SKIP ${vector.name}: ${verdict.reason}`;
    case 'failed':
      return [
        `FAIL ${vector.name}`,
        `  first difference: ${verdict.step}`,
        `  expected: ${verdict.expected}`,
        `  got:      ${verdict.got}`,
      ].join('\n');
  }
}
