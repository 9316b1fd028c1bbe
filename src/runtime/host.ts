/**
 * Main's side of one host thread, from its launch to its end.
 *
 *   Launch ──hello──▶ the thread is known ──ready──▶ Host ──▶ over
 *
 * `over` is the last thing that happens: the task has settled, the thread has exited, every control message was
 * handled, all mail was delivered. In this order, because a thread's exit overtakes its messages while a port's
 * close never does: after the exit the control port runs empty by itself, which may still make the host ready;
 * then the mail is taken, as the port's close stands behind it.
 *
 * Neither `ready` nor `over` is left unsettled, and `over` never rejects.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Goroutine } from '../sync/goroutine.js';
import { parker } from '../sync/parker.js';
import { ControlLink } from './control.js';
import { diedStarting } from './errors.js';
import { Mailbox, mailboxMemory } from './mailbox.js';
import type { Boot, Fault, Hello, HostEnd, HostStats, MainMethods } from './protocol.js';
import type { ThreadWatch, WatchedThread } from './thread-watch.js';

const ENTRY = new URL('../../workers/host.js', import.meta.url).href;

/** A host that is, or was, ready. */
export class Host {
  readonly index: number;
  /** Which thread of its place this is, from 1. */
  readonly incarnation: number;
  readonly threadId: number;
  /** Parker slot of the thread. */
  readonly slot: number;
  readonly mailbox: Mailbox;
  readonly control: ControlLink;
  readonly #kill: (why: string) => void;

  constructor(boot: Boot, hello: Hello, mailbox: Mailbox, control: ControlLink, kill: (why: string) => void) {
    this.index = boot.index;
    this.incarnation = boot.incarnation;
    this.threadId = hello.threadId;
    this.slot = hello.slot;
    this.mailbox = mailbox;
    this.control = control;
    this.#kill = kill;
  }

  stats(): Promise<HostStats> {
    return this.control.call('stats') as Promise<HostStats>;
  }

  /** The goroutines that live on the thread now. */
  goroutines(): Promise<Goroutine[]> {
    return this.control.call('goroutines') as Promise<Goroutine[]>;
  }

  /** Resolves when the host has finished what it had begun. */
  async drain(): Promise<void> {
    await this.control.call('drain');
  }

  /** For tests. Resolves before the fault strikes. */
  async fault(fault: Fault): Promise<void> {
    await this.control.call('fault', fault);
  }

  /** Terminates the thread, whatever it does; it gets no chance to clean up. */
  kill(why = 'kill()'): void {
    this.#kill(why);
  }
}

export interface LaunchOptions {
  readonly pool: Piscina;
  readonly threads: ThreadWatch;
  readonly boot: Pick<Boot, 'index' | 'incarnation' | 'threads' | 'hostModule' | 'data' | 'faults'>;
  readonly credits: number | undefined;
  readonly lifeline: ((port: MessagePort, slot: number) => void) | undefined;
}

export class Launch {
  /** Rejects if the thread ended before it was ready. */
  readonly ready: Promise<Host>;
  readonly over: Promise<HostEnd>;
  /** The task has settled: stopped, or the thread is about to end. */
  readonly settled: Promise<void>;

  readonly #threads: ThreadWatch;
  readonly #control: ControlLink;
  readonly #abort = new AbortController();
  readonly #lifeline: MessagePort | null;
  #mailbox: Mailbox | null = null;
  #thread: WatchedThread | null = null;
  #taskError: Error | null = null;
  #killed: string | null = null;

  constructor(options: LaunchOptions) {
    const mail = new MessageChannel();
    const control = new MessageChannel();
    const life = options.lifeline === undefined ? null : new MessageChannel();
    const boot: Boot = {
      ...options.boot,
      mail: mail.port2,
      mailMemory: mailboxMemory(options.credits),
      control: control.port2,
      lifeline: life?.port2 ?? null,
      mainSlot: parker().slot,
    };
    this.#threads = options.threads;
    this.#lifeline = life?.port1 ?? null;
    this.#control = new ControlLink(control.port1, `host ${boot.index} (incarnation ${boot.incarnation})`);

    let becomeReady!: (host: Host) => void;
    let failToStart!: (error: Error) => void;
    this.ready = new Promise((resolve, reject) => {
      becomeReady = resolve;
      failToStart = reject;
    });
    this.ready.catch(() => undefined);

    let host: Host | null = null;
    const methods: MainMethods = {
      hello: (hello) => {
        this.#thread = this.#threads.find(hello.threadId);
        this.#mailbox = new Mailbox({
          port: mail.port1,
          memory: boot.mailMemory,
          side: 'main',
          peer: hello.slot,
        });
        host = new Host(boot, hello, this.#mailbox, this.#control, (why) => this.kill(why));
        if (life !== null) options.lifeline?.(life.port1, hello.slot);
      },
      ready: () => {
        if (host !== null) becomeReady(host);
      },
    };
    this.#control.handleAll(methods);

    this.settled = this.#run(options.pool, boot, life);
    this.over = this.settled.then(async () => {
      await this.#end(mail.port1);
      const end = this.#howItEnded();
      failToStart(startError(boot.index, end));
      return end;
    });
  }

  /** Asks the host to end in an orderly way; `settled` tells when it has. */
  async stop(): Promise<void> {
    await this.#control.call('stop');
  }

  kill(why: string): void {
    this.#killed ??= why;
    this.#abort.abort();
  }

  async #run(pool: Piscina, boot: Boot, life: MessageChannel | null): Promise<void> {
    const transferList = [boot.mail, boot.control, ...(life === null ? [] : [life.port2])];
    try {
      await pool.run(boot, { filename: ENTRY, name: 'run', transferList, signal: this.#abort.signal });
    } catch (error) {
      this.#taskError = error instanceof Error ? error : new Error(String(error));
    }
  }

  async #end(mailPort: MessagePort): Promise<void> {
    // A task that failed may have got to no thread, or to one that could not even load the entry and lives on.
    // If it said hello, that stands in the control port by now.
    for (let turn = 0; turn < 3 && this.#thread === null; turn++) await new Promise(setImmediate);
    if (this.#thread === null) {
      this.#control.close();
      mailPort.close();
      this.#lifeline?.close();
    } else {
      await this.#thread.exited;
    }
    await this.#control.closed;
    this.#mailbox?.finish();
    await this.#mailbox?.closed;
  }

  #howItEnded(): HostEnd {
    const error = this.#thread?.error ?? (this.#thread === null ? this.#taskError : null);
    if (this.#taskError === null) return { kind: 'stopped' };
    if (this.#killed !== null) return { kind: 'killed', why: this.#killed };
    if (error === null) return { kind: 'exit', code: this.#thread?.exitCode ?? -1 };
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'out-of-memory', error };
    return { kind: 'error', error };
  }
}

function startError(index: number, end: HostEnd): Error {
  switch (end.kind) {
    case 'error':
    case 'out-of-memory':
      return end.error;
    case 'exit':
      return diedStarting(index, `exited with code ${end.code}`);
    case 'killed':
      return diedStarting(index, `was killed: ${end.why}`);
    case 'stopped':
      return diedStarting(index, 'was stopped');
  }
}
