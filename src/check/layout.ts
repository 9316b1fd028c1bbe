/**
 * Where every word of the shared lock-order table is. Nothing else.
 *
 * One SharedArrayBuffer a process, made by whoever turns the checks on first. All offsets count bytes. Most of it
 * is room for stack texts, one an edge; pages are committed when touched, so an unused edge costs nothing.
 *
 *   ┌────────┬────────────┬─────────────┬───────┬──────────────┬────────────────┐
 *   │ header │ class keys │ class names │ edges │ stack states │ stack texts …  │
 *   └────────┴────────────┴─────────────┴───────┴──────────────┴────────────────┘
 */

export const TABLE_MAGIC = 0x706f_6c6b;
export const TABLE_VERSION = 1;

/** Lock classes, that is rank names, a table has room for. */
export const CLASSES = 64;
/** 32-bit words of one row of the edge matrix. */
export const ROW_WORDS = CLASSES / 32;
export const NAME_BYTES = 64;
export const STACK_BYTES = 2048;

const HEADER_BYTES = 64;
const KEYS_AT = HEADER_BYTES;
const NAMES_AT = KEYS_AT + CLASSES * 8;
const EDGES_AT = NAMES_AT + CLASSES * NAME_BYTES;
const STATES_AT = EDGES_AT + CLASSES * ROW_WORDS * 4;
const STACKS_AT = STATES_AT + CLASSES * CLASSES * 4;

export const Table = {
  magic: 0, // 32 bits; written once by the maker
  version: 4, // 32 bits; written once
  keys: KEYS_AT, // 64 bits a class, atomic: hash of its name, 0 = free; taken in order, never given back
  names: NAMES_AT, // a class: length in one byte, then UTF-8; whoever knows the name, always the same bytes
  edges: EDGES_AT, // atomic: bit `to` of row `from`: a lock of `to` was taken while one of `from` was held
  states: STATES_AT, // atomic, 32 bits an edge: see StackState
  stacks: STACKS_AT, // text of the edge's first observation; whoever moved its state from none to writing
  bytes: STACKS_AT + CLASSES * CLASSES * STACK_BYTES,
} as const;

/** State of an edge's stack text; more than zero is its length. */
export const StackState = { none: 0, writing: -1 } as const;
