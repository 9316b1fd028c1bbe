/**
 * Payloads between main and one host thread: text over a port, doorbells and credits in shared memory.
 *
 * Promises
 * - post() neither blocks nor waits. With a credit the message is on its way when post() returns, and arrives
 *   even if this thread dies right after. Without one it waits here; of the waiting ones with a key only the
 *   newest of each key is kept, so what waits is bounded by the number of keys. Posts without a key are all kept,
 *   up to a limit, and then refused with ERR_MAILBOX_FULL.
 * - What arrives is in the order of the posts, but for a payload that replaced a waiting one of its key: it takes
 *   over that one's place. (At the tail instead, a key that changes faster than credits return would never go.)
 * - A burst rings once: no doorbell while an earlier one is unanswered.
 * - onMail is called from the event loop only, never inside a blocking call, and for all mail of a dead thread
 *   before `closed` resolves. Until a handler is set mail waits in the port.
 *
 * The port has no message listener: a listener comes too late (it needs a turn of the loop to itself) and takes
 * what it likes. Each doorbell is the parker's, so a thread has one word to sleep on; receiveMessageOnPort takes
 * what is there, at most as much as there were credits, because they are given back only after a drain.
 *
 * Each doorbell counts as one pending unit of the thread it wakes, raised before `rung` (or `thirst`) can be seen
 * and owed by whoever answers it. Each of these words goes up on one side only and down on the other only, so
 * nobody has to take a raise back:
 *
 *   sender    post the message;   look at rung;     0 → raise, rung = 1, signal
 *   receiver  clear rung, owe;    drain the port;   give credits back;   thirst is 1 → raise, thirst = 2, signal
 *   sender    no credit: thirst 0 → 1, look again;  woken with thirst 2 → 0, owe, send what waits
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { MailWord, Signal, Thread, threadAt } from '../sync/layout.js';
import { parker } from '../sync/parker.js';
import { badOption, mailboxFull, raiseUncaught } from './errors.js';
import type { Mail, MailKey, MailboxStats } from './protocol.js';

export type MailHandler = (text: string, key: MailKey | null) => void;

export interface MailboxOptions {
  readonly port: MessagePort;
  /** What mailboxMemory() made; the same at both ends. */
  readonly memory: SharedArrayBuffer;
  readonly side: 'main' | 'thread';
  /** Parker slot of the thread at the other end. */
  readonly peer: number;
  /** How many posts without a key may wait. Default 16,384. */
  readonly maxWaiting?: number;
}

export const DEFAULT_CREDITS = 256;
const DEFAULT_MAX_WAITING = 16_384;

