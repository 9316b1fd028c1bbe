/**
 * Handles: how a primitive travels to another thread.
 *
 * A handle is plain data for postMessage and workerData: the memory, the block, the generation the block had.
 * Taking one moves a local primitive into the arena. Attaching checks everything that can be checked, so that a
 * stale, foreign or made-up handle is a typed error and never a wild write.
 */
import { joinArena } from './arena.js';
import { foreignHandle, staleHandle } from './errors.js';
import { Block, HEAP_START, Header, Kind, MONITOR_POOL, Mon } from './layout.js';
import { SharedMonitor } from './shared-monitor.js';
import { parker } from './parker.js';

export type KindName = keyof typeof Kind;

export interface Handle<K extends KindName = KindName> {
  readonly podloom: K;
  readonly memory: SharedArrayBuffer;
  readonly block: number;
  readonly generation: number;
}

export function toHandle<K extends KindName>(kind: K, monitor: SharedMonitor): Handle<K> {
  if (!monitor.isLive()) throw staleHandle(kind);
  return {
    podloom: kind,
    memory: monitor.arena.memory,
    block: monitor.block,
    generation: monitor.generation,
  };
}

export function fromHandle(kind: KindName, handle: Handle): SharedMonitor {
  const given: unknown = handle;
  if (typeof given !== 'object' || given === null) throw foreignHandle(kind, `got ${String(given)}`);
  if (handle.podloom !== kind) throw foreignHandle(kind, `it says it is a ${String(handle.podloom)}`);
  joinArena(handle.memory, kind);
  const { words } = parker();
  const { block } = handle;
  const inHeap = Number.isInteger(block) && block >= HEAP_START && block < Atomics.load(words, Header.bump);
  if (!inHeap || words[block + Block.pool] !== MONITOR_POOL)
    throw foreignHandle(kind, `no primitive at ${String(block)}`);
  if (words[block + Block.gen] !== handle.generation || words[block + Block.owner] === 0)
    throw staleHandle(kind);
  if (words[block + Mon.kind] !== Kind[kind])
    throw foreignHandle(kind, `another primitive at ${String(block)}`);
  return new SharedMonitor(block, handle.generation);
}
