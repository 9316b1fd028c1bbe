/** What a host module gets to work with. Such a module exports `main`, of type HostMain. */
import type { ControlLink } from './control.js';
import type { Mailbox } from './mailbox.js';
import type { Scheduler } from './scheduler.js';

export type HostHook = () => void | Promise<void>;

export interface HostEnv {
  /** The host's place, 0 … threads - 1; a replacement takes over its place. */
  readonly index: number;
  /** Which thread of that place this is, from 1. */
  readonly incarnation: number;
  readonly threads: number;
  /** What the supervisor was given as `data`. */
  readonly data: unknown;
  /** To and from main. */
  readonly mailbox: Mailbox;
  readonly scheduler: Scheduler;
  /** To and from main. */
  readonly control: ControlLink;
  /** Asked to come to an end: take nothing new, resolve when what was begun is done. */
  onDrain(hook: HostHook): void;
  /** The host is about to be stopped: give back what the thread holds. */
  onStop(hook: HostHook): void;
}

/** Sets the host up; the host counts as ready when it has returned. An error is a failed start of the host. */
export type HostMain = (env: HostEnv) => void | Promise<void>;
