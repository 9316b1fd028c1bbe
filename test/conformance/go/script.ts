/**
 * Operations written once for both forms. A script yields wherever it may have to wait, with the blocking and
 * the async call side by side; whoever runs it picks one form for the whole script.
 */

export interface Wait {
  readonly block: () => unknown;
  readonly async: () => Promise<unknown>;
}

export type Script<T> = Generator<Wait, T, unknown>;

export function* wait<T>(block: () => T, async: () => Promise<T>): Script<T> {
  return (yield { block, async }) as T;
}

export function runBlocking<T>(script: Script<T>): T {
  let next = script.next();
  while (next.done !== true) {
    let value: unknown;
    try {
      value = next.value.block();
    } catch (error) {
      next = script.throw(error);
      continue;
    }
    next = script.next(value);
  }
  return next.value;
}

export async function runAsync<T>(script: Script<T>): Promise<T> {
  let next = script.next();
  while (next.done !== true) {
    let value: unknown;
    try {
      value = await next.value.async();
    } catch (error) {
      next = script.throw(error);
      continue;
    }
    next = script.next(value);
  }
  return next.value;
}
