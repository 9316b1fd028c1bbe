import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { afterEach, expect, test } from 'vitest';
import { USER_AGENT, kubeConfigFor, typedApis } from '../../src/api/index.js';
import { type Answerer, type TestServer, cleanUp, clientOf, json, serve } from './fixture.js';

afterEach(cleanUp);

async function against(
  answer: Answerer,
  base = '',
): Promise<{ server: TestServer; core: CoreV1Api; leases: CoordinationV1Api }> {
  const server = await serve(answer);
  const config = await kubeConfigFor({ server: server.url + base, token: 'secret' });
  const apis = await typedApis(clientOf(config));
  return { server, core: apis(CoreV1Api), leases: apis(CoordinationV1Api) };
}

test('typed calls go over the same connections, with credentials and our name', async () => {
  const { server, core } = await against((_, response) => json(response, 200, { metadata: { name: 'one' } }));
  for (let i = 0; i < 10; i++) await core.readNode({ name: 'one' });
  const { items } = await core.listNode({ labelSelector: 'a in (b,c)', limit: 5 });
  expect(items).toEqual(undefined);
  expect(server.connections).toBeLessThanOrEqual(2);
  expect(server.asked[0]).toMatchObject({ method: 'GET', url: '/api/v1/nodes/one' });
  expect(server.asked[0].headers).toMatchObject({ authorization: 'Bearer secret', 'user-agent': USER_AGENT });
  expect(new URL(server.asked.at(-1)?.url ?? '', 'http://x').searchParams.get('labelSelector')).toBe(
    'a in (b,c)',
  );
});

test('bodies and patches are sent as client-node makes them', async () => {
  const { server, core, leases } = await against((_, response) => json(response, 201, { metadata: {} }));
  await leases.createNamespacedLease({
    namespace: 'kube-node-lease',
    body: { metadata: { name: 'one' }, spec: { holderIdentity: 'one' } },
  });
  await core.patchNodeStatus(
    { name: 'one', body: { status: { phase: 'Running' } } },
    setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
  );
  expect(JSON.parse(server.asked[0].body)).toMatchObject({ spec: { holderIdentity: 'one' } });
  expect(server.asked[1].headers['content-type']).toBe('application/strategic-merge-patch+json');
  expect(server.asked[1].body).toBe('{"status":{"phase":"Running"}}');
});

test('a refusal is client-node’s ApiException', async () => {
  const { core } = await against((_, response) => json(response, 404, { kind: 'Status', code: 404 }));
  const error = await core.readNode({ name: 'one' }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ApiException);
  expect(error).toMatchObject({ code: 404 });
});

test('what did not reach the server is ours', async () => {
  const { core } = await against((_, response) => response.destroy());
  await expect(core.readNode({ name: 'one' })).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
});

test('a server with a path of its own keeps it', async () => {
  const { server, core } = await against(
    (_, response) => json(response, 200, { metadata: {} }),
    '/k8s/clusters/c1/',
  );
  await core.readNode({ name: 'one' });
  expect(server.asked[0].url).toBe('/k8s/clusters/c1/api/v1/nodes/one');
});
