/** What travels between main and the host threads. Types only. */
import type { MessagePort } from 'node:worker_threads';
import type { WireError } from '../observe/errors.js';
import type { Goroutine } from '../sync/goroutine.js';
import type { SchedulerStats } from './scheduler.js';

// --- mailbox -------------------------------------------------------------------------------------------------

export type MailKey = string | number;

/** A payload, with the key of which only the newest counts. */
export type Mail = string | readonly [text: string, key: MailKey];

export interface MailboxStats {
  /** Calls of post(). */
  readonly posted: number;
  /** Messages given to the port. */
  readonly sent: number;
  /** Payloads that a newer one of their key replaced before they were sent. */
  readonly replaced: number;
  /** Payloads dropped because the other end was gone. */
  readonly lost: number;
  /** Doorbells rung for mail. */
  readonly rings: number;
  /** Doorbells rung to tell the other end that its credits are back. */
  readonly refills: number;
  readonly received: number;
  /** Times the port was emptied. */
  readonly drains: number;
  /** Waiting for credits now. */
  readonly waiting: number;
  /** Left for sending. */
  readonly credits: number;
}

// --- control plane -------------------------------------------------------------------------------------------

/** comlink keeps no code of an error, so a failed call is a result, too. */
export type Outcome =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: WireError };

/** The one object each end of a control port exposes. */
export interface ControlEndpoint {
  invoke(method: string, args: readonly unknown[]): Promise<Outcome>;
}

/** First words of a host thread, before it runs anything that could fail. */
export interface Hello {
  readonly threadId: number;
  /** Its parker slot. */
  readonly slot: number;
}

export interface HostStats {
  readonly index: number;
  readonly incarnation: number;
  readonly threadId: number;
  readonly slot: number;
  readonly goroutines: number;
  readonly heapUsed: number;
  readonly scheduler: SchedulerStats;
  readonly mailbox: MailboxStats;
}

/** Ways to make a host suffer, for tests; refused unless the supervisor was made with `faults`. */
export type Fault =
  | { readonly kind: 'throw'; readonly message: string }
  | { readonly kind: 'reject'; readonly message: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'oom' }
  | { readonly kind: 'spin' };

/** Control methods every host has. */
export interface HostMethods {
  stats(): HostStats;
  goroutines(): Goroutine[];
  drain(): Promise<void>;
  stop(): Promise<void>;
  fault(fault: Fault): void;
}

/** Control methods main has for every host. */
export interface MainMethods {
  hello(hello: Hello): void;
  ready(): void;
}

// --- start of a host -----------------------------------------------------------------------------------------

/** The one task a host thread gets. */
export interface Boot {
  readonly index: number;
  readonly incarnation: number;
  readonly threads: number;
  /** URL of the module whose main(env) the host runs. */
  readonly hostModule: string;
  readonly data: unknown;
  readonly mail: MessagePort;
  readonly mailMemory: SharedArrayBuffer;
  readonly control: MessagePort;
  /** Held until the thread ends; whoever has the other end learns of that by its close. */
  readonly lifeline: MessagePort | null;
  /** Parker slot of the supervisor's thread. */
  readonly mainSlot: number;
  readonly faults: boolean;
}

/** How a host ended. */
export type HostEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'killed'; readonly why: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'out-of-memory'; readonly error: Error }
  | { readonly kind: 'error'; readonly error: Error };
