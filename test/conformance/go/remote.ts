/**
 * Calls on another thread: what was registered there can only be stopped there, and a thread that blocks has its
 * registrations elsewhere. The caller sends what it wants and waits for the answer, both through channels.
 */
import { fromWireError, toWireError } from '../../../src/observe/errors.js';
import { Chan, type ChanHandle, type Context, cancelHandle } from '../../../src/sync/index.js';
import { type Plain, fromPlain, toPlain } from './plain-handle.js';
import { type Script, wait } from './script.js';
import type { Answer, Answered, Message } from './thread-link.js';
import type { MadeContext } from './world.js';

export function* ask(thread: Plain<ChanHandle>, message: (answer: Answer) => Message): Script<unknown> {
  const answer = new Chan<Answered>();
  try {
    tell(thread, message(toPlain(answer.handle())));
    const answered = yield* wait(
      () => answer.recv(),
      () => answer.recvAsync(),
    );
    if ('thrown' in answered) throw fromWireError(answered.thrown);
    return answered.value;
  } finally {
    answer.dispose();
  }
}

export function tell(thread: Plain<ChanHandle>, message: Message): void {
  const control = Chan.attach<Message>(fromPlain(thread));
  if (!control.trySend(message)) throw new Error(`a thread that was told to ${message.is} is busy`);
}

/** Does it here and tells who asked. */
export async function answerTo(answer: Answer, call: () => unknown): Promise<void> {
  let answered: Answered;
  try {
    answered = { value: call() };
  } catch (error) {
    answered = { thrown: toWireError(error) };
  }
  await Chan.attach<Answered>(fromPlain(answer)).sendAsync(answered);
}

export function describeContext(name: string, context: Context, cancellable: boolean): MadeContext {
  return {
    name,
    context: toPlain(context.handle()),
    cancel: cancellable ? toPlain(cancelHandle(context)) : null,
  };
}