export function mailboxMemory(credits = DEFAULT_CREDITS): SharedArrayBuffer {
  if (!Number.isInteger(credits) || credits < 1 || credits > 1 << 20) {
    throw badOption('credits', 'an integer from 1 to 2^20', credits);
  }
  const memory = new SharedArrayBuffer(MailWord.size * 2 * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(memory);
  words[MailWord.credits] = words[MailWord.size + MailWord.credits] = credits;
  return memory;
}

export class Mailbox {
  /** Resolves when the other end is gone and all it sent was handled. */
  readonly closed: Promise<void>;

  readonly #port: MessagePort;
  readonly #words: Int32Array;
  readonly #out: number;
  readonly #in: number;
  readonly #peer: number;
  readonly #peerIncarnation: number;
  readonly #maxWaiting: number;
  readonly #parker = parker();
  /** Waiting for credits, in order; posts without a key have a key of their own. */
  readonly #waiting = new Map<MailKey | symbol, Mail>();
  #keyless = 0;
  #handler: MailHandler | null = null;
  #delivering = false;
  #isClosed = false;
  readonly #flushListeners: (() => void)[] = [];
  readonly #stats = {
    posted: 0,
    sent: 0,
    replaced: 0,
    lost: 0,
    rings: 0,
    refills: 0,
    received: 0,
    drains: 0,
  };

  constructor(options: MailboxOptions) {
    this.#port = options.port;
    this.#words = new Int32Array(options.memory);
    this.#out = options.side === 'main' ? 0 : MailWord.size;
    this.#in = options.side === 'main' ? MailWord.size : 0;
    this.#peer = options.peer;
    this.#peerIncarnation = this.#incarnation();
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
    this.closed = new Promise((resolve) => {
      this.#port.on('close', () => {
        this.#onClose();
        resolve();
      });
    });
    this.#parker.mailListeners.add(this.#onRing);
    this.#parker.listen();
  }

  /** Who gets the mail. What came earlier comes now. */
  onMail(handler: MailHandler): void {
    this.#handler = handler;
    this.#onRing();
  }

  /** Sends `text`, or keeps it until there are credits. False: the other end is gone, and so is the message. */
  post(text: string, key: MailKey | null = null): boolean {
    this.#stats.posted++;
    if (this.#isClosed) {
      this.#stats.lost++;
      return false;
    }
    const mail: Mail = key === null ? text : [text, key];
    if (this.#waiting.size === 0 && this.#takeCredit()) {
      this.#send(mail);
      this.#ring();
      return true;
    }
    if (key === null) {
      if (this.#keyless >= this.#maxWaiting) throw mailboxFull(this.#maxWaiting);
      this.#keyless++;
      this.#waiting.set(Symbol(), mail);
    } else {
      if (this.#waiting.has(key)) this.#stats.replaced++;
      this.#waiting.set(key, mail);
    }
    if (!this.#isStillDry()) this.#flush();
    return true;
  }

  /** Resolves when nothing waits for credits here any more, or the other end is gone. */
  flushed(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#flushListeners.push(resolve));
  }

  stats(): MailboxStats {
    const credits = Atomics.load(this.#words, this.#out + MailWord.credits);
    return { ...this.#stats, waiting: this.#waiting.size, credits };
  }

  /** Hangs up: the other end still gets what was sent, this one gets nothing more. */
  close(): void {
    this.#port.close();
  }

  /**
   * The other thread is dead: takes what it had sent, rung or not. Only then does the port find its close, which
   * stands behind the messages.
   */
  finish(): void {
    this.#drain();
  }

  // --- sending -----------------------------------------------------------------------------------------------

  #takeCredit(): boolean {
    // Only this thread lowers it, so a positive count cannot vanish in between.
    if (Atomics.load(this.#words, this.#out + MailWord.credits) <= 0) return false;
    Atomics.sub(this.#words, this.#out + MailWord.credits, 1);
    return true;
  }

  #send(mail: Mail): void {
    this.#port.postMessage(mail);
    this.#stats.sent++;
  }

  /** After the messages: a receiver that clears `rung` before it drains cannot miss them. */
  #ring(): void {
    const rung = this.#out + MailWord.rung;
    if (Atomics.load(this.#words, rung) !== 0) return;
    this.#stats.rings++;
    this.#wakePeer(rung, 1);
  }

  /** Counts the doorbell, shows it, rings it. */
  #wakePeer(word: number, value: number): void {
    // After a death another thread may have got the slot, which would never answer.
    if (this.#incarnation() !== this.#peerIncarnation) return;
    this.#parker.raise(this.#peer);
    Atomics.store(this.#words, word, value);
    this.#parker.signal(this.#peer, Signal.mail);
  }

  #incarnation(): number {
    return Atomics.load(this.#parker.words, threadAt(this.#peer) + Thread.incarnation);
  }

  /** Asks for a doorbell when credits return. With `thirst` at 2 that doorbell has rung and is to be answered. */
  #isStillDry(): boolean {
    Atomics.compareExchange(this.#words, this.#out + MailWord.thirst, 0, 1);
    // The receiver may have given credits before it could see the thirst.
    return Atomics.load(this.#words, this.#out + MailWord.credits) <= 0;
  }

  /** Sends what waits, as far as credits go. */
  #flush(): void {
    do {
      let sent = false;
      for (const [key, mail] of this.#waiting) {
        if (!this.#takeCredit()) break;
        this.#waiting.delete(key);
        if (typeof key === 'symbol') this.#keyless--;
        this.#send(mail);
        sent = true;
      }
      if (sent) this.#ring();
    } while (this.#waiting.size > 0 && !this.#isStillDry());
    if (this.#waiting.size === 0) this.#announceFlushed();
  }

  #announceFlushed(): void {
    for (const listener of this.#flushListeners.splice(0)) listener();
  }

  // --- receiving ---------------------------------------------------------------------------------------------

  #onRing = (): void => {
    if (this.#delivering || this.#isClosed) return;
    this.#delivering = true;
    queueMicrotask(this.#deliver);
  };

  #deliver = (): void => {
    this.#delivering = false;
    const words = this.#words;
    const thirst = this.#out + MailWord.thirst;
    if (Atomics.load(words, thirst) === 2) {
      Atomics.store(words, thirst, 0);
      this.#parker.owe();
      if (this.#waiting.size > 0) this.#flush();
    }
    if (this.#handler === null) return;
    if (Atomics.exchange(words, this.#in + MailWord.rung, 0) === 1) {
      this.#parker.owe();
      const taken = this.#drain();
      if (taken > 0) this.#giveCredits(taken);
    }
  };

  /** Takes what is in the port; answers how much that was. */
  #drain(): number {
    let taken = 0;
    for (;;) {
      const next: { message: unknown } | undefined = receiveMessageOnPort(this.#port);
      if (next === undefined) break;
      taken++;
      const mail = next.message as Mail;
      try {
        if (typeof mail === 'string') this.#handler?.(mail, null);
        else this.#handler?.(mail[0], mail[1]);
      } catch (error) {
        raiseUncaught(error);
      }
    }
    this.#stats.drains++;
    this.#stats.received += taken;
    return taken;
  }

  #giveCredits(count: number): void {
    const words = this.#words;
    Atomics.add(words, this.#in + MailWord.credits, count);
    const thirst = this.#in + MailWord.thirst;
    if (Atomics.load(words, thirst) !== 1) return;
    this.#stats.refills++;
    this.#wakePeer(thirst, 2);
  }

  // --- the end -----------------------------------------------------------------------------------------------

  #onClose(): void {
    this.#isClosed = true;
    this.#parker.mailListeners.delete(this.#onRing);
    this.#stats.lost += this.#waiting.size;
    this.#waiting.clear();
    this.#keyless = 0;
    // Doorbells nobody will answer any more were counted as pending work of this thread.
    if (Atomics.exchange(this.#words, this.#in + MailWord.rung, 0) === 1) this.#parker.owe();
    if (Atomics.compareExchange(this.#words, this.#out + MailWord.thirst, 2, 0) === 2) this.#parker.owe();
    this.#announceFlushed();
  }
}
