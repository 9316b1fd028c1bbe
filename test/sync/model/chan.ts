/** Channels: a buffer and two lines of goroutines, plain operations and selects in one line. */
import { fireSelect } from './select.js';
import type { Op, Run } from './world.js';

/** A place in line. A select stands once in each line, with the cases that brought it there. */
export interface Waiter {
  readonly g: number;
  /** Of a plain operation. */
  readonly v?: number;
  readonly cases?: readonly number[];
}

export interface ChanModel {
  readonly nil: boolean;
  readonly cap: number;
  /** What a value arrives as: itself, or nothing. */
  readonly elem: 'any' | 'number' | 'void';
  closed: boolean;
  buffer: (number | null)[];
  receivers: Waiter[];
  senders: Waiter[];
}

export const newChan = (cap: number, elem: ChanModel['elem'], nil = false): ChanModel => ({
  nil,
  cap,
  elem,
  closed: false,
  buffer: [],
  receivers: [],
  senders: [],
});

export const zero = (ch: ChanModel): number | null => (ch.elem === 'number' ? 0 : null);
const carried = (ch: ChanModel, v: number): number | null => (ch.elem === 'void' ? null : v);

export const canSend = (ch: ChanModel): boolean =>
  !ch.nil && (ch.closed || ch.receivers.length > 0 || ch.buffer.length < ch.cap);
export const canRecv = (ch: ChanModel): boolean =>
  !ch.nil && (ch.closed || ch.buffer.length > 0 || ch.senders.length > 0);

/** A send that can go: false if it panics. */
export function sendNow(run: Run, ch: ChanModel, v: number): boolean {
  if (ch.closed) return false;
  const receiver = ch.receivers.shift();
  if (receiver === undefined) ch.buffer.push(carried(ch, v));
  else endReceive(run, receiver, carried(ch, v), true);
  return true;
}

/** A receive that can go. */
export function recvNow(run: Run, ch: ChanModel): { v: number | null; ok: boolean } {
  const head = ch.buffer.shift();
  const sender = ch.senders.shift();
  if (head === undefined && sender === undefined) return { v: zero(ch), ok: false };
  const sent = sender === undefined ? null : carried(ch, endSend(run, sender, true));
  if (head === undefined) return { v: sent, ok: true };
  if (sender !== undefined) ch.buffer.push(sent);
  return { v: head, ok: true };
}

function endReceive(run: Run, waiter: Waiter, v: number | null, ok: boolean): void {
  if (waiter.cases === undefined) run.complete(waiter.g, { v, ok });
  else fireSelect(run, waiter, { v, ok });
}

/** Ends a sleeping send, well or in a panic; answers its value. */
function endSend(run: Run, waiter: Waiter, well: boolean): number {
  if (waiter.cases !== undefined) return fireSelect(run, waiter, well ? {} : { error: 'ERR_SEND_ON_CLOSED' });
  run.complete(waiter.g, well ? {} : { error: 'ERR_SEND_ON_CLOSED' });
  return waiter.v as number;
}

export function stepChan(run: Run, g: number, op: Extract<Op, { ch: number }>): void {
  const ch = run.world.chans[op.ch];
  switch (op.op) {
    case 'send':
      if (!canSend(ch)) {
        run.block(g, op);
        if (!ch.nil) ch.senders.push({ g, v: op.v });
      } else run.complete(g, sendNow(run, ch, op.v) ? {} : { error: 'ERR_SEND_ON_CLOSED' });
      return;
    case 'trySend':
      if (!canSend(ch)) run.complete(g, { ok: false });
      else run.complete(g, sendNow(run, ch, op.v) ? { ok: true } : { error: 'ERR_SEND_ON_CLOSED' });
      return;
    case 'recv':
      if (!canRecv(ch)) {
        run.block(g, op);
        if (!ch.nil) ch.receivers.push({ g });
      } else run.complete(g, recvNow(run, ch));
      return;
    case 'tryRecv':
      run.complete(g, canRecv(ch) ? recvNow(run, ch) : {});
      return;
    case 'close':
      if (ch.nil) return run.complete(g, { error: 'ERR_CLOSE_OF_NIL' });
      if (ch.closed) return run.complete(g, { error: 'ERR_CLOSE_OF_CLOSED' });
      ch.closed = true;
      while (ch.receivers.length > 0) endReceive(run, ch.receivers.shift() as Waiter, zero(ch), false);
      while (ch.senders.length > 0) endSend(run, ch.senders.shift() as Waiter, false);
      run.complete(g);
  }
}
