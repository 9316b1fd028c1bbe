/** Runs one case against a server and compares answer by answer. */
import type { Verdict } from '../kind.js';
import type { Client } from './client.js';
import { type Scope, expand, expandText } from './expand.js';
import type { HttpCase, Json, Step, Want } from './format.js';
import { type Difference, Matcher } from './match.js';
import { isObject } from './paths.js';
import { OpenWatch, type WatchEvent } from './watches.js';

const CHECKED_HEADERS = ['content-type', 'warning', 'allow', 'retry-after', 'location'];

export async function runCase(client: Client, vector: HttpCase, id: string): Promise<Verdict> {
  const run = new Run(client, vector, id);
  try {
    return await run.run();
  } finally {
    run.close();
  }
}

class Run {
  readonly #client: Client;
  readonly #vector: HttpCase;
  readonly #answers: Json[] = [];
  readonly #scope: Scope;
  readonly #matcher = new Matcher(() => Date.now());
  readonly #watches = new Map<string, OpenWatch>();

  constructor(client: Client, vector: HttpCase, id: string) {
    this.#client = client;
    this.#vector = vector;
    const variables = { id, ns: `ho-${id}`, ns2: `ho-${id}-b` };
    this.#scope = { variables, answers: this.#answers };
  }

  async run(): Promise<Verdict> {
    for (const variable of this.#vector.namespaces) await this.#createNamespace(variable);
    for (const [index, step] of this.#vector.steps.entries()) {
      const want = this.#vector.want[index];
      this.#matcher.nextStep();
      const { resourceVersion, continue: token } = step.query ?? {};
      this.#matcher.listVersionsAreFree = resourceVersion !== undefined || token !== undefined;
      const difference = (await this.#step(step, want)) ?? this.#matcher.checkOrder();
      if (difference === undefined) continue;
      const what = `step ${index + 1} (${step.method ?? 'collect'} ${step.path ?? ''})`;
      const { path, expected, got } = difference;
      return { is: 'failed', step: path === '' ? what : `${what}: ${path}`, expected, got };
    }
    return { is: 'passed' };
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close();
  }

  async #createNamespace(variable: string): Promise<void> {
    const name = this.#scope.variables[variable];
    const { status } = await this.#client.send({
      method: 'POST',
      path: '/api/v1/namespaces',
      headers: { 'content-type': 'application/json', authorization: 'Bearer conformance' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    });
    if (status !== 201) throw new Error(`namespace ${name}: ${status}`);
  }

