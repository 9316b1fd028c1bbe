/** A supervisor for tests, with a log of what happened to its hosts. */
import { afterEach, expect } from 'vitest';
import { type Host, type HostEnd, Supervisor, type SupervisorOptions } from '../../src/runtime/index.js';

export const FIXTURE_HOST = new URL('./fixture-host.js', import.meta.url);

export interface Logged {
  readonly supervisor: Supervisor;
  readonly log: string[];
  readonly ends: HostEnd[];
  /** Resolves with the next host that comes up at `index` and is not `than`. */
  readonly after: (than: Host) => Promise<Host>;
}

const open: Supervisor[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((supervisor) => supervisor.stop()));
  expect(left()).toEqual([]);
});

/** What of threads is left in this process; the test runner's own handles are neither. */
export function left(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Worker' || kind === 'MessagePort');
}

export async function startLogged(options: Partial<SupervisorOptions> = {}): Promise<Logged> {
  const log: string[] = [];
  const ends: HostEnd[] = [];
  const waiters = new Map<number, ((host: Host) => void)[]>();
  const supervisor = new Supervisor({
    threads: 1,
    hostModule: FIXTURE_HOST,
    faults: true,
    backoff: () => 0,
    ...options,
    onHostUp: (host) => {
      log.push(`up ${host.index}.${host.incarnation}`);
      options.onHostUp?.(host);
      for (const waiter of waiters.get(host.index)?.splice(0) ?? []) waiter(host);
    },
    onHostDown: (host, end) => {
      log.push(`down ${host.index}.${host.incarnation} ${end.kind}`);
      ends.push(end);
      options.onHostDown?.(host, end);
    },
  });
  open.push(supervisor);
  await supervisor.start();
  const after = (than: Host): Promise<Host> => {
    const now = supervisor.hosts[than.index] ?? null;
    if (now !== null && now !== than) return Promise.resolve(now);
    return new Promise((resolve) => {
      waiters.set(than.index, [...(waiters.get(than.index) ?? []), resolve]);
    });
  };
  return { supervisor, log, ends, after };
}

export function hostOf(supervisor: Supervisor, index = 0): Host {
  const host = supervisor.hosts[index];
  if (!host) throw new Error(`no host at ${index}`);
  return host;
}
