import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpStatusClient, USER_AGENT } from '../../src/api/index.js';
import { ApiError, isConflict, isNotFound } from '../../src/kube/api-error.js';
import {
  type Answerer,
  type TestServer,
  cleanUp,
  clientOf,
  configOf,
  json,
  serve,
  serveSocket,
} from './fixture.js';

afterEach(cleanUp);

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', uid: 'u1' } };

async function against(
  answer: Answerer,
  options = {},
): Promise<{ server: TestServer; client: HttpStatusClient }> {
  const server = await serve(answer);
  const config = await configOf({ server: server.url }, { token: 'secret' });
  return { server, client: new HttpStatusClient(clientOf(config, options)) };
}

async function atPort(port: number, options = {}): Promise<HttpStatusClient> {
  return new HttpStatusClient(clientOf(await configOf({ server: `http://127.0.0.1:${port}` }), options));
}

const failure = (code: number, rest: object): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code,
  ...rest,
});

async function rejected(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => expect.fail('it was resolved'),
    (error: unknown) => error as Error,
  );
}

describe('what is asked', () => {
  test('a pod is fetched, and every field of it is kept', async () => {
    const pod = {
      ...POD,
      spec: { futureField: [1, { deep: null }] },
      status: { startTime: '2024-03-01T10:00:00Z' },
    };
    const { server, client } = await against((_, response) => json(response, 200, pod));
    expect(await client.getPod('default', 'web')).toEqual(pod);
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: 'GET', url: '/api/v1/namespaces/default/pods/web', body: '' });
    expect(asked.headers).toMatchObject({
      authorization: 'Bearer secret',
      accept: 'application/json',
      'user-agent': USER_AGENT,
    });
    expect(USER_AGENT).toMatch(/^podloom\/\d+\.\d+\.\d+\S* \([a-z0-9]+\/[a-z0-9]+\)$/);
  });

  test('a status goes out as the patch it was given, lone surrogates as U+FFFD', async () => {
    const { server, client } = await against((_, response) => json(response, 200, POD));
    expect(await client.patchPodStatus('ns', 'web', '{"status":{"message":"a\udc80é"}}')).toEqual(POD);
    expect(server.asked[0]).toMatchObject({
      method: 'PATCH',
      url: '/api/v1/namespaces/ns/pods/web/status',
      body: '{"status":{"message":"a\ufffdé"}}',
    });
    expect(server.asked[0].headers['content-type']).toBe('application/strategic-merge-patch+json');
  });

  test('a pod is deleted by name and UID', async () => {
    const { server, client } = await against((_, response) => json(response, 200, POD));
    await client.deletePod('ns', 'web', { gracePeriodSeconds: 0, uid: 'u1' });
    expect(server.asked[0]).toMatchObject({ method: 'DELETE', url: '/api/v1/namespaces/ns/pods/web' });
    expect(JSON.parse(server.asked[0].body)).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u1' },
    });
  });

  test('names cannot leave their place in the path', async () => {
    const { server, client } = await against((_, response) => json(response, 200, POD));
    await client.getPod('a/../b', 'x?y#z%2f');
    expect(server.asked[0].url).toBe('/api/v1/namespaces/a%2F..%2Fb/pods/x%3Fy%23z%252f');
    for (const name of ['', '.', '..', '\udc80', undefined as unknown as string]) {
      expect(await rejected(client.getPod('ns', name))).toMatchObject({ code: 'ERR_BAD_NAME' });
      expect(await rejected(client.getPod(name, 'pod'))).toMatchObject({ code: 'ERR_BAD_NAME' });
    }
    expect(server.asked).toHaveLength(1);
  });

  test('a server with a path of its own keeps it', async () => {
    const server = await serve((_, response) => json(response, 200, POD));
    const config = await configOf({ server: `${server.url}/k8s/clusters/c1/` });
    await new HttpStatusClient(clientOf(config)).getPod('ns', 'web');
    expect(server.asked[0].url).toBe('/k8s/clusters/c1/api/v1/namespaces/ns/pods/web');
  });
});

