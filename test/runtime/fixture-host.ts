/** The host module of the runtime's tests. What it does is told by `data` and by control calls. */
import type { HostEnv } from '../../src/runtime/index.js';
import { go } from '../../src/sync/index.js';

export interface FixtureData {
  /** Fails in main() while the word is below this. */
  readonly failUntil?: { readonly word: SharedArrayBuffer; readonly attempts: number };
  /** Ends the thread in main(), at once. */
  readonly exitInMain?: number;
  /** Posts in main(), before it is ready, then ends the thread right after. */
  readonly postAndExit?: number;
  /** Set when the thread exits. */
  readonly exitWord?: SharedArrayBuffer;
}

export function main(env: HostEnv): void {
  const { mailbox, control, scheduler } = env;
  const data = (env.data ?? {}) as FixtureData;
  const mails: [string, string | number | null][] = [];
  let isEcho = true;
  mailbox.onMail((text, key) => {
    mails.push([text, key]);
    if (isEcho) mailbox.post(text, key);
  });
  control.handleAll({
    received: () => mails,
    silence: () => void (isEcho = false),
    place: () => [env.index, env.incarnation, env.threads],
    fail: () => {
      throw Object.assign(new RangeError('no such pod'), {
        code: 'ERR_NO_SUCH_POD',
        cause: Object.assign(new Error('inner'), { code: 'ERR_INNER' }),
      });
    },
    unclonable: () => () => undefined,
    never: () => new Promise(() => undefined),
    /** Sleeps, the whole thread, until main sets the word; tells before that it is about to. */
    sleep: (memory: SharedArrayBuffer) => {
      const words = new Int32Array(memory);
      setImmediate(() => {
        Atomics.store(words, 1, 1);
        Atomics.notify(words, 1);
        Atomics.wait(words, 0, 0);
      });
    },
    /** Posts `count` numbered payloads and, in the same breath, dies if asked. */
    postAll: (count: number, end?: 'exit' | 'throw') => {
      setImmediate(() => {
        for (let i = 0; i < count; i++) mailbox.post(String(i));
        if (end === 'exit') process.exit(7);
        if (end === 'throw') throw new Error('died after posting');
      });
    },
    postKeyed: (key: string, texts: string[]) => {
      for (const text of texts) mailbox.post(text, key);
    },
    /** `count` runnables that always have work and queue themselves again. */
    busy: (count: number) => {
      for (let i = 0; i < count; i++) {
        const item = {
          queued: false,
          resume: () => {
            for (let spin = 0; spin < 20_000; spin++) Math.sqrt(spin);
            scheduler.enqueue(item);
          },
        };
        scheduler.enqueue(item);
      }
    },
    /** Counts timer ticks while others keep the thread busy. */
    ticks: (want: number) =>
      new Promise<number>((resolve) => {
        let seen = 0;
        const timer = setInterval(() => {
          if (++seen < want) return;
          clearInterval(timer);
          resolve(seen);
        }, 1);
      }),
    spawn: (name: string) => void go(() => new Promise(() => undefined), name),
    askMain: (method: string, ...args: unknown[]) => control.call(method, ...args),
  });
  if (data.exitInMain !== undefined) process.exit(data.exitInMain);
  if (data.failUntil !== undefined) {
    const attempt = Atomics.add(new Int32Array(data.failUntil.word), 0, 1) + 1;
    if (attempt < data.failUntil.attempts)
      throw Object.assign(new Error(`start ${attempt} failed`), { code: 'ERR_FIXTURE' });
  }
  if (data.exitWord !== undefined) {
    const word = new Int32Array(data.exitWord);
    process.once('exit', () => {
      Atomics.store(word, 0, 1);
      Atomics.notify(word, 0);
    });
  }
  if (data.postAndExit !== undefined) {
    const count = data.postAndExit;
    for (let i = 0; i < count; i++) mailbox.post(String(i));
    setImmediate(() => process.exit(9));
  }
}
