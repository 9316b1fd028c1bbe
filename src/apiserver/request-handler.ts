/** A request's way through the server: who asks, what for, its faults, its body, its answer, its place in the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { FailureStatus } from '../kube/api-error.js';
import type { Clock } from '../sync/index.js';
import type { Endpoints } from './endpoints.js';
import { failureOf } from './fault-answer.js';
import { type Faults, type Outcome, type Rule, runRules } from './faults.js';
import { checkAccept } from './negotiate.js';
import type { RequestLog, RequestRecord } from './request-log.js';
import type { ApiRequest, Reply } from './request.js';
import { type Route, route } from './router.js';
import { StatusError, bodyTooLarge, internal, unauthorized } from './status-error.js';
import type { Store } from './store.js';
import { Watch, parseWatch } from './watch.js';

export interface RequestHandlerOptions {
  readonly store: Store;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly tokens: readonly string[] | undefined;
  readonly acceptsCertificates: boolean;
}

/** As the real server has it. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const NO_BODY = Buffer.alloc(0);

/** What is known of a request before its body. */
interface Head {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
  readonly query: URLSearchParams | undefined;
  /** Undefined for a path that is nothing of the API's. */
  readonly route: Route | undefined;
  /** Why it is refused without being looked at further. */
  readonly refusal: StatusError | undefined;
}

export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #authorizations: ReadonlySet<string>;
  readonly #watches = new Set<Watch>();

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#authorizations = new Set((options.tokens ?? []).map((token) => `Bearer ${token}`));
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false;
    const head = this.#head(request, response);
    response.on('close', () => this.#options.requests.finish(head.record, undefined));
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      this.#dispatch(head, NO_BODY);
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away: a client that still sends would not see the answer.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > MAX_BODY_BYTES) this.#dispatch({ ...head, refusal: bodyTooLarge(MAX_BODY_BYTES) }, NO_BODY);
      else this.#dispatch(head, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
  }

  close(): void {
    for (const watch of this.#watches) watch.end();
  }

  #head(request: IncomingMessage, response: ServerResponse): Head {
    const { url = '/', method = '' } = request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const query = mark < 0 ? undefined : new URLSearchParams(url.slice(mark + 1));
    let found: Route | undefined;
    let refusal: StatusError | undefined;
    try {
      if (!this.#isLetIn(request)) throw unauthorized();
      found = route(method, path, query);
      if (found !== undefined) {
        checkAccept(request.headers.accept, found.verb === 'list' || found.verb === 'watch');
      }
    } catch (error) {
      refusal = statusOf(error);
    }
    const record = this.#options.requests.start({
      method,
      verb: found?.verb,
      resource: found?.resource.plural ?? '',
      subresource: found?.subresource ?? '',
      namespace: found?.namespace ?? '',
      name: found?.name ?? '',
    });
    return { request, response, record, query, route: found, refusal };
  }

  #isLetIn(request: IncomingMessage): boolean {
    const { tokens, acceptsCertificates } = this.#options;
    if (tokens === undefined && !acceptsCertificates) return true;
    if (acceptsCertificates && (request.socket as TLSSocket).authorized) return true;
    return this.#authorizations.has(request.headers.authorization ?? '');
  }

  #dispatch(head: Head, body: Buffer): void {
    const rules = this.#options.faults.take(head.record);
    if (rules === undefined) this.#answer(head, () => this.#handle(head, body));
    else void this.#dispatchWithFaults(head, body, rules);
  }

  async #dispatchWithFaults(head: Head, body: Buffer, rules: readonly Rule[]): Promise<void> {
    const before = await runRules(rules, 'before', head.record);
    if (before.is !== 'go on') return this.#misbehave(head, before, undefined);
    // A watch begins to answer at once: there is no point after it.
    if (head.route?.verb === 'watch') return this.#answer(head, () => this.#handle(head, body));
    let answer: Reply | FailureStatus | undefined;
    try {
      answer = this.#handle(head, body);
    } catch (error) {
      answer = statusOf(error).status;
    }
    const after = await runRules(rules, 'after', head.record);
    if (after.is !== 'go on') this.#misbehave(head, after, answer);
    else this.#answer(head, () => answer);
  }

  /** Undefined: a path that is nothing of the API's, or a watch, which has begun. */
  #handle({ request, response, record, query, route, refusal }: Head, body: Buffer): Reply | undefined {
    if (refusal !== undefined) throw refusal;
    if (route === undefined) return undefined;
    const apiRequest: ApiRequest = { query, contentType: mediaType(request.headers['content-type']), body };
    if (route.verb !== 'watch') return this.#options.endpoints.handle(route, apiRequest);
    const watchQuery = parseWatch(route, apiRequest);
    const { store, clock, requests } = this.#options;
    const watch = new Watch(store, clock, route, watchQuery, response, () => {
      this.#watches.delete(watch);
      requests.finish(record, 200);
    });
    this.#watches.add(watch);
    watch.start();
    return undefined;
  }

  #answer(head: Head, handle: () => Reply | FailureStatus | undefined): void {
    let answer: Reply | FailureStatus | undefined;
    try {
      answer = handle();
    } catch (error) {
      answer = statusOf(error).status;
    }
    if (answer === undefined) {
      if (head.route === undefined) this.#send(head, 404, '404 page not found\n', TEXT_HEADERS);
      return;
    }
    if (isReply(answer)) this.#send(head, answer.code, answer.text, warningHeaders(answer.warnings));
    else this.#send(head, answer.code, JSON.stringify(answer), retryHeaders(answer));
  }

  #misbehave(head: Head, outcome: Outcome, answer: Reply | FailureStatus | undefined): void {
    if (outcome.is === 'fail') {
      const { status } = failureOf(outcome.failure, head.record);
      this.#answer(head, () => status);
      return;
    }
    if (outcome.is === 'drop' && outcome.half && answer !== undefined) {
      const text = isReply(answer) ? answer.text : JSON.stringify(answer);
      head.response.writeHead(answer.code, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      head.response.write(text.slice(0, text.length >> 1), () => head.request.socket.destroy());
      return;
    }
    head.request.socket.destroy();
  }

  #send({ response, record }: Head, code: number, text: string, headers: Headers | undefined): void {
    this.#options.requests.finish(record, code);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(code, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | number>>;

const TEXT_HEADERS: Headers = { 'content-type': 'text/plain; charset=utf-8' };

const isReply = (answer: Reply | FailureStatus): answer is Reply => 'text' in answer;

function warningHeaders(warnings: readonly string[]): Headers | undefined {
  if (warnings.length === 0) return undefined;
  return { warning: warnings.map((text) => `299 - ${asciiQuote(text)}`) };
}

/** Node sends no header with characters beyond Latin-1. */
const asciiQuote = (text: string): string =>
  JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function retryHeaders({ details }: FailureStatus): Headers | undefined {
  const seconds = details?.retryAfterSeconds;
  return seconds === undefined ? undefined : { 'retry-after': String(seconds) };
}

function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A mistake in the server is a 500 that says so, and does not end it. */
function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return internal(`panic: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
