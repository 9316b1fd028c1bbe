/**
 * The table's memory: one fixed SharedArrayBuffer, made by the writer's thread and opened on any other.
 *
 * Opening checks everything that can be checked, so that a made-up handle is a typed error and never a wild read.
 */
import { randomFillSync } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import { foreignHandle } from '../sync/errors.js';
import { notTheWriter } from './errors.js';
import { Header, type Layout, MAGIC, VERSION, layoutOf } from './layout.js';

const WHAT = 'pod table';

export class TableMemory {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly layout: Layout;
  /** True on the thread that made the table. */
  readonly isWriter: boolean;

  private constructor(memory: SharedArrayBuffer, layout: Layout) {
    this.memory = memory;
    this.words = new Int32Array(memory);
    this.layout = layout;
    this.isWriter = this.words[Header.writer] === threadId;
  }

  static create(capacity: number): TableMemory {
    const layout = layoutOf(capacity);
    const memory = new SharedArrayBuffer(layout.words * 4);
    const words = new Int32Array(memory);
    words[Header.version] = VERSION;
    words[Header.capacity] = capacity;
    words[Header.writer] = threadId;
    randomFillSync(words, Header.hashKey, 2);
    Atomics.store(words, Header.magic, MAGIC);
    return new TableMemory(memory, layout);
  }

  static open(memory: unknown): TableMemory {
    if (!(memory instanceof SharedArrayBuffer)) throw foreignHandle(WHAT, 'it carries no shared memory');
    if (memory.byteLength < Header.end * 4) throw foreignHandle(WHAT, 'its memory is too small');
    const header = new Int32Array(memory, 0, Header.end);
    if (Atomics.load(header, Header.magic) !== MAGIC || header[Header.version] !== VERSION) {
      throw foreignHandle(WHAT, 'its memory is not a table of this version');
    }
    const layout = layoutOf(header[Header.capacity]);
    if (layout.words * 4 !== memory.byteLength) throw foreignHandle(WHAT, 'its memory has another size');
    return new TableMemory(memory, layout);
  }

  checkWriter(method: string): void {
    if (!this.isWriter) throw notTheWriter(method, this.words[Header.writer], threadId);
  }
}
