/** Select is uniform over its ready cases, and consecutive choices are independent: test/vectors/go, FORMAT.md §7. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Chan, type SelectCase, otherwise, recvFrom, selectAsync, sendTo } from '../../src/sync/index.js';
import { inRepository } from '../support/repository.js';

interface Scenario {
  readonly name: string;
  readonly objects: readonly { name: string; cap?: number; nil?: boolean }[];
  readonly cases: readonly { dir: 'recv' | 'send' | 'default'; ch?: string; v?: number }[];
  readonly ready: readonly number[];
  readonly chi2Limit: number;
  readonly pairsChi2Limit: number;
}

const { trials, scenarios } = JSON.parse(
  readFileSync(inRepository('test/vectors/go/select-fairness.json'), 'utf8'),
) as { trials: number; scenarios: Scenario[] };

class Trial {
  readonly #scenario: Scenario;
  readonly #isShared: boolean;
  readonly #chans = new Map<string, Chan<number>>();

  constructor(scenario: Scenario, isShared: boolean) {
    this.#scenario = scenario;
    this.#isShared = isShared;
    for (const { name } of scenario.objects) this.#make(name);
  }

  /** A channel in the state that the scenario's text asks for. */
  #make(name: string): void {
    this.#chans.get(name)?.dispose();
    const { cap, nil } = this.#scenario.objects.find((object) => object.name === name)!;
    const chan = nil === true ? Chan.nil<number>() : new Chan<number>(cap, { elem: 'number' });
    if (this.#isShared) chan.handle();
    const index = this.#scenario.cases.findIndex(({ ch }) => ch === name);
    const isMixed = this.#scenario.name === 'mixed-4';
    const holdsValue =
      this.#scenario.ready.includes(index) &&
      this.#scenario.cases[index].dir === 'recv' &&
      cap === 1 &&
      !this.#scenario.name.startsWith('blocked');
    if (holdsValue) expect(chan.trySend(1)).toBe(true);
    const isClosed =
      this.#scenario.name.startsWith('recv-closed') || (isMixed && (name === 'c2' || name === 'c3'));
    if (isClosed) chan.close();
    this.#chans.set(name, chan);
  }

  #cases(): SelectCase[] {
    return this.#scenario.cases.map(({ dir, ch, v }) => {
      if (dir === 'default') return otherwise;
      const chan = this.#chans.get(ch!)!;
      return dir === 'recv' ? recvFrom(chan) : sendTo(chan, v!);
    });
  }

  async choose(): Promise<number> {
    const choice = selectAsync(this.#cases());
    if (this.#scenario.name.startsWith('blocked')) expect(this.#chans.get('c0')!.trySend(1)).toBe(true);
    const { index, ok } = await choice;
    this.#restore(index, ok);
    return index;
  }

  #restore(index: number, ok: boolean | undefined): void {
    const { dir, ch } = this.#scenario.cases[index];
    if (dir === 'default' || this.#scenario.name.startsWith('blocked')) return;
    const chan = this.#chans.get(ch!)!;
    if (dir === 'send') expect(chan.tryRecv()?.ok).toBe(true);
    else if (ok === true && chan.isClosed) this.#make(ch!);
    else if (ok === true) expect(chan.trySend(1)).toBe(true);
  }

  dispose(): void {
    for (const chan of this.#chans.values()) chan.dispose();
  }
}

async function sample(
  scenario: Scenario,
  isShared: boolean,
): Promise<{ chi2: number; pairsChi2: number; strays: number }> {
  const { ready } = scenario;
  const k = ready.length;
  const counts = new Array<number>(k).fill(0);
  const pairs = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  const trial = new Trial(scenario, isShared);
  let strays = 0;
  let before = -1;
  for (let i = 0; i < trials; i++) {
    const chosen = ready.indexOf(await trial.choose());
    if (chosen < 0) {
      strays++;
      continue;
    }
    counts[chosen]++;
    if (before >= 0) pairs[before][chosen]++;
    before = chosen;
  }
  trial.dispose();
  const expected = trials / k;
  const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return { chi2, pairsChi2: independence(pairs), strays };
}

function independence(pairs: readonly (readonly number[])[]): number {
  const rows = pairs.map((row) => row.reduce((a, b) => a + b, 0));
  const columns = pairs.map((_, j) => pairs.reduce((sum, row) => sum + row[j], 0));
  const total = rows.reduce((a, b) => a + b, 0);
  let chi2 = 0;
  for (const [i, row] of pairs.entries()) {
    for (const [j, seen] of row.entries()) {
      const expected = (rows[i] * columns[j]) / total;
      chi2 += (seen - expected) ** 2 / expected;
    }
  }
  return chi2;
}

describe.each([
  ['local', false],
  ['shared', true],
] as const)('%s channels', (_, isShared) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const isFair = async (): Promise<boolean> => {
      const { chi2, pairsChi2, strays } = await sample(scenario, isShared);
      expect(strays).toBe(0);
      return chi2 <= scenario.chi2Limit && pairsChi2 <= scenario.pairsChi2Limit;
    };
    // A fair choice exceeds a limit once in 10,000 samples: once more before it counts.
    expect((await isFair()) || (await isFair())).toBe(true);
  });
});
