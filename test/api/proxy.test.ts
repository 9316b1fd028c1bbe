import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  Authority,
  atEnd,
  base64,
  cleanUp,
  clientOf,
  configOf,
  json,
  serve,
  serveSocket,
  withoutOpenssl,
} from './fixture.js';

afterEach(cleanUp);

const reason = withoutOpenssl();
if (reason !== undefined) process.stderr.write(`${reason}\n`);

const GET = { method: 'GET', path: '/x' } as const;

function join(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  for (const [one, other] of [
    [a, b],
    [b, a],
  ])
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}

interface Tunnel {
  readonly port: number;
  /** Where tunnels were asked to, with the Proxy-Authorization of each. */
  readonly asked: { readonly to: string; readonly as: string | undefined }[];
}

/** A proxy that knows CONNECT and nothing else. Whatever the name, it leads to 127.0.0.1. */
async function connectProxy(answer = '200 OK', tls?: https.ServerOptions): Promise<Tunnel> {
  const asked: Tunnel['asked'] = [];
  const proxy = tls === undefined ? http.createServer() : https.createServer(tls);
  const open = new Set<Socket>();
  proxy.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    open.add(socket);
    asked.push({ to: request.url ?? '', as: request.headers['proxy-authorization'] });
    if (!answer.startsWith('200')) return socket.end(`HTTP/1.1 ${answer}\r\n\r\n`);
    const port = Number(request.url?.split(':').at(-1));
    const target = net.connect(port, '127.0.0.1', () => {
      socket.write(`HTTP/1.1 ${answer}\r\n\r\n`);
      join(socket, target);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of open) socket.destroy();
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  return { port: (proxy.address() as AddressInfo).port, asked };
}

/** A SOCKS5 proxy without authentication, as far as RFC 1928's CONNECT goes. */
async function socksProxy(asked: string[]): Promise<number> {
  return serveSocket((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request: Buffer) => {
        const isName = request[3] === 3;
        const end = isName ? 5 + request[4] : 8;
        const host = isName ? request.toString('latin1', 5, end) : request.subarray(4, 8).join('.');
        const port = request.readUInt16BE(end);
        asked.push(`${host}:${port}`);
        const target = net.connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
          join(socket, target);
        });
      });
    });
  });
}

test('an http proxy is asked for a tunnel, with the name and password of its URL', async () => {
  const server = await serve((_, response) => json(response, 200, {}));
  const proxy = await connectProxy();
  const proxyUrl = `http://ann:p%40w@127.0.0.1:${proxy.port}`;
  const client = clientOf(await configOf({ server: server.url, proxyUrl }, { token: 't' }), {
    connections: 2,
  });
  await Promise.all(Array.from({ length: 20 }, () => client.request(GET)));
  expect(server.asked).toHaveLength(20);
  expect(server.asked[0].headers.authorization).toBe('Bearer t');
  expect(server.asked[0].headers['proxy-authorization']).toBeUndefined();
  expect(proxy.asked.length).toBeLessThanOrEqual(2);
  expect(proxy.asked[0]).toEqual({
    to: `127.0.0.1:${server.port}`,
    as: `Basic ${base64('ann:p@w')}`,
  });
});

test('a proxy that refuses is a typed error that says what it said', async () => {
  const proxy = await connectProxy('407 Proxy Authentication Required');
  const config = await configOf({ server: 'http://127.0.0.1:9', proxyUrl: `http://127.0.0.1:${proxy.port}` });
  await expect(clientOf(config).request(GET)).rejects.toMatchObject({
    code: 'ERR_API_UNREACHABLE',
    message: expect.stringContaining('407') as string,
  });
});

test('a SOCKS proxy leads to a plain server; socks5h leaves names to it', async () => {
  const server = await serve((_, response) => json(response, 200, {}));
  const asked: string[] = [];
  const port = await socksProxy(asked);
  const config = await configOf({
    server: `http://only.the.proxy.knows.test:${server.port}`,
    proxyUrl: `socks5h://127.0.0.1:${port}`,
  });
  const client = clientOf(config, { connections: 2 });
  await Promise.all(Array.from({ length: 20 }, () => client.request(GET)));
  expect(server.asked).toHaveLength(20);
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(asked[0]).toBe(`only.the.proxy.knows.test:${server.port}`);
});

test('a SOCKS proxy that is not there is a typed error', async () => {
  const port = await serveSocket((socket) => socket.destroy());
  const config = await configOf({ server: 'http://127.0.0.1:9', proxyUrl: `socks5://127.0.0.1:${port}` });
  await expect(clientOf(config).request(GET)).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
});

test.each(['ftp://127.0.0.1', 'nonsense'])('the proxy %s is refused', async (proxyUrl) => {
  const config = await configOf({ server: 'http://127.0.0.1:9', proxyUrl });
  expect(() => clientOf(config)).toThrow('proxy-url must begin with one of http: https: socks:');
});

describe.skipIf(reason !== undefined)('over TLS', () => {
  test('the server behind a proxy is verified, and sees the client certificate; the proxy sees neither', async () => {
    const authority = new Authority('cluster-ca');
    const tls = {
      ...authority.issue('api', 'DNS:api.cluster.test'),
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = await serve((_, response) => json(response, 200, {}), tls);
    const { cert, key } = authority.issue('system:node:one');
    const user = { certData: base64(cert), keyData: base64(key) };
    const connect = await connectProxy();
    const asked: string[] = [];
    const socks = await socksProxy(asked);
    for (const proxyUrl of [`http://127.0.0.1:${connect.port}`, `socks5h://127.0.0.1:${socks}`]) {
      const name = `https://api.cluster.test:${server.port}`;
      const caData = base64(authority.cert);
      expect(
        (await clientOf(await configOf({ server: name, caData, proxyUrl }, user)).request(GET)).status,
      ).toBe(200);
      await expect(
        clientOf(await configOf({ server: name, proxyUrl }, user)).request(GET),
      ).rejects.toMatchObject({
        code: 'ERR_API_UNREACHABLE',
      });
      const byAddress = clientOf(await configOf({ server: server.url, caData, proxyUrl }, user));
      await expect(byAddress.request(GET)).rejects.toMatchObject({
        cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      });
      const renamed = { server: server.url, caData, proxyUrl, tlsServerName: 'api.cluster.test' };
      expect((await clientOf(await configOf(renamed, user)).request(GET)).status).toBe(200);
    }
    expect(connect.asked[0].to).toBe(`api.cluster.test:${server.port}`);
    expect(asked[0]).toBe(`api.cluster.test:${server.port}`);
  });

  test('an https proxy whose certificate nobody vouches for is refused', async () => {
    const proxy = await connectProxy('200 OK', new Authority('proxy-ca').issue('proxy', 'DNS:localhost'));
    const config = await configOf({
      server: 'http://127.0.0.1:9',
      proxyUrl: `https://localhost:${proxy.port}`,
    });
    await expect(clientOf(config).request(GET)).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
    expect(proxy.asked).toHaveLength(0);
  });
});
