// What the documents point to is there.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { defaultGates } from '../../src/kube/gates.js';
import { inRepository } from '../support/repository.js';

const read = (path: string): string => readFileSync(inRepository(path), 'utf8');
const map = read('docs/upstream-map.md');

/** Cells of each row of each table. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]*$/.test(line))
    .map((line) => line.split('|').slice(1, -1));

const code = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

const named = rowsOf(map).filter(([, , file]) => file?.includes('`src/'));

test('the map has rows', () => {
  expect(named.length).toBeGreaterThan(60);
});

test.each(named.map(([go, here, file]) => [go.trim(), code(here), code(file)] as const))(
  '%s is where the map says',
  (_go, names, files) => {
    const text = files.map(read).join('\n');
    for (const name of names) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
  },
);

describe("upstream's tests", () => {
  const vectors = ['cases_upstream', 'functions']
    .map((name) => gunzipSync(readFileSync(inRepository(`test/vectors/status/${name}.jsonl.gz`))).toString())
    .join('\n');
  const rows = rowsOf(map).filter(([upstream]) => upstream?.includes('`Test'));

  test.each(rows.flatMap(([upstream, here]) => code(upstream).map((name) => [name, here] as const)))(
    '%s',
    (name, here) => {
      const tests = code(here).filter((path) => path.startsWith('test/'));
      const isVector = here.includes('vectors') && vectors.includes(`"upstream/${name}`);
      expect(isVector || tests.some((path) => read(path).includes(name))).toBe(true);
    },
  );
});

describe('fidelity', () => {
  const fidelity = read('docs/fidelity.md');
  const rows = new Map(rowsOf(fidelity).map((cells) => [code(cells[0] ?? '')[0], cells]));

  test.each(Object.keys(defaultGates))('%s has its line', (gate) => {
    expect(rows.has(gate)).toBe(true);
  });

  test.each([...rows].filter(([, cells]) => cells[3]?.includes('`test/')))(
    '%s has its test',
    (gate, cells) => {
      for (const path of code(cells[3])) {
        expect(existsSync(inRepository(path))).toBe(true);
        expect(read(path)).toContain(gate);
      }
    },
  );
});

test('links between documents lead somewhere', () => {
  for (const name of ['README.md', ...readdirSync(inRepository('docs')).map((file) => `docs/${file}`)]) {
    for (const [, target] of read(name).matchAll(/\]\(([^)#:]+\.md)(#[^)]*)?\)/g)) {
      const path = name.startsWith('docs/') ? `docs/${target}` : target;
      expect(existsSync(inRepository(path)), `${name} → ${target}`).toBe(true);
    }
  }
});
