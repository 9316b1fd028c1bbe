/** A whole program for exit.test.ts: does work on hosts, loses one, stops, and must then end by itself. */
import { Supervisor } from '../../src/runtime/index.js';
import { settled } from '../../src/sync/index.js';

process.on('unhandledRejection', () => process.exit(70));
process.on('uncaughtException', () => process.exit(71));

const way = process.argv[2];
let received = 0;
let downs = 0;
let replaced!: () => void;
const replacement = new Promise<void>((resolve) => (replaced = resolve));

const supervisor = new Supervisor({
  threads: 2,
  hostModule: new URL('./fixture-host.js', import.meta.url),
  faults: true,
  credits: 8,
  stopTimeoutMs: 50,
  backoff: () => 0,
  onHostUp: (host) => {
    host.mailbox.onMail(() => void received++);
    if (host.incarnation > 1) replaced();
  },
  onHostDown: () => void downs++,
});
await supervisor.start();
for (const host of supervisor.hosts) for (let i = 0; i < 100; i++) host?.mailbox.post(String(i));
await Promise.all(supervisor.hosts.map(async (host) => host?.mailbox.flushed()));
await settled();

const [first, second] = supervisor.hosts;
if (way === 'replaced') {
  await first?.fault({ kind: 'throw', message: 'expected' });
  await replacement;
}
if (way === 'calls') void first?.control.call('never').catch(() => undefined);
if (way === 'dying') first?.kill();
if (way === 'spinning') await second?.fault({ kind: 'spin' });
if (way === 'drained') await supervisor.drain();
await supervisor.stop();

const left = process
  .getActiveResourcesInfo()
  .filter((kind) => kind !== 'Immediate' && !kind.endsWith('Wrap'));
process.stdout.write(JSON.stringify({ received, downs, left }));
