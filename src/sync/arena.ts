/**
 * The process' shared memory: one fixed SharedArrayBuffer, handed out in blocks.
 *
 * Promises
 * - A block belongs to one pool for ever and starts with its generation; free() bumps it, so a stale handle is
 *   told apart from a live one whatever the block holds now.
 * - Blocks are never split or joined: memory used is bounded by the largest number of blocks of each size that
 *   were alive at once.
 * - alloc and free change the heap by one store each, so a thread that dies in between leaves a sound heap and
 *   at most one unreachable block, which the sweep finds by its owner word.
 *
 * The first thread that needs it creates the arena and leaves it in the environment data that workers inherit.
 * A worker that was started earlier joins with the first handle it attaches.
 */
import { randomFillSync } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { SyncError, arenaFull, foreignHandle } from './errors.js';
import {
  Block,
  HEAP_START,
  Header,
  MAGIC,
  MONITOR_POOL,
  Mon,
  NODE_POOL,
  PAYLOAD_POOL,
  POOLS,
  VERSION,
} from './layout.js';
import { rawLock, rawUnlock } from './raw-lock.js';

export interface ArenaOptions {
  /** Size of the whole arena; pages are committed when touched. Default 256 MiB. */
  readonly bytes?: number;
  /** The largest serialized value a shared channel takes. Default 8 MiB. */
  readonly maxValueBytes?: number;
}

const ENVIRONMENT_KEY = 'podloom.arena';
const DEFAULT_BYTES = 256 * 1024 * 1024;
const DEFAULT_MAX_VALUE = 8 * 1024 * 1024;
/** What the largest block has room for, beside its head and the value's length. */
const LARGEST_VALUE = (POOLS[POOLS.length - 1] - Block.body - 1) * 4;

export class Arena {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly floats: Float64Array;
  readonly bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.words = new Int32Array(memory);
    this.floats = new Float64Array(memory, 0, Math.floor(memory.byteLength / 8));
    this.bytes = new Uint8Array(memory);
  }

  get maxValueBytes(): number {
    return this.words[Header.maxValueWords] * 4;
  }

  /** Blocks in use now, of all threads. */
  get liveBlocks(): number {
    return Atomics.load(this.words, Header.live);
  }

  /** A block of `pool`, private to thread `slot` until it is published. Its body is zero. */
  alloc(pool: number, slot: number): number {
    const words = this.words;
    const size = POOLS[pool];
    const head = Header.free + pool;
    rawLock(words, Header.lock, slot);
    let block = words[head];
    if (block !== 0) {
      words[head] = words[block + Block.link];
    } else {
      block = words[Header.bump];
      if (block + size > words[Header.words]) {
        rawUnlock(words, Header.lock);
        throw arenaFull(size, words[Header.words]);
      }
      words[block + Block.pool] = pool;
      words[Header.bump] = block + size;
    }
    words[block + Block.owner] = slot;
    words[Header.live]++;
    rawUnlock(words, Header.lock);
    // A fresh block is zero already; a payload is overwritten by whoever asked for it. The lock of a primitive
    // stays: whoever disposed the last one here, or came too late for it, may still be holding it.
    if (pool === NODE_POOL) words.fill(0, block + Block.body, block + size);
    else if (pool === MONITOR_POOL) words.fill(0, block + Mon.lock + 1, block + size);
    return block;
  }

  /** From here on the block outlives the thread that made it. */
  publish(block: number): void {
    this.words[block + Block.owner] = -1;
  }

  free(block: number, slot: number): void {
    rawLock(this.words, Header.lock, slot);
    this.lockedFree(block);
    rawUnlock(this.words, Header.lock);
  }

  /** free() for a caller that holds the heap's lock. */
  lockedFree(block: number): void {
    const words = this.words;
    if (words[block + Block.owner] === 0) return;
    words[block + Block.gen] = (words[block + Block.gen] + 1) | 0;
    words[block + Block.owner] = 0;
    const head = Header.free + words[block + Block.pool];
    words[block + Block.link] = words[head];
    words[head] = block;
    words[Header.live]--;
  }

  /** A block with room for `bytes` of payload. */
  allocPayload(bytes: number, slot: number): number {
    const wanted = ((bytes + 3) >> 2) + Block.body;
    let pool = PAYLOAD_POOL;
    while (pool < POOLS.length && POOLS[pool] < wanted) pool++;
    if (pool === POOLS.length) throw arenaFull(wanted, this.words[Header.words]);
    return this.alloc(pool, slot);
  }

  generation(block: number): number {
    return this.words[block + Block.gen];
  }

  /** Every block ever carved, free ones too, in address order. */
  *blocks(): Generator<number> {
    const end = Atomics.load(this.words, Header.bump);
    for (let at = HEAP_START; at < end; at += POOLS[this.words[at + Block.pool]]) yield at;
  }
}

