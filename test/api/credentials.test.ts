import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type KubeHttp } from '../../src/api/index.js';
import { type Logger } from '../../src/observe/logger.js';
import { type TestServer, cleanUp, clientOf, configOf, folder, json, serve, writeIn } from './fixture.js';

afterEach(cleanUp);

/** A server that takes one token only, which the test may change. */
async function guarded(): Promise<{ server: TestServer; readonly accept: (token: string) => void }> {
  let good = '';
  const server = await serve((asked, response) => {
    json(response, asked.headers.authorization === `Bearer ${good}` ? 200 : 401, {});
  });
  return { server, accept: (token) => (good = token) };
}

const statusOf = async (client: KubeHttp): Promise<number> =>
  (await client.request({ method: 'GET', path: '/x' })).status;

const sent = (server: TestServer): (string | undefined)[] =>
  server.asked.map(({ headers }) => headers.authorization);

/** Prints credentials from a file that the test may change, and counts how often it ran. */
function plugin(): { exec: object; give: (status: object) => void; runs: () => number } {
  const path = folder();
  const command = writeIn(
    path,
    'plugin.sh',
    '#!/bin/sh\ncd "$(dirname "$0")" && echo run >> runs && cat credential.json\n',
    0o700,
  );
  writeIn(path, 'runs', '');
  return {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args: [] },
    give: (status) => writeFileSync(join(path, 'credential.json'), JSON.stringify({ status })),
    runs: () => readFileSync(join(path, 'runs'), 'utf8').split('\n').length - 1,
  };
}

const FAR = '2999-01-01T00:00:00Z';

class Errors implements Logger {
  readonly messages: string[] = [];
  enabled = (): boolean => false;
  info(): void {}
  error(error: unknown, message: string): void {
    this.messages.push(`${message}: ${(error as Error).message}`);
  }
}

describe('what is sent', () => {
  test('basic auth, impersonation, and nothing', async () => {
    const server = await serve((_, response) => json(response, 200, {}));
    const users = [
      { username: 'ann', password: 'p:w' },
      { token: 't', impersonateUser: 'system:node:one' },
      {},
    ];
    for (const user of users) await statusOf(clientOf(await configOf({ server: server.url }, user)));
    expect(sent(server)).toEqual([
      `Basic ${Buffer.from('ann:p:w').toString('base64')}`,
      'Bearer t',
      undefined,
    ]);
    expect(server.asked.map(({ headers }) => headers['impersonate-user'])).toEqual([
      undefined,
      'system:node:one',
      undefined,
    ]);
  });

  test('an authenticator that was added is asked', async () => {
    const server = await serve((_, response) => json(response, 200, {}));
    const config = await configOf({ server: server.url }, { authProvider: { name: 'mine' } });
    config.addAuthenticator({
      isAuthProvider: (user) => (user.authProvider as { name: string }).name === 'mine',
      applyAuthentication: async (_, options) => {
        (options as { headers: Record<string, string> }).headers.Authorization = 'Mine 1';
      },
    });
    await statusOf(clientOf(config));
    expect(sent(server)).toEqual(['Mine 1']);
  });

  test('a later change of context sends nothing of it here', async () => {
    const server = await serve((_, response) => json(response, 200, {}));
    const config = await configOf({ server: server.url }, { token: 'of-here' });
    const client = clientOf(config);
    config.addCluster({ name: 'b', server: 'http://127.0.0.1:9', skipTLSVerify: true });
    config.addUser({ name: 'b', token: 'of-there' });
    config.addContext({ name: 'b', cluster: 'b', user: 'b' });
    config.setCurrentContext('b');
    expect(await statusOf(client)).toBe(200);
    expect(sent(server)).toEqual(['Bearer of-here']);
  });
});

