// Recorded from the real Go code: every line of test/vectors/status/state.jsonl.gz.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runStateCase, type StateVector } from '../conformance/status/state-cases.js';
import { inRepository } from '../support/repository.js';

const lines = gunzipSync(readFileSync(inRepository('test/vectors/status/state.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
const vectors = lines.map((line) => JSON.parse(line) as StateVector);

test('there are vectors', () => {
  expect(vectors.length).toBeGreaterThan(100);
});

test.each(vectors)('$name', async (vector) => {
  expect(await runStateCase(vector)).toEqual({ is: 'passed' });
});

test('a case that does not come out is told with its step', async () => {
  const [vector] = vectors as [StateVector];
  const spoilt = { ...vector, want: vector.want.with(0, { file: 'other', ret: { error: null } }) };
  expect(await runStateCase(spoilt)).toMatchObject({ is: 'failed', step: '0 open' });
});
