// The embedded API server in a process of its own, with pods in it. Tells its address; goes when its parent does.
import { ApiServer } from '../../src/apiserver/index.js';
import { benchPod } from './pods.js';

const [pods = '0', delayMs = '0'] = process.argv.slice(2);
const server = await ApiServer.start({ requestLimit: 1 });
for (let i = 0; i < Number(pods); i++) {
  const { metadata, spec } = benchPod(i);
  const response = await fetch(`${server.url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: metadata.name }, spec }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}
if (Number(delayMs) > 0) server.faults.delay(Number(delayMs), { match: { resource: 'pods', name: /./ } });
process.on('message', () => process.send!({ requests: server.requests.total }));
process.on('disconnect', () => process.exit());
process.send!({ url: server.url });
