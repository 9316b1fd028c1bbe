// Changes a checkpoint once, and kills itself at a chosen point of the write.
// Usage: node dying-process.js DIRECTORY v1|v1.29 POINT
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { codecV1, codecV129, openCheckpointState } from '../../src/state/index.js';

const [directory, codec, point] = process.argv.slice(2);

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};

const state = await openCheckpointState({ directory, codec: codec === 'v1' ? codecV1 : codecV129 });

const any = await fs.open(fileURLToPath(import.meta.url));
const handles = Object.getPrototypeOf(any) as FileHandle;
await any.close();
const rename = fs.rename;
switch (point) {
  case 'half-written':
    handles.writeFile = async function (this: FileHandle, content) {
      await this.write((content as string).slice(0, 20));
      return die();
    };
    break;
  case 'not synced':
    handles.sync = die;
    break;
  case 'not renamed':
    fs.rename = die;
    break;
  case 'renamed':
    fs.rename = async (from, to) => {
      await rename(from, to);
      return die();
    };
    break;
}
// What was imported by name follows.
syncBuiltinESMExports();
await state.setContainerResourceAllocation('u1', 'a', { cpu: '2' });
