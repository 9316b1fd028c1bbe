// Writes one state after the other until it is killed, and says of each when it is on disk.
// Usage: node writer-process.js DIRECTORY v1|v1.29 FIRST
import { codecV1, codecV129, openCheckpointState } from '../../src/state/index.js';

const [directory, codec, first] = process.argv.slice(2);
const state = await openCheckpointState({ directory, codec: codec === 'v1' ? codecV1 : codecV129 });
for (let n = Number(first); ; n += 1) {
  // The same number at both ends of the file: half a file has one of them.
  void state.setPodResizeStatus('last', String(n));
  await state.setContainerResourceAllocation('first', 'a', { cpu: String(n) });
  process.stdout.write(`${String(n)}\n`);
}
