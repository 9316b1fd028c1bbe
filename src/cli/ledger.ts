/**
 * The demo's ledger: balances in shared memory behind one RWMutex.
 *
 * A transfer is plain reads and writes, nothing atomic, with some work in between. Take the lock away, and transfers
 * overlap and auditors look in the middle of one: within a second the sum is wrong and the audit says so.
 */
import { RWMutex, type RWMutexHandle } from '../sync/index.js';

export interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

export interface LedgerHandle {
  readonly memory: SharedArrayBuffer;
  readonly lock: RWMutexHandle;
}

export const ACCOUNTS = 16;
const OPENING_BALANCE = 1000;
export const TOTAL = ACCOUNTS * OPENING_BALANCE;

/** Words behind the balances, both written under the write lock. */
const LAST_WRITER = ACCOUNTS;
const HAND_OFFS = ACCOUNTS + 1;

export class Ledger {
  readonly #words: Int32Array;
  readonly #lock: RWMutex;

  constructor(memory: SharedArrayBuffer, lock: RWMutex) {
    this.#words = new Int32Array(memory);
    this.#lock = lock;
  }

  static open(): Ledger {
    const ledger = new Ledger(new SharedArrayBuffer((ACCOUNTS + 2) * 4), new RWMutex());
    ledger.#words.fill(OPENING_BALANCE, 0, ACCOUNTS);
    return ledger;
  }

  static attach(handle: LedgerHandle): Ledger {
    return new Ledger(handle.memory, RWMutex.attach(handle.lock));
  }

  handle(): LedgerHandle {
    return { memory: this.#words.buffer as SharedArrayBuffer, lock: this.#lock.handle() };
  }

  /** How often the write lock went from one thread to another. */
  get handOffs(): number {
    return this.#words[HAND_OFFS];
  }

  async book({ from, to, amount }: Transfer, thread: number): Promise<void> {
    await this.#lock.lockAsync();
    try {
      const words = this.#words;
      const left = words[from] - amount;
      const right = words[to] + amount;
      words[from] = left;
      paperwork(amount);
      words[to] = right;
      if (words[LAST_WRITER] !== thread) {
        if (words[LAST_WRITER] !== 0) words[HAND_OFFS]++;
        words[LAST_WRITER] = thread;
      }
    } finally {
      this.#lock.unlock();
    }
  }

  /** The sum of all balances: TOTAL, unless the lock let somebody through. */
  async audit(): Promise<number> {
    await this.#lock.rLockAsync();
    try {
      return this.#words.subarray(0, ACCOUNTS).reduce((sum, balance) => sum + balance, 0);
    } finally {
      this.#lock.rUnlock();
    }
  }

  dispose(): void {
    this.#lock.dispose();
  }
}

/** About a microsecond of work. */
function paperwork(amount: number): number {
  let stamp = amount;
  for (let i = 0; i < 1000; i++) stamp = (stamp * 31 + i) | 0;
  return stamp;
}
