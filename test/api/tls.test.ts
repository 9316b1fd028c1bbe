import type { TLSSocket } from 'node:tls';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answerer,
  Authority,
  type Pair,
  base64,
  cleanUp,
  clientOf,
  configOf,
  folder,
  json,
  serve,
  withoutOpenssl,
  writeIn,
} from './fixture.js';

const reason = withoutOpenssl();
if (reason !== undefined) process.stderr.write(`${reason}\n`);

const GET = { method: 'GET', path: '/api/v1/nodes' } as const;

/** Answers with who the client's certificate says it is. */
const whoami: Answerer = (_, response, request) => {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  json(response, 200, { client: subject?.CN ?? null });
};

describe.skipIf(reason !== undefined)('over TLS', () => {
  let cluster: { ca: string; server: Pair; client: Pair; other: Pair; stranger: string };

  beforeAll(async () => {
    const authority = new Authority('cluster-ca');
    cluster = {
      ca: authority.cert,
      server: authority.issue('api', 'IP:127.0.0.1,DNS:api.cluster.test'),
      client: authority.issue('system:node:one'),
      other: authority.issue('system:node:two'),
      stranger: new Authority('another-ca').cert,
    };
    await cleanUp();
  });
  afterEach(cleanUp);

  const wantsCertificate = () => ({
    ...cluster.server,
    ca: cluster.ca,
    requestCert: true,
    rejectUnauthorized: true,
  });

  test('the authority of the kubeconfig is trusted, as data and as a file', async () => {
    const server = await serve((_, response) => json(response, 200, {}), cluster.server);
    const caFile = writeIn(folder(), 'ca.crt', cluster.ca);
    for (const trust of [{ caData: base64(cluster.ca) }, { caFile }]) {
      const client = clientOf(await configOf({ server: server.url, ...trust }));
      expect((await client.request(GET)).status).toBe(200);
    }
  });

  test('another authority is not, nor the public ones, unless verification is off', async () => {
    const server = await serve((_, response) => json(response, 200, {}), cluster.server);
    for (const trust of [{ caData: base64(cluster.stranger) }, {}]) {
      const client = clientOf(await configOf({ server: server.url, ...trust }));
      await expect(client.request(GET)).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
    }
    expect(server.asked).toHaveLength(0);
    const careless = clientOf(await configOf({ server: server.url, skipTLSVerify: true }));
    expect((await careless.request(GET)).status).toBe(200);
  });

  test('the authority counts also for a context without a user', async () => {
    const server = await serve((_, response) => json(response, 200, {}), cluster.server);
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'c', server: server.url, caData: base64(cluster.ca), skipTLSVerify: false }],
      users: [],
      contexts: [{ name: 'x', cluster: 'c' }],
      currentContext: 'x',
    });
    expect((await clientOf(config).request(GET)).status).toBe(200);
  });

  test('tls-server-name is what the certificate must be for, and is sent', async () => {
    const seen: (string | false | null)[] = [];
    const server = await serve((_, response, request) => {
      seen.push((request.socket as TLSSocket & { servername: string }).servername);
      json(response, 200, {});
    }, cluster.server);
    const caData = base64(cluster.ca);
    const right = clientOf(await configOf({ server: server.url, caData, tlsServerName: 'api.cluster.test' }));
    expect((await right.request(GET)).status).toBe(200);
    expect(seen).toEqual(['api.cluster.test']);
    const wrong = clientOf(await configOf({ server: server.url, caData, tlsServerName: 'else.test' }));
    await expect(wrong.request(GET)).rejects.toMatchObject({
      code: 'ERR_API_UNREACHABLE',
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  test('a client certificate is shown, as data and as files, and missed without', async () => {
    const server = await serve(whoami, wantsCertificate());
    const { cert, key } = cluster.client;
    const path = folder();
    const users = [
      { certData: base64(cert), keyData: base64(key) },
      { certFile: writeIn(path, 'client.crt', cert), keyFile: writeIn(path, 'client.key', key) },
    ];
    const caData = base64(cluster.ca);
    for (const user of users) {
      const client = clientOf(await configOf({ server: server.url, caData }, user));
      expect(JSON.parse((await client.request(GET)).body.toString())).toEqual({ client: 'system:node:one' });
    }
    const nobody = clientOf(await configOf({ server: server.url, caData }));
    await expect(nobody.request(GET)).rejects.toMatchObject({ code: 'ERR_API_UNREACHABLE' });
  });

  test('a rotated certificate takes new connections, and the old ones end with what they have', async () => {
    let letGo: () => void = () => undefined;
    const server = await serve((asked, response, request) => {
      if (asked.url === '/held') letGo = () => whoami(asked, response, request);
      else whoami(asked, response, request);
    }, wantsCertificate());
    const path = folder();
    const certFile = writeIn(path, 'client.crt', cluster.client.cert);
    const keyFile = writeIn(path, 'client.key', cluster.client.key);
    let now = 0;
    const config = await configOf({ server: server.url, caData: base64(cluster.ca) }, { certFile, keyFile });
    const client = clientOf(config, { now: () => now, rereadMs: 60_000 });
    const ask = async (url: string): Promise<unknown> =>
      JSON.parse((await client.request({ method: 'GET', path: url })).body.toString());

    const held = ask('/held');
    expect(await ask('/a')).toEqual({ client: 'system:node:one' });
    writeFileSync(certFile, cluster.other.cert);
    writeFileSync(keyFile, cluster.other.key);
    expect(await ask('/a')).toEqual({ client: 'system:node:one' });
    now = 60_000;
    // This one starts the reading and goes out with what there is.
    expect(await ask('/a')).toEqual({ client: 'system:node:one' });
    expect(await ask('/a')).toEqual({ client: 'system:node:two' });
    letGo();
    expect(await held).toEqual({ client: 'system:node:one' });
    await client.close();
  });

  test('an exec plugin may give a certificate', async () => {
    const server = await serve(whoami, wantsCertificate());
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: cluster.client.cert, clientKeyData: cluster.client.key },
    };
    const file = writeIn(folder(), 'credential.json', JSON.stringify(credential));
    const exec = { apiVersion: credential.apiVersion, command: 'cat', args: [file] };
    const config = await configOf({ server: server.url, caData: base64(cluster.ca) }, { exec });
    const answer = await clientOf(config).request(GET);
    expect(JSON.parse(answer.body.toString())).toEqual({ client: 'system:node:one' });
  });
});
