/**
 * The real kubelet code, timed on this machine in the same run. What does it is a command outside this repository
 * (PODLOOM_UPSTREAM_BENCH, else the one that lies beside a development checkout); where there is none, results come
 * without a ratio to upstream.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inRepository } from '../../test/support/repository.js';

const run = promisify(execFile);

export function upstreamCommand(): string | null {
  const command = process.env['PODLOOM_UPSTREAM_BENCH'] ?? inRepository('../shared/upstream-bench/run');
  return existsSync(command) ? command : null;
}

/** Nanoseconds by benchmark, as `SetChanged` or `SyncBatchScan/1000`. */
export async function upstreamStatus(): Promise<ReadonlyMap<string, number>> {
  const command = upstreamCommand();
  if (command === null) return new Map();
  const { stdout } = await run(command, ['status'], { maxBuffer: 1 << 24 });
  const found = new Map<string, number>();
  for (const [, name, ns] of stdout.matchAll(/^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns\/op/gm)) {
    found.set(name, Number(ns));
  }
  if (found.size === 0) throw new Error(`${command} status printed no benchmark:\n${stdout}`);
  return found;
}

/** Pods a second that upstream's syncBatch brings to a server which has them already. */
export async function upstreamDrain(url: string, pods: number, ready: boolean): Promise<number | undefined> {
  if (upstreamCommand() === null) return undefined;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const { stdout } = await run(
    'go',
    ['test', '-vet=off', '-count=1', '-run', 'TestDrain', '-v', 'k8s.io/kubernetes/pkg/kubelet/status'],
    {
      cwd: join(cache, 'podloom/upstream-bench'),
      env: { ...process.env, GOFLAGS: '-mod=mod', API: url, N: String(pods), READY: ready ? '1' : '0' },
      maxBuffer: 1 << 24,
    },
  );
  const rate = /DRAIN n=(\d+) attempted=\d+ updated=(\d+) in \S+ = (\d+) pods\/s/.exec(stdout);
  if (rate === null || rate[1] !== rate[2]) throw new Error(`upstream did not drain:\n${stdout}`);
  return Number(rate[3]);
}
