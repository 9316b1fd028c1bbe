/** What a case has shown so far, kept from reports, and how it compares with what is wanted. */
import type { Blocked, Completed, Outcome } from './format.js';
import type { Report } from './world.js';

export class Ledger {
  readonly #busy = new Map<string, { step: number; op: string; got: number[] }>();
  #completed: Completed[] = [];
  fatal: string | null = null;
  crash: string | null = null;
  broken: string | null = null;

  start(g: string, step: number, op: string): void {
    this.#completed = [];
    this.#busy.set(g, { step, op, got: [] });
  }

  /** A step that starts no operation. */
  tick(): void {
    this.#completed = [];
  }

  take(reports: readonly Report[]): void {
    for (const report of reports) this.#take(report);
  }

  #take(report: Report): void {
    switch (report.is) {
      case 'started':
        this.#busy.set(report.g, { step: report.step, op: report.op, got: [] });
        return;
      case 'got':
        this.#busy.get(report.g)?.got.push(report.value);
        return;
      case 'completed': {
        const { g, step, result } = report;
        if (this.#busy.get(g)?.step !== step)
          this.broken ??= `${g} finished step ${step}, which it was not in`;
        this.#busy.delete(g);
        this.#completed.push({ g, step, result });
        return;
      }
      case 'fatal':
        this.#busy.delete(report.g);
        this.fatal ??= report.text;
        return;
      case 'crash':
        this.crash ??= report.text;
        return;
      case 'stale':
        this.#busy.delete(report.g);
        this.broken ??= `${report.g}: an object was disposed under it`;
        return;
      case 'broken':
        this.#busy.delete(report.g);
        this.broken ??= `${report.g}: ${report.text}`;
        return;
      case 'made':
        return;
      default:
        this.broken ??= `a report of no kind: ${canonical(report)}`;
    }
  }

  completed(): Completed[] {
    return [...this.#completed].sort((a, b) => byName(a.g, b.g));
  }

  blocked(): Blocked[] {
    return [...this.#busy]
      .sort(([a], [b]) => byName(a, b))
      .map(([g, { step, op, got }]) => ({ g, step, op, ...(op === 'range' ? { got } : {}) }));
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One text for equal outcomes, whatever the order of their fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => byName(a, b)))
      : inner,
  );
}

/** The outcome alone, in canonical form. */
export function outcomeText({ completed, blocked, objects, now }: Outcome): string {
  return canonical({ completed, blocked, objects, now });
}
