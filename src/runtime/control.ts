/**
 * The control plane: calls between main and one host thread, over comlink on a port of their own.
 *
 * Both ends are alike: each handles some methods and may call the other's. It is for what is rare and may be slow
 * (statistics, draining, dumps, questions to main), never for payloads or wake-ups.
 *
 * Promises
 * - A call settles: with the result, with the error the other thread threw (code and cause kept), or with
 *   ERR_THREAD_DIED once the port is closed, whichever comes first.
 * - The comlink proxy lives as long as the port: a collected one would release the port with calls in flight.
 * - While open, the port keeps its thread's event loop alive; after close() nothing of it is left.
 */
import type { MessagePort } from 'node:worker_threads';
import { type Endpoint, type Remote, expose, releaseProxy, wrap } from 'comlink';
import { fromWireError, toWireError } from '../observe/errors.js';
import { RuntimeError, notTransferable, threadDied, unknownMethod } from './errors.js';
import type { ControlEndpoint, Outcome } from './protocol.js';

type Method = (...args: never[]) => unknown;

export class ControlLink {
  /** Resolves when the other end is gone and every message it had sent was handled. */
  readonly closed: Promise<void>;

  readonly #port: MessagePort;
  readonly #peer: string;
  readonly #methods = new Map<string, Method>();
  readonly #remote: Remote<ControlEndpoint>;
  /** Calls in flight, by what rejects them. */
  readonly #inFlight = new Map<(error: Error) => void, string>();
  #isClosed = false;

  /** `peer` names the other thread in error messages. */
  constructor(port: MessagePort, peer: string) {
    this.#port = port;
    this.#peer = peer;
    this.closed = new Promise((resolve) => {
      port.on('close', () => {
        this.#onClose();
        resolve();
      });
    });
    // A Node port is an event target; only its declared types differ from the browser's.
    const endpoint = port as unknown as Endpoint;
    const mine: ControlEndpoint = { invoke: (method, args) => this.#invoke(method, args) };
    expose(mine, endpoint);
    this.#remote = wrap<ControlEndpoint>(endpoint);
  }

  /** Answers calls of `method`; a later handler replaces an earlier one. */
  handle(method: string, handler: Method): void {
    this.#methods.set(method, handler);
  }

  /** Handles every method of `methods`. */
  handleAll<M extends object>(methods: M): void {
    for (const [method, handler] of Object.entries(methods)) this.handle(method, handler as Method);
  }

  /** Calls `method` of the other thread. Arguments and result are copied. */
  call(method: string, ...args: unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(threadDied(this.#peer, method));
    return new Promise((resolve, reject) => {
      this.#inFlight.set(reject, method);
      const settle = (): void => void this.#inFlight.delete(reject);
      this.#remote.invoke(method, args).then(
        (outcome) => {
          settle();
          if (outcome.ok) resolve(outcome.value);
          else reject(fromWireError(outcome.error));
        },
        (error: unknown) => {
          settle();
          reject(notTransferable(method, error));
        },
      );
    });
  }

  /** Hangs up. Calls in flight are rejected here and at the other end. */
  close(): void {
    this.#port.close();
  }

  async #invoke(method: string, args: readonly unknown[]): Promise<Outcome> {
    try {
      const handler = this.#methods.get(method);
      if (handler === undefined) throw unknownMethod(method);
      return { ok: true, value: await (handler as (...args: readonly unknown[]) => unknown)(...args) };
    } catch (error) {
      return { ok: false, error: toWireError(error) };
    }
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#remote[releaseProxy]();
    for (const [reject, method] of this.#inFlight) reject(threadDied(this.#peer, method));
    this.#inFlight.clear();
    this.#methods.clear();
  }
}

/** True if `error` says that the thread asked is gone, not that something failed there. */
export function isThreadDied(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'ERR_THREAD_DIED';
}
