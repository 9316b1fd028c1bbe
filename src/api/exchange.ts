/**
 * One request and its whole answer over an undici dispatcher.
 *
 * The promise settles exactly once: with the complete answer, or with a typed error, or with what the deadline said.
 * An answer is read to its end, so its connection can serve the next request; a request that must end early gives up
 * its connection. One that still waits for a connection is never sent.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Deadline } from './deadline.js';
import { answerTooLarge, apiUnreachable } from './errors.js';

export interface KubeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ExchangeLimits {
  /** The request in words, for errors. */
  readonly request: string;
  readonly maxBodyBytes: number;
  readonly deadline: Deadline;
}

export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<KubeAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerCollector(limits, resolve, reject);
    limits.deadline.onEnd = (reason) => handler.end(reason);
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      handler.end(apiUnreachable(limits.request, error));
    }
  });
}

class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: KubeAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #size = 0;
  #over = false;
  #why: unknown;

  constructor(
    limits: ExchangeLimits,
    resolve: (answer: KubeAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  end(why: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#why = why;
    this.#reject(why);
    this.#controller?.abort(asError(why));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) controller.abort(asError(this.#why));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#limits.maxBodyBytes) this.#tooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBodyBytes) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(apiUnreachable(this.#limits.request, error));
  }

  #tooLarge(): void {
    this.#chunks.length = 0;
    this.end(answerTooLarge(this.#limits.request, this.#limits.maxBodyBytes));
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
