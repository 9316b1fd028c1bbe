// Files of every kind of damage, and some of none, as the real Go code took them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codecV129, MemoryState } from '../../src/state/index.js';
import { CheckpointContentError } from '../../src/state/errors.js';
import { inRepository } from '../support/repository.js';

interface Sample {
  readonly content: string;
  readonly error?: string;
  readonly after?: string;
}

const lines = gunzipSync(readFileSync(inRepository('test/state/restore-samples.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
// The first line says how the others were recorded.
const samples = lines.slice(1).map((line) => JSON.parse(line) as Sample);

function seen(content: string): Sample {
  const memory = new MemoryState();
  try {
    const restored = codecV129.decode(Buffer.from(content));
    void memory.setPodResourceAllocation(restored.allocations);
    void memory.setResizeStatus(restored.resizeStatuses);
  } catch (error) {
    if (error instanceof CheckpointContentError) return { content, error: error.message };
    throw error;
  }
  void memory.setContainerResourceAllocation('n1', 'c', { cpu: '1' });
  const after = { allocations: memory.getPodResourceAllocation(), resizeStatuses: memory.getResizeStatus() };
  return { content, after: codecV129.encode(after) };
}

test('a v1.29 file is taken or refused as by a v1.29 kubelet', () => {
  expect(samples.length).toBeGreaterThan(500);
  for (const sample of samples) expect(seen(sample.content)).toEqual(sample);
});
