/**
 * Where every shared word is. Nothing else: no code that reads or writes them lives here.
 *
 * All offsets count 32-bit words. Each word says who writes it and under what; "raw lock" is the block's own.
 *
 *   ┌────────┬──────────────────┬──────────────────────────────────────────────┐
 *   │ header │ thread records … │ heap: blocks, each of one pool for ever      │
 *   └────────┴──────────────────┴──────────────────────────────────────────────┘
 *
 * A block never changes its pool, so a stale handle finds a generation, never somebody's payload bytes.
 */

export const MAGIC = 0x706f_646c;
export const VERSION = 1;

/** One header an arena. */
export const Header = {
  magic: 0, // written once by the creator
  version: 1, // written once
  words: 2, // written once: size of the arena
  lock: 3, // raw lock of the heap and the thread records
  bump: 4, // first word never handed out; under lock
  maxValueWords: 5, // written once
  runVersion: 6, // atomic: bumped before any pending count rises
  settlers: 7, // atomic: how many settled() calls are waiting
  live: 8, // blocks in use; under lock
  mode: 9, // atomic: bit 0 = deadlock reports wanted
  sentinel: 10, // atomic: slot of the sentinel thread, 0 = none
  id: 11, // two words, random: which arena this is; written once
  lastGoroutine: 13, // atomic: id of the newest goroutine
  free: 16, // heads of the free lists, one a pool; under lock
  end: 64,
} as const;

export const MAX_THREADS = 255;

/** One record a thread; slot 0 is never used, so 0 can mean "nobody". */
export const Thread = {
  state: 0, // 0 free, 1 alive, 2 dead and being swept; under the header's lock
  tid: 1, // worker_threads' threadId; under the header's lock
  incarnation: 2, // how often the slot was given out; under the header's lock
  wake: 3, // atomic: bumped by every waker; the one word this thread ever parks on
  armed: 4, // atomic: 1 while a wake-up needs a notify
  ready: 5, // atomic: head of the stack of nodes whose goroutines may go on
  pending: 6, // atomic: work given to this thread and not yet settled
  signals: 7, // atomic: bits, see Signal
  goroutines: 8, // atomic: live goroutines (only with deadlock reports on)
  asleep: 9, // atomic: how many of them are parked (likewise)
  nextDue: 10, // two words, a float64: when the first fake timer of any clock is due; own thread
  waitingFor: 12, // atomic: address of the raw lock it waits for; own thread
  heldCount: 13, // read holds of ranked RWMutexes; own thread, read by the sweep
  timers: 14, // timers set and not yet fired or stopped, of any clock; own thread
  held: 16, // the held log: block addresses; own thread, read by the sweep
  size: 64,
} as const;

export const HELD_LIMIT = Thread.size - Thread.held;

export const Signal = { timers: 1, settled: 2, rescan: 4, mail: 8 } as const;

export const ThreadState = { free: 0, alive: 1, dead: 2 } as const;

/** Every block begins so. */
export const Block = {
  pool: 0, // index into POOLS; written once
  gen: 1, // bumped by each free; under the header's lock
  owner: 2, // 0 free, -1 in use, n > 0: private to thread slot n, reclaimed when it dies
  link: 3, // next free block of the pool; under the header's lock
  body: 4,
} as const;

/** A primitive's block. The words of the primitive itself start at `words`. */
export const Mon = {
  lock: 4, // raw lock; the one word that is not cleared when the block is used again
  kind: 5, // Kind; written at creation
  front: 6, // ticket of the frontmost place ever taken; raw lock
  back: 7, // ticket of the rearmost; raw lock
  queues: 8, // head, tail of queue 0, 1; raw lock
  words: 16,
  size: 32,
} as const;

