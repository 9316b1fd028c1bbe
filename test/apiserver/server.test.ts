import { request } from 'node:https';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ApiServer } from '../../src/apiserver/index.js';
import { CA, CLIENT_CERT, CLIENT_KEY, SERVER_CERT, SERVER_KEY } from './certificates.js';
import { PODS, TestServer, messageOf } from './client.js';

test('on loopback, with the four namespaces every cluster has', async () => {
  await using api = await TestServer.start();
  expect(new URL(api.server.url).hostname).toBe('127.0.0.1');
  const { body } = await api.send<{ items: { metadata: { name: string } }[] }>('GET', '/api/v1/namespaces');
  const names = body.items.map(({ metadata }) => metadata.name);
  expect(names).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
});

test('tokens: only those are let in', async () => {
  await using api = await TestServer.start({ tokens: ['secret'] });
  const get = (authorization: string) => api.send('GET', PODS, undefined, { headers: { authorization } });
  const nobody = await api.send('GET', PODS);
  expect([nobody.status, messageOf(nobody)]).toEqual([401, 'Unauthorized']);
  expect((await get('Bearer wrong')).status).toBe(401);
  expect((await get('Bearer secret')).status).toBe(200);
});

test.each([
  ['GET', '/nothing/here', 404, '404 page not found\n'],
  ['GET', '/api/v1/namespaces/default/bogus', 404, undefined],
  ['GET', `${PODS}/a/bogus`, 404, undefined],
  ['PUT', PODS, 405, undefined],
  ['DELETE', `${PODS}/a/status`, 405, undefined],
  ['GET', `${PODS}/%zz`, 400, undefined],
])('%s %s is a %i', async (method, path, code, text) => {
  await using api = await TestServer.start();
  const answer = await api.send<unknown>(method, path);
  expect(answer.status).toBe(code);
  if (text === undefined) expect(answer.body).toMatchObject({ kind: 'Status', code });
  else expect(answer.body).toBe(text);
});

test('a method nobody heard of is a 405, too', async () => {
  await using api = await TestServer.start();
  const { port } = new URL(api.server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`FOO ${PODS} HTTP/1.1\r\nhost: x\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 405 /);
});

test.each([
  ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 200],
  ['application/vnd.kubernetes.protobuf,application/json', 200],
  ['application/vnd.kubernetes.protobuf', 406],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', 406],
  ['text/html', 406],
])('Accept %s: %i', async (accept, code) => {
  await using api = await TestServer.start();
  expect((await api.send('GET', PODS, undefined, { headers: { accept } })).status).toBe(code);
});

test('a mistake in the server is a 500, and the server goes on', async () => {
  let isBroken = false;
  await using api = await TestServer.start({
    newUID: () => {
      if (isBroken) throw new TypeError('no more uids');
      return '1';
    },
  });
  isBroken = true;
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const answer = await api.send('POST', PODS, pod);
  expect(answer.status).toBe(500);
  expect(messageOf(answer)).toContain('no more uids');
  expect((await api.send('GET', PODS)).status).toBe(200);
});

test('a port that is taken is an error of start', async () => {
  await using api = await TestServer.start();
  const port = Number(new URL(api.server.url).port);
  await expect(ApiServer.start({ port })).rejects.toThrow('EADDRINUSE');
});

test('TLS: a certificate of the client CA is as good as a token', async () => {
  const tls = { key: SERVER_KEY, cert: SERVER_CERT, clientCA: CA };
  await using api = await TestServer.start({ tls, tokens: ['secret'] });
  const get = (options: object): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const call = request(`${api.server.url}${PODS}`, { ca: CA, agent: false, ...options }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject).end();
    });
  expect(await get({})).toBe(401);
  expect(await get({ headers: { authorization: 'Bearer secret' } })).toBe(200);
  expect(await get({ key: CLIENT_KEY, cert: CLIENT_CERT })).toBe(200);
});
