import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kubeConfigFor, loadKubeConfig } from '../../src/api/index.js';
import { cleanUp, clientOf, folder, json, serve, writeIn } from './fixture.js';

const saved = { ...process.env };
beforeEach(() => {
  for (const name of ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'])
    delete process.env[name];
  process.env.HOME = folder();
});
afterEach(async () => {
  process.env = { ...saved };
  await cleanUp();
});

interface Parts {
  readonly name?: string;
  readonly server?: string;
  readonly user?: object;
  readonly current?: string;
}

/** JSON is YAML. */
function configText({
  name = 'a',
  server = 'https://a.test',
  user = { token: 't' },
  current = name,
}: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': current,
  });
}

describe('where it is looked for', () => {
  test('the named file, before KUBECONFIG, before the home folder', async () => {
    const path = folder();
    const kube = join(process.env.HOME ?? '', '.kube');
    mkdirSync(kube);
    writeIn(kube, 'config', configText({ server: 'https://home.test' }));
    expect((await loadKubeConfig()).getCurrentCluster()?.server).toBe('https://home.test');
    process.env.KUBECONFIG = writeIn(path, 'env', configText({ server: 'https://env.test' }));
    expect((await loadKubeConfig()).getCurrentCluster()?.server).toBe('https://env.test');
    const named = writeIn(path, 'named', configText({ server: 'https://named.test' }));
    expect((await loadKubeConfig({ path: named })).getCurrentCluster()?.server).toBe('https://named.test');
  });

  test('several files are one: the first to name something wins, a missing one is skipped', async () => {
    const path = folder();
    process.env.KUBECONFIG = [
      join(path, 'missing'),
      writeIn(path, 'one', configText({ name: 'a', server: 'https://one.test', current: '' })),
      writeIn(path, 'two', configText({ name: 'a', server: 'https://two.test', current: 'b' })),
      writeIn(path, 'three', configText({ name: 'b', server: 'https://three.test' })),
    ].join(delimiter);
    const config = await loadKubeConfig();
    expect(config.getCurrentContext()).toBe('b');
    expect(config.getClusters().map(({ server }) => server)).toEqual([
      'https://one.test',
      'https://three.test',
    ]);
    expect((await loadKubeConfig({ context: 'a' })).getCurrentCluster()?.server).toBe('https://one.test');
  });

  test('at last the service account, whose token is read again', async () => {
    const root = folder();
    const account = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
    mkdirSync(account, { recursive: true });
    const token = writeIn(account, 'token', 'one');
    process.env.KUBERNETES_SERVICE_HOST = '10.96.0.1';
    process.env.KUBERNETES_SERVICE_PORT = '443';
    const config = await loadKubeConfig({ serviceAccountRoot: root });
    expect(config.getCurrentCluster()).toMatchObject({
      server: 'https://10.96.0.1:443',
      caFile: join(account, 'ca.crt'),
    });
    expect(config.getCurrentUser()?.authProvider).toMatchObject({ config: { tokenFile: token } });
  });

  test('nothing anywhere: the error says where', async () => {
    const error = await loadKubeConfig({ serviceAccountRoot: folder() }).catch((e: unknown) => e as Error);
    expect(error).toMatchObject({ code: 'ERR_KUBECONFIG' });
    expect((error as Error).message).toContain(join(process.env.HOME ?? '', '.kube', 'config'));
    expect((error as Error).message).toContain('service account');
  });
});