describe('a token file', () => {
  async function withFile(): Promise<
    { client: KubeHttp; file: string; log: Errors; later: () => void } & Awaited<ReturnType<typeof guarded>>
  > {
    const guard = await guarded();
    const file = writeIn(folder(), 'token', 'one\n');
    const log = new Errors();
    let now = 0;
    const config = await configOf(
      { server: guard.server.url },
      { authProvider: { name: 'tokenFile', config: { tokenFile: file } } },
    );
    const client = clientOf(config, { now: () => now, logger: log });
    return { ...guard, client, file, log, later: () => (now += 60_000) };
  }

  test('is read again after a 401, and the request goes once more', async () => {
    const { server, accept, client, file } = await withFile();
    accept('one');
    expect(await statusOf(client)).toBe(200);
    writeFileSync(file, 'two\n');
    accept('two');
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(client)).toBe(200);
    expect(sent(server)).toEqual(['Bearer one', 'Bearer one', 'Bearer two', 'Bearer two']);
  });

  test('is read again after a minute, without being refused first', async () => {
    const { server, accept, client, file, later } = await withFile();
    accept('one');
    expect(await statusOf(client)).toBe(200);
    writeFileSync(file, 'two');
    later();
    expect(await statusOf(client)).toBe(200);
    accept('two');
    expect(await statusOf(client)).toBe(200);
    expect(sent(server)).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
  });

  test('that disappears leaves the old token in use; without one there is an error that names it', async () => {
    const { accept, client, file, log, later, server } = await withFile();
    accept('one');
    expect(await statusOf(client)).toBe(200);
    rmSync(file);
    later();
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(client)).toBe(200);
    expect(log.messages).toHaveLength(1);
    expect(log.messages[0]).toContain(file);
    const user = { authProvider: { name: 'tokenFile', config: { tokenFile: file } } };
    const fresh = clientOf(await configOf({ server: server.url }, user));
    await expect(statusOf(fresh)).rejects.toMatchObject({
      code: 'ERR_API_CREDENTIALS',
      message: expect.stringContaining(file) as string,
    });
  });

  test('a refusal that new credentials do not cure comes back as it is, after one request', async () => {
    const { server, accept, client } = await withFile();
    accept('other');
    expect(await statusOf(client)).toBe(401);
    expect(server.asked).toHaveLength(1);
  });
});

describe('an exec plugin', () => {
  test('runs once while its credentials are good, however many ask', async () => {
    const { server, accept } = await guarded();
    const { exec, give, runs } = plugin();
    accept('a');
    give({ token: 'a', expirationTimestamp: FAR });
    let now = 0;
    const client = clientOf(await configOf({ server: server.url }, { exec }), { now: () => now });
    const many = await Promise.all(Array.from({ length: 20 }, () => statusOf(client)));
    expect(new Set(many)).toEqual(new Set([200]));
    now = 60_000;
    await statusOf(client);
    await statusOf(client);
    expect(runs()).toBe(1);
  });

  test('runs again when they are refused before they expire; a crowd that is refused makes it run once', async () => {
    const { server, accept } = await guarded();
    const { exec, give, runs } = plugin();
    accept('a');
    give({ token: 'a', expirationTimestamp: FAR });
    const client = clientOf(await configOf({ server: server.url }, { exec }), { now: () => 0 });
    expect(await statusOf(client)).toBe(200);
    accept('b');
    give({ token: 'b', expirationTimestamp: FAR });
    const many = await Promise.all(Array.from({ length: 20 }, () => statusOf(client)));
    expect(new Set(many)).toEqual(new Set([200]));
    expect(runs()).toBe(2);
    accept('c');
    expect(await statusOf(client)).toBe(401);
    expect(runs()).toBe(2);
  });

  test('runs again when they have expired', async () => {
    const { server, accept } = await guarded();
    const { exec, give, runs } = plugin();
    accept('a');
    give({ token: 'a', expirationTimestamp: '2001-01-01T00:00:00Z' });
    let now = 0;
    const client = clientOf(await configOf({ server: server.url }, { exec }), { now: () => now });
    expect(await statusOf(client)).toBe(200);
    accept('b');
    give({ token: 'b', expirationTimestamp: FAR });
    now = 60_000;
    expect(await statusOf(client)).toBe(200);
    expect(runs()).toBe(2);
  });

  test.each([
    ['fails', '#!/bin/sh\necho no such user >&2; exit 3\n', 'no such user'],
    ['prints nonsense', '#!/bin/sh\necho hello\n', 'JSON'],
  ])('that %s is an error which says so, and the next request tries again', async (_, script, says) => {
    const { server, accept } = await guarded();
    accept('a');
    const command = writeIn(folder(), 'plugin.sh', script, 0o700);
    const client = clientOf(await configOf({ server: server.url }, { exec: { command, args: [] } }));
    await expect(statusOf(client)).rejects.toMatchObject({
      code: 'ERR_API_CREDENTIALS',
      message: expect.stringContaining(says) as string,
    });
    writeFileSync(command, `#!/bin/sh\necho '{"status":{"token":"a"}}'\n`);
    expect(await statusOf(client)).toBe(200);
  });

  test('that hangs is in the request’s time, and its credentials are for the next one', async () => {
    const { server, accept } = await guarded();
    accept('a');
    const path = folder();
    const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
while [ -d . ] && [ ! -e go ]; do sleep 0.02; done
echo '{"status":{"token":"a"}}'
`;
    const command = writeIn(path, 'plugin.sh', script, 0o700);
    const client = clientOf(await configOf({ server: server.url }, { exec: { command, args: [] } }));
    const hurried = client.request({ method: 'GET', path: '/x', timeoutMs: 50 });
    await expect(hurried).rejects.toMatchObject({ code: 'ERR_API_TIMEOUT' });
    writeIn(path, 'go', '');
    expect(await statusOf(client)).toBe(200);
  });
});

describe('OIDC', () => {
  test('an ID token that is good is sent', async () => {
    const server = await serve((_, response) => json(response, 200, {}));
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ exp: 32_503_680_000 })}.sig`;
    const user = { authProvider: { name: 'oidc', config: { 'id-token': token } } };
    await statusOf(clientOf(await configOf({ server: server.url }, user)));
    expect(sent(server)).toEqual([`Bearer ${token}`]);
  });
});