  async #step(step: Step, want: Want): Promise<Difference | undefined> {
    if (step.watch?.collect !== undefined) {
      const watch = this.#watches.get(step.watch.collect);
      if (watch === undefined) throw new Error(`no watch ${step.watch.collect}`);
      this.#answers.push(undefined);
      return this.#events(watch, step, want);
    }
    const request = this.#request(step);
    if (step.watch === undefined || (want.status ?? 200) !== 200) {
      return this.#answer(await this.#client.send(request), want);
    }
    const response = await this.#client.open(request);
    this.#answers.push(undefined);
    const status = response.statusCode ?? 0;
    const headers = this.#headers(response.headers as Record<string, string>, status, want);
    const watch = new OpenWatch(response);
    this.#watches.set(step.watch.id ?? `step ${this.#answers.length}`, watch);
    if (headers !== undefined || step.watch.id !== undefined) return headers;
    return this.#events(watch, { ...step, watch: { ...step.watch, close: true } }, want);
  }

  #request(step: Step) {
    const scope = this.#scope;
    const headers: Record<string, string> = {
      authorization: 'Bearer conformance',
      'user-agent': 'conformance/1',
    };
    const body =
      step.rawBody !== undefined
        ? String(expand(step.rawBody, scope))
        : step.body !== undefined
          ? JSON.stringify(expand(step.body, scope))
          : undefined;
    if (body !== undefined) headers['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      if (value === null) delete headers[name];
      else headers[name] = expandText(value, scope);
    }
    const query = Object.entries(step.query ?? {})
      .map(([name, value]) => `${name}=${encodeURIComponent(expandText(value, scope))}`)
      .join('&');
    const path = expandText(step.path, scope) + (query === '' ? '' : `?${query}`);
    const { method, freshConnection = false } = step;
    return { method, path, headers, freshConnection, ...(body === undefined ? {} : { body }) };
  }

  #answer(
    response: { status: number; headers: Readonly<Record<string, string>>; body: Buffer },
    want: Want,
  ): Difference | undefined {
    const text = response.body.toString('utf8');
    const isJson = (response.headers['content-type'] ?? '').includes('json') && text !== '';
    const body: Json = isJson ? JSON.parse(text) : undefined;
    this.#answers.push(body);
    const headers = this.#headers(response.headers, response.status, want);
    if (headers !== undefined) return { ...headers, got: `${headers.got} ${text.slice(0, 300)}` };
    if (want.text !== undefined)
      return this.#matcher.text(this.#expandWant(want.text) as string, text, 'text');
    if (want.textPrefix !== undefined && !text.startsWith(want.textPrefix)) {
      return { path: 'text', expected: want.textPrefix, got: text.slice(0, 100) };
    }
    if (want.base64Prefix !== undefined) {
      const got = response.body.toString('base64', 0, 3);
      return got === want.base64Prefix ? undefined : { path: 'body', expected: want.base64Prefix, got };
    }
    if (want.bodyMatch === undefined) return undefined;
    const expected = this.#expandWant(want.bodyMatch);
    return this.#matcher.compare(expected, withoutManagedFields(body), want.exact ?? [], want.absent ?? []);
  }

  #headers(headers: Readonly<Record<string, string>>, status: number, want: Want): Difference | undefined {
    if (want.status !== undefined && want.status !== status) {
      return { path: 'status', expected: String(want.status), got: String(status) };
    }
    for (const name of CHECKED_HEADERS) {
      const expected = want.headers?.[name];
      const got = headers[name];
      if (expected === undefined && name !== 'warning') continue;
      if (expected === undefined && got === undefined) continue;
      const difference = this.#matcher.text(
        this.#expandWant(expected ?? '') as string,
        got ?? '',
        `header ${name}`,
      );
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  async #events(watch: OpenWatch, step: Step, want: Want): Promise<Difference | undefined> {
    const options = step.watch ?? {};
    const expected = want.events ?? [];
    let events = await watch.collect(options);
    if (options.bookmarksOptional === true) events = events.filter(({ type }) => type !== 'BOOKMARK');
    if (options.collapseBookmarks === true) events = events.filter(isNoRepeatedBookmark);
    const types = (list: readonly { readonly type: string }[]): string =>
      list.map(({ type }) => type).join(' ');
    if (types(events) !== types(expected)) {
      return { path: 'events', expected: types(expected), got: types(events) };
    }
    for (const [index, { bodyMatch, exact = [], absent = [] }] of expected.entries()) {
      const object = withoutManagedFields(events[index]?.object);
      const difference = this.#matcher.compare(this.#expandWant(bodyMatch), object, exact, absent);
      if (difference !== undefined) return { ...difference, path: `event ${index + 1}: ${difference.path}` };
    }
    if (want.closed === true && !watch.isClosed) {
      return { path: 'stream', expected: 'closed by the server', got: 'open' };
    }
    return undefined;
  }

  #expandWant(value: Json): Json {
    return expand(value, { variables: this.#scope.variables, answers: [] });
  }
}

const isNoRepeatedBookmark = ({ type }: WatchEvent, index: number, all: readonly WatchEvent[]): boolean =>
  type !== 'BOOKMARK' || all[index - 1]?.type !== 'BOOKMARK';

/** The vectors leave them out everywhere. */
function withoutManagedFields(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutManagedFields);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'managedFields')
      .map(([key, item]) => [key, withoutManagedFields(item)]),
  );
}