describe('what is wrong with it', () => {
  test.each([
    ['no YAML', 'users:\n- token: [sup3rsecret\n- {', 'line 3'],
    ['empty', '', 'cannot be used'],
    ['a word', 'hello', 'holds no configuration'],
    [
      'a cluster without server',
      '{"clusters":[{"name":"a","cluster":{}}]}',
      'clusters[0].cluster.server is missing',
    ],
    ['no current context', configText({ current: '' }), 'no current context; name one (it has a)'],
    ['an unknown context', configText({ current: 'z' }), "no context 'z'; it has a"],
    [
      'a context of no cluster',
      '{"current-context":"x","contexts":[{"name":"x","context":{"cluster":"gone"}}]}',
      "the cluster 'gone', which is not there",
    ],
    [
      'a context of no user',
      configText().replace('"user":"a"', '"user":"gone"'),
      "the user 'gone', which is not there",
    ],
  ])('%s', async (_, text, says) => {
    const path = writeIn(folder(), 'config', text);
    const error = await loadKubeConfig({ path }).catch((e: unknown) => e as Error);
    expect(error).toMatchObject({ code: 'ERR_KUBECONFIG' });
    expect((error as Error).message).toContain(path);
    expect((error as Error).message).toContain(says);
    expect(inspect(error)).not.toContain('sup3rsecret');
  });

  test('a missing file is named, whether it was given or in KUBECONFIG', async () => {
    const path = join(folder(), 'none');
    await expect(loadKubeConfig({ path })).rejects.toThrow(path);
    process.env.KUBECONFIG = path;
    await expect(loadKubeConfig()).rejects.toThrow(path);
  });
});

describe('what is added to client-node', () => {
  test('tokenFile, relative to the file, is sent', async () => {
    const server = await serve((_, response) => json(response, 200, {}));
    const path = folder();
    writeIn(path, 'token', 'from-file\n');
    const users = [
      { tokenFile: 'token' },
      { 'token-file': join(path, 'token') },
      { token: 'given', tokenFile: 'token' },
    ];
    for (const [index, user] of users.entries()) {
      const file = writeIn(path, `config-${index}`, configText({ server: server.url, user }));
      await clientOf(await loadKubeConfig({ path: file })).request({ method: 'GET', path: '/x' });
    }
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer from-file',
      'Bearer from-file',
      'Bearer given',
    ]);
  });

  test('a plugin’s path is relative to the file, a bare name is not', async () => {
    const path = folder();
    for (const [command, want] of [
      ['./bin/login', join(path, 'bin/login')],
      ['/bin/login', '/bin/login'],
      ['login', 'login'],
    ]) {
      const file = writeIn(path, 'config', configText({ user: { exec: { command, args: ['x'] } } }));
      const user = (await loadKubeConfig({ path: file })).getCurrentUser();
      expect(user?.exec).toEqual({ command: want, args: ['x'] });
    }
  });
});

describe('plain http', () => {
  test.each(['localhost:1', '127.0.0.1:1', '127.1.2.3', '[::1]:1', 'api.localhost'])(
    '%s is on this machine',
    async (host) => {
      const config = await kubeConfigFor({ server: `http://${host}` });
      expect(config.getCurrentCluster()?.skipTLSVerify).toBe(true);
      const path = writeIn(folder(), 'config', configText({ server: `http://${host}` }));
      expect((await loadKubeConfig({ path })).getCurrentCluster()?.skipTLSVerify).toBe(true);
    },
  );

  test.each(['10.0.0.1', '127.0.0.1.evil.test', 'localhost.test', 'example.test'])(
    '%s is not',
    async (host) => {
      await expect(kubeConfigFor({ server: `http://${host}` })).rejects.toMatchObject({
        code: 'ERR_KUBECONFIG',
      });
      const config = await kubeConfigFor({ server: `http://${host}`, skipTLSVerify: true });
      expect(config.getCurrentCluster()?.skipTLSVerify).toBe(true);
      const path = writeIn(folder(), 'config', configText({ server: `http://${host}` }));
      expect((await loadKubeConfig({ path })).getCurrentCluster()?.skipTLSVerify).toBe(false);
    },
  );

  test('https on this machine is verified all the same', async () => {
    const config = await kubeConfigFor({ server: 'https://127.0.0.1:6443', token: 't', ca: 'PEM' });
    expect(config.getCurrentCluster()).toMatchObject({
      skipTLSVerify: false,
      caData: Buffer.from('PEM').toString('base64'),
    });
    expect(config.getCurrentUser()?.token).toBe('t');
    await expect(kubeConfigFor({ server: 'nonsense' })).rejects.toMatchObject({ code: 'ERR_BAD_OPTION' });
  });
});
