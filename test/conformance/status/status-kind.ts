/** Vectors recorded from the kubelet's status manager: pure functions, its checkpoint, and whole lives of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kind, Stage, Verdict } from '../kind.js';
import { type StatusCase, isFunctionCase, isSequenceCase, parseCase } from './format.js';
import { runFunctionCase } from './function-cases.js';
import { runSequenceCase } from './sequence-cases.js';
import { runStateCase } from './state-cases.js';

class StatusStage implements Stage<StatusCase> {
  /** Each case that writes to disk has a folder of its own in here. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'podloom-status-'));
  #cases = 0;

  async run(vector: StatusCase): Promise<Verdict> {
    if (isFunctionCase(vector)) return runFunctionCase(vector);
    if (isSequenceCase(vector)) return runSequenceCase(vector, join(this.#folder, String(this.#cases++)));
    return runStateCase(vector);
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const statusKind: Kind<StatusCase> = {
  name: 'status',
  parse: parseCase,
  modes: () => [''],
  async open() {
    return new StatusStage();
  },
};