let current: Arena | null = null;

/** This thread's arena: inherited, joined, or made now. */
export function arena(): Arena {
  if (current !== null) return current;
  const inherited = getEnvironmentData(ENVIRONMENT_KEY);
  return inherited instanceof SharedArrayBuffer ? adopt(inherited) : openArena();
}

/** Makes the process' arena with other sizes than the default. Call it before anything is shared. */
export function openArena(options: ArenaOptions = {}): Arena {
  if (current !== null || getEnvironmentData(ENVIRONMENT_KEY) !== undefined) {
    throw new SyncError(
      'ERR_ARENA_OPEN',
      'the arena is open already; call openArena before anything is shared',
    );
  }
  const bytes = options.bytes ?? DEFAULT_BYTES;
  const maxValueBytes = options.maxValueBytes ?? DEFAULT_MAX_VALUE;
  const least = HEAP_START * 4 + 64 * 1024;
  if (!Number.isSafeInteger(bytes) || bytes < least || bytes > 2 ** 32) {
    throw new SyncError(
      'ERR_ARENA_SIZE',
      `bytes must be an integer from ${least} to 2^32, got ${String(bytes)}`,
    );
  }
  if (!Number.isSafeInteger(maxValueBytes) || maxValueBytes < 64 || maxValueBytes > LARGEST_VALUE) {
    throw new SyncError(
      'ERR_ARENA_SIZE',
      `maxValueBytes must be an integer from 64 to ${LARGEST_VALUE}, got ${String(maxValueBytes)}`,
    );
  }
  const memory = new SharedArrayBuffer(bytes - (bytes % 8));
  const words = new Int32Array(memory);
  words[Header.version] = VERSION;
  words[Header.words] = words.length;
  words[Header.maxValueWords] = maxValueBytes >> 2;
  words[Header.bump] = HEAP_START;
  randomFillSync(words, Header.id, 2);
  Atomics.store(words, Header.magic, MAGIC);
  setEnvironmentData(ENVIRONMENT_KEY, memory);
  return (current = new Arena(memory));
}

/** Joins the arena a handle came with; it must be the one this thread has, if it has one. */
export function joinArena(memory: unknown, what: string): Arena {
  if (!(memory instanceof SharedArrayBuffer)) throw foreignHandle(what, 'it carries no shared memory');
  const inherited = current?.memory ?? getEnvironmentData(ENVIRONMENT_KEY);
  if (inherited instanceof SharedArrayBuffer) {
    // The same memory arrives as another object each time it is cloned: compare what it holds.
    const mine = current ?? adopt(inherited);
    if (mine.memory === memory || sameMemory(mine.memory, memory)) return mine;
    throw foreignHandle(what, 'it belongs to another arena');
  }
  return adopt(memory);
}

function adopt(memory: SharedArrayBuffer): Arena {
  const words = new Int32Array(memory, 0, Math.min(Math.floor(memory.byteLength / 4), Header.end));
  if (words.length < Header.end || words[Header.magic] !== MAGIC || words[Header.version] !== VERSION) {
    throw foreignHandle('primitive', 'its memory is not an arena of this version');
  }
  setEnvironmentData(ENVIRONMENT_KEY, memory);
  return (current = new Arena(memory));
}

function sameMemory(a: SharedArrayBuffer, b: SharedArrayBuffer): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const wordsA = new Int32Array(a);
  const wordsB = new Int32Array(b);
  if (wordsB[Header.magic] !== MAGIC) return false;
  for (let i = Header.id; i < Header.id + 2; i++) if (wordsA[i] !== wordsB[i]) return false;
  return true;
}
