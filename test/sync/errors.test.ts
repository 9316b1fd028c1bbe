/** Every error of test/vectors/go/errors.json, by the text Go has for it, or the reason why it cannot occur. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  Chan,
  Cond,
  type Context,
  GoFatal,
  GoPanic,
  Mutex,
  Once,
  OnceFunc,
  RWMutex,
  WaitGroup,
  afterFunc,
  background,
  canceled,
  deadlineExceeded,
  go,
  onPanic,
  runMain,
  selectAsync,
  withCancel,
  withValue,
} from '../../src/sync/index.js';
import { inRepository } from '../support/repository.js';

interface Entry {
  readonly name: string;
  readonly kind: 'panic' | 'fatal' | 'crash' | 'error';
  readonly text?: string;
  readonly stderr?: string;
}

const entries = JSON.parse(readFileSync(inRepository('test/vectors/go/errors.json'), 'utf8')) as Entry[];

const nothing = null as unknown as Context;
const closed = (): Chan<number> => {
  const chan = new Chan<number>(1);
  chan.close();
  return chan;
};

/** What a goroutine that nobody recovers panics with. */
function uncaught(fn: () => unknown): Promise<never> {
  onTestFinished(() => onPanic(null));
  return new Promise((_, reject) => {
    onPanic(reject);
    go(fn);
  });
}

const boom = (): never => {
  throw new Error('boom');
};

/** Each throws, or rejects with, the error. */
const provoked: Record<string, () => unknown> = {
  'send-on-closed': () => closed().sendAsync(1),
  'trysend-on-closed': () => closed().trySend(1),
  'close-of-closed': () => closed().close(),
  'close-of-nil': () => Chan.nil().close(),
  'makechan-negative': () => new Chan(-1),
  'wg-negative': () => new WaitGroup().done(),
  'wg-reused': async () => {
    const group = new WaitGroup();
    group.add(1);
    const wait = group.waitAsync();
    group.done();
    group.add(1);
    await wait;
  },
  'cond-copied': () => (Object.create(new Cond(new Mutex())) as Cond).signal(),
  'ctx-nil-parent': () => withCancel(nothing),
  'ctx-nil-key': () => withValue(background(), null as unknown as string, 1),
  'ctx-key-not-comparable': () => withValue(background(), [] as unknown as string, 1),
  'ctx-afterfunc-nil-ctx': () => afterFunc(nothing, () => undefined),
  'mutex-unlock-unlocked': () => new Mutex().unlock(),
  'rwmutex-unlock-unlocked': () => new RWMutex().unlock(),
  'rwmutex-unlock-read-locked': () => {
    const lock = new RWMutex();
    lock.tryRLock();
    lock.unlock();
  },
  'rwmutex-runlock-unlocked': () => new RWMutex().rUnlock(),
  'rwmutex-runlock-write-locked': () => {
    const lock = new RWMutex();
    lock.tryLock();
    lock.rUnlock();
  },
  'cond-wait-unlocked': () => new Cond(new Mutex()).waitAsync(),
  'deadlock-recv': () => runMain(() => new Chan().recvAsync()),
  'deadlock-nil-recv': () => runMain(() => Chan.nil().recvAsync()),
  'deadlock-select-empty': () => runMain(() => selectAsync([])),
  'deadlock-mutex': () =>
    runMain(async () => {
      const mutex = new Mutex();
      await mutex.lockAsync();
      await mutex.lockAsync();
    }),
  'deadlock-waitgroup': () =>
    runMain(() => {
      const group = new WaitGroup();
      group.add(1);
      return group.waitAsync();
    }),
  'deadlock-once': () =>
    runMain(() => {
      const once = new Once();
      return once.doAsync(() => once.doAsync(() => undefined));
    }),
  'uncaught-string': () => uncaught(boom),
  'uncaught-error': () =>
    uncaught(() => {
      throw new TypeError('custom error text');
    }),
  'uncaught-errors-new': () =>
    uncaught(() => {
      throw new Error('made by errors.New');
    }),
  'uncaught-runtime': () => uncaught(() => closed().close()),
  'uncaught-repanicked': () =>
    uncaught(() => {
      try {
        boom();
      } catch (panic) {
        throw panic;
      }
    }),
  'uncaught-wg-go': () => {
    const group = new WaitGroup();
    onTestFinished(() => onPanic(null));
    return new Promise((_, reject) => {
      onPanic(reject);
      group.go(boom);
    });
  },
  'uncaught-oncefunc': () => uncaught(() => new OnceFunc(boom).callAsync()),
  'uncaught-oncefunc-second-call': () => {
    const once = new OnceFunc(boom);
    return uncaught(() => once.callAsync().catch(() => once.callAsync()));
  },
  'context.Canceled': () => {
    throw canceled;
  },
  'context.DeadlineExceeded': () => {
    throw deadlineExceeded;
  },
};

const impossible: Record<string, string> = {
  'wg-add-concurrent-with-wait': 'counter and waiters change under one lock',
  'panic-nil': 'a JavaScript throw takes any value, undefined too',
  'uncaught-int': 'what is thrown arrives as it was thrown; there is no text to it',
  'deadlock-goexit-main': 'there is no Goexit',
};

test.each(entries.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
  if (name in impossible) {
    expect(provoked).not.toHaveProperty([name]);
    return;
  }
  const error: unknown = await (async () => provoked[name]())().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  // What Go prints for an uncaught panic is the text with marks of its own around it.
  const text = entry.text ?? /^panic: (.*?)( \[recovered, repanicked\])?$/.exec(entry.stderr ?? '')?.[1];
  expect((error as Error).message).toBe(text);
  if (entry.kind === 'panic') expect(error).toBeInstanceOf(GoPanic);
  if (entry.kind === 'fatal') expect(error).toBeInstanceOf(GoFatal);
  if (entry.kind === 'panic' || entry.kind === 'fatal')
    expect((error as GoPanic).code).toMatch(/^ERR_[A-Z_]+$/);
});

test('there is a reason for each that cannot occur', () => {
  expect(entries.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(provoked), ...Object.keys(impossible)].sort(),
  );
});