/** A place in a queue. A goroutine in a single operation has one, in a select one a case. */
export const Node = {
  home: 4, // block of the primitive it stands at; own thread
  queue: 5, // 1 + index of the queue it is linked into, 0 = unlinked; that primitive's raw lock
  homeQueue: 6, // 1 + the queue it was put into; own thread
  prev: 7, // raw lock
  next: 8, // raw lock
  ticket: 9, // order in the queue, what the links are rebuilt from; raw lock
  thread: 10, // slot of the goroutine's thread; own thread
  token: 11, // which of that thread's parks; own thread
  primary: 12, // the node that holds the state of the whole operation; own thread
  index: 13, // index of the select case; own thread
  slot: 14, // two words, a float64: the value handed over; whoever has the claim
  state: 16, // atomic, of the primary: 0 waiting, else NodeState | claimer's slot << 8
  code: 17, // of the primary: how it ended; the claimer, before `state` says ready
  winner: 18, // of the primary: the node that won; the claimer, before `state` says ready
  stacked: 19, // of the primary: next in the ready stack; whoever pushes it
  size: 20,
} as const;

export const NodeState = { waiting: 0, claimed: 1, ready: 2 } as const;

/** What a primitive's block is. */
export const Kind = {
  mutex: 1,
  rwmutex: 2,
  waitGroup: 3,
  once: 4,
  cond: 5,
  chan: 6,
  clock: 7,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Block sizes in words: places, primitives, then payloads in powers of two (64 bytes … 64 MiB). */
export const NODE_POOL = 0;
export const MONITOR_POOL = 1;
export const PAYLOAD_POOL = 2;
export const POOLS: readonly number[] = [
  Node.size,
  Mon.size,
  ...Array.from({ length: 21 }, (_, i) => 16 << i),
];

export const threadAt = (slot: number): number => Header.end + slot * Thread.size;
export const HEAP_START = threadAt(MAX_THREADS + 1);

/** Words of each primitive, relative to its first word. */
export const MutexWord = {
  state: 0, // atomic: see mutex.ts
} as const;

export const RWMutexWord = {
  state: 0, // atomic: see rwmutex.ts
  ranked: 1, // 1 for a ranked lock: the writer's slot stands in the state; written at creation
  abandoned: 2, // 1 after a holder died; raw lock
} as const;

export const WaitGroupWord = { counter: 0 } as const; // raw lock

export const OnceWord = {
  state: 0, // atomic: 0 fresh, 1 running, 2 done; raises under the raw lock
  runner: 1, // slot of the thread that runs f; raw lock
  result: 2, // payload with the outcome of a OnceFunc, 0 = none; the runner, before state says done
  runs: 3, // how often f was called; the runner
} as const;

export const ChanWord = {
  cap: 0, // written at creation
  closed: 1, // atomic; raised under the raw lock
  sendx: 2, // values ever put into the buffer; raw lock
  recvx: 3, // values ever taken out; raw lock
  ring: 4, // payload block with the cells, 0 = none; written at creation
  ringMask: 5, // cells - 1, cells a power of two; written at creation
  elem: 6, // Elem; written at creation
  err: 7, // contexts: 0 open, 1 canceled, 2 deadline exceeded; raw lock, before closed
  cause: 8, // contexts: payload with the cause, 0 = same as err; raw lock, before closed
} as const;

export const ClockWord = {
  now: 0, // two words, a float64: the fake clock's time; whoever advances it
  table: 2, // payload block, see ClockTable; written at creation
} as const;

/** What each thread has told a fake clock, by thread slot. */
export const ClockTable = {
  due: 0, // a float64 a slot: when its first timer is due; own thread, under the clock's raw lock
  incarnation: (MAX_THREADS + 1) * 2, // a word a slot: whose entry it is; likewise
  words: (MAX_THREADS + 1) * 3,
} as const;

export const Elem = { any: 0, number: 1, void: 2 } as const;
export type Elem = (typeof Elem)[keyof typeof Elem];

/**
 * One direction of a mailbox. These words are not in the arena: each mailbox brings its own shared memory, with
 * the direction main → thread first. `sender` and `receiver` are the threads at the two ends.
 */
export const MailWord = {
  credits: 0, // atomic: messages the receiver still has room for; the sender takes, the receiver gives back
  rung: 1, // atomic: 1 while a doorbell is unanswered; the sender sets it, the receiver clears it
  thirst: 2, // atomic: 0 content, 1 set by a sender that waits for credits, 2 set by the receiver that gave some
  size: 4,
} as const;