/** A server that has a request, and answers it when told to. */
async function holding(): Promise<{ server: TestServer; held: Promise<() => void> }> {
  let reached: (answer: () => void) => void = () => undefined;
  const held = new Promise<() => void>((resolve) => (reached = resolve));
  const server = await serve((_, response) => reached(() => json(response, 200, {})));
  return { server, held };
}

describe('the client', () => {
  test('plain http needs the word of the user', async () => {
    const config = await configOf({ server: 'http://10.0.0.1', skipTLSVerify: false });
    await expect(statusOf(clientOf(config))).rejects.toMatchObject({ code: 'ERR_API_CREDENTIALS' });
  });

  test('closed, it takes nothing more, and waits for what is under way', async () => {
    const { server, held } = await holding();
    const client = clientOf(await configOf({ server: server.url }));
    const order: string[] = [];
    const request = statusOf(client).then((status) => order.push(String(status)));
    const answer = await held;
    const closed = client.close().then(() => order.push('closed'));
    await expect(statusOf(client)).rejects.toMatchObject({ code: 'ERR_API_CLOSED' });
    answer();
    await Promise.all([request, closed]);
    expect(order).toEqual(['200', 'closed']);
  });

  test('destroyed, what is under way fails, also after close', async () => {
    const { server, held } = await holding();
    const client = clientOf(await configOf({ server: server.url }));
    const request = statusOf(client);
    await held;
    const closed = client.close();
    await client.destroy();
    await expect(request).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
    await closed;
  });

  test.each([
    [{ connections: 0 }, 'connections'],
    [{ connections: NaN }, 'connections'],
    [{ timeoutMs: -1 }, 'timeoutMs'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
  ])('refuses %j', async (options, name) => {
    const config = await configOf({ server: 'http://127.0.0.1:9' });
    expect(() => clientOf(config, options)).toThrow(name);
  });

  test.each(['ftp://x', 'nonsense', ''])('refuses the server %j', async (server) => {
    const config = await configOf({ server });
    expect(() => clientOf(config)).toThrow('must be an http or https URL');
  });
});