describe('refusals', () => {
  test('a Status becomes an ApiError', async () => {
    const { client } = await against((asked, response) => {
      if (asked.method === 'GET') {
        json(response, 404, failure(404, { reason: 'NotFound', message: 'pods "web" not found' }));
      } else {
        json(response, 409, failure(409, { reason: 'Conflict', message: 'changed' }));
      }
    });
    const gone = await rejected(client.getPod('ns', 'web'));
    expect(gone).toMatchObject({
      code: 'ERR_API',
      status: 404,
      reason: 'NotFound',
      message: 'pods "web" not found',
    });
    expect(isNotFound(gone)).toBe(true);
    expect(
      isConflict(await rejected(client.deletePod('ns', 'web', { gracePeriodSeconds: 0, uid: 'u' }))),
    ).toBe(true);
  });

  test.each([
    ['header', { 'retry-after': '7' }, {}, 7],
    ['Status', {}, { details: { retryAfterSeconds: 3 } }, 3],
    ['header before Status', { 'retry-after': '7' }, { details: { retryAfterSeconds: 3 } }, 7],
    ['date, not understood', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, {}, undefined],
    ['nothing', {}, {}, undefined],
  ])('429: how long to wait comes from the %s', async (_, headers, rest, seconds) => {
    const { client } = await against((_asked, response) => {
      response.writeHead(429, headers).end(JSON.stringify(failure(429, { message: 'slow down', ...rest })));
    });
    const error = await rejected(client.getPod('ns', 'web'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, reason: 'TooManyRequests', retryAfterSeconds: seconds });
  });

  test('a page of a proxy is quoted, and cut', async () => {
    const page = `<html>\n<h1>Bad Gateway</h1>\n${'é'.repeat(100_000)}`;
    const { client } = await against((_, response) => response.writeHead(502).end(page));
    const error = await rejected(client.getPod('ns', 'web'));
    expect(error).toMatchObject({ code: 'ERR_API', status: 502, reason: 'Unknown' });
    expect(error.message).toMatch(
      /^GET \/api\/v1\/namespaces\/ns\/pods\/web: the server answered 502: <html> <h1>Bad/,
    );
    expect(error.message.endsWith('é…')).toBe(true);
    expect([...error.message].length).toBeLessThan(400);
  });

  test.each([
    ['nothing', ''],
    ['JSON that is no object', 'null'],
    ['JSON that is no Status', '{"reason":"Fake","message":"fake"}'],
  ])('a refusal with %s still has a status, a reason and a message', async (_, body) => {
    const { client } = await against((_asked, response) => response.writeHead(503).end(body));
    const error = await rejected(client.getPod('ns', 'web'));
    expect(error).toMatchObject({ status: 503, reason: 'ServiceUnavailable' });
    expect(error.message).toContain('the server answered 503');
  });

  test('a redirect is not followed', async () => {
    const { client } = await against((_, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    );
    expect(await rejected(client.getPod('ns', 'web'))).toMatchObject({ code: 'ERR_API', status: 307 });
  });
});

describe('broken answers', () => {
  test.each([
    ['no JSON', 'not json'],
    ['nothing', ''],
    ['null', 'null'],
    ['no metadata', '{"kind":"Pod"}'],
  ])('200 with %s', async (_, body) => {
    const { client } = await against((_asked, response) => response.end(body));
    expect(await rejected(client.getPod('ns', 'web'))).toMatchObject({ code: 'ERR_API_BAD_ANSWER' });
  });

  test.each([
    ['resets the connection', ''],
    ['ends within the header', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['ends within a body of known length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"meta'],
    ['ends within a chunked body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"meta'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ])('a server that %s', async (_, bytes) => {
    const port = await serveSocket((socket) => {
      socket.once('data', () => (bytes === '' ? socket.resetAndDestroy() : socket.end(bytes)));
    });
    const error = await rejected((await atPort(port)).getPod('ns', 'web'));
    expect(error).toMatchObject({ code: 'ERR_API_UNREACHABLE' });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('nobody listens', async () => {
    const server = await serve(() => undefined);
    await cleanUp();
    const error = await rejected((await atPort(server.port)).getPod('ns', 'web'));
    expect(error).toMatchObject({ code: 'ERR_API_UNREACHABLE', cause: { code: 'ECONNREFUSED' } });
  });

  test.each([
    ['announced', { 'content-length': String(9 * 1024 * 1024) }],
    ['not announced', {}],
  ])('an answer too large, %s, is not taken in, and the client goes on', async (_, headers) => {
    let isHuge = true;
    const { client } = await against((_asked, response) => {
      if (!isHuge) return json(response, 200, POD);
      response.writeHead(200, headers);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 32)));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    expect(await rejected(client.getPod('ns', 'web'))).toMatchObject({ code: 'ERR_API_TOO_LARGE' });
    isHuge = false;
    expect(await client.getPod('ns', 'web')).toEqual(POD);
  });
});

describe('time and aborts', () => {
  test.each([
    ['never answers', () => undefined],
    [
      'never ends its answer',
      (_: unknown, response: ServerResponse) => void response.writeHead(200).write('{"meta'),
    ],
  ])('a server that %s', async (_, answer) => {
    const { client } = await against(answer, { timeoutMs: 50 });
    const error = await rejected(client.getPod('ns', 'web'));
    expect(error).toMatchObject({ code: 'ERR_API_TIMEOUT' });
    expect(error.message).toContain('GET /api/v1/namespaces/ns/pods/web: no complete answer within 50 ms');
  });

  /** Holds what is asked for the pod `held` and answers the rest. */
  const holding =
    (onHeld: () => void = () => undefined): Answerer =>
    (asked, response) => {
      if (asked.url.endsWith('/held')) onHeld();
      else json(response, 200, POD);
    };
  const pods = (server: TestServer): unknown[] => server.asked.map(({ url }) => url.split('/').at(-1));

  test('a request that waits for a connection is in time, too', async () => {
    const { server, client } = await against(holding(), { timeoutMs: 50, connections: 1 });
    const both = await Promise.all([
      rejected(client.getPod('ns', 'held')),
      rejected(client.getPod('ns', 'waits')),
    ]);
    expect(both.map((error) => error.code)).toEqual(['ERR_API_TIMEOUT', 'ERR_API_TIMEOUT']);
    expect(pods(server)).not.toContain('waits');
  });

  test('an abort before, during, and while waiting for a connection, with its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('the pod is gone');
    const { server, client } = await against(
      holding(() => abort.abort(reason)),
      { connections: 1 },
    );
    const both = [client.getPod('ns', 'held', abort.signal), client.getPod('ns', 'waits', abort.signal)];
    expect(await Promise.all(both.map(rejected))).toEqual([reason, reason]);
    expect(await rejected(client.patchPodStatus('ns', 'late', '{}', abort.signal))).toBe(reason);
    // It comes after those that were given up in the one line there is.
    await client.getPod('ns', 'after');
    expect(pods(server)).toEqual(['held', 'after']);
  });

  test('a signal that outlives its requests holds none of them, and does nothing to them later', async () => {
    const { client } = await against((_, response) => json(response, 200, POD));
    const abort = new AbortController();
    let listeners = 0;
    const add = abort.signal.addEventListener.bind(abort.signal);
    const remove = abort.signal.removeEventListener.bind(abort.signal);
    abort.signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    abort.signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    await Promise.all(Array.from({ length: 100 }, () => client.getPod('ns', 'web', abort.signal)));
    expect(listeners).toBe(0);
    abort.abort();
    expect(await client.getPod('ns', 'web')).toEqual(POD);
  });
});

describe('connections', () => {
  test('1,000 requests at once take no more than the connections allowed', async () => {
    const { server, client } = await against((_, response) => json(response, 200, POD), { connections: 8 });
    await Promise.all(Array.from({ length: 1000 }, (_, i) => client.patchPodStatus('ns', `pod-${i}`, '{}')));
    expect(server.asked).toHaveLength(1000);
    expect(server.connections).toBeLessThanOrEqual(8);
  });

  test('one after the other, refusals and deletions included, keep theirs', async () => {
    const { server, client } = await against(
      (asked, response) => {
        if (asked.url.endsWith('/odd')) response.writeHead(502).end('x'.repeat(100_000));
        else json(response, 200, POD);
      },
      { connections: 8 },
    );
    for (let i = 0; i < 20; i++) {
      await rejected(client.getPod('ns', 'odd'));
      await client.getPod('ns', 'even');
      await client.deletePod('ns', 'even', { gracePeriodSeconds: 0, uid: 'u' });
    }
    // The next request may come before undici has its connection back.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});
