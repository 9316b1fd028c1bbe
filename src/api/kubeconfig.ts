/**
 * Where the cluster and its credentials come from, in the usual order: the file that was named, the files of KUBECONFIG,
 * ~/.kube/config, the service account of a pod.
 *
 * client-node reads the files. Added here: errors that name the file, kubectl's rules for several files (the first one
 * to name something wins, a missing one is skipped), and what client-node leaves out of a user: `tokenFile`, and a
 * plugin's path relative to the file. Error messages never quote a file: it holds secrets.
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Cluster, Context, KubeConfig, User } from '@kubernetes/client-node';
import { isPlainLoopback } from './addresses.js';
import { badKubeConfig, badOption } from './errors.js';

export interface LoadOptions {
  /** A kubeconfig file. Then nothing else is looked at. */
  readonly path?: string;
  /** The context to use; default the file's current one. */
  readonly context?: string;
  /** What the service account's paths are under. Default the root of the file system. */
  readonly serviceAccountRoot?: string;
}

export interface ServerOptions {
  readonly server: string;
  readonly token?: string;
  /** The certificate authority, as PEM. */
  readonly ca?: string | Buffer;
  readonly skipTLSVerify?: boolean;
}

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

type ClientNode = typeof import('@kubernetes/client-node');

export async function loadKubeConfig(options: LoadOptions = {}): Promise<KubeConfig> {
  const clientNode = await import('@kubernetes/client-node');
  const { files, looked } = findFiles(clientNode, options);
  const config = new clientNode.KubeConfig();
  if (files.length > 0) {
    config.loadFromOptions(merge(files.map((file) => readConfig(clientNode, file))));
  } else if (inCluster(options)) {
    config.loadFromCluster(options.serviceAccountRoot);
  } else {
    throw badKubeConfig(
      `no kubeconfig: looked at ${[...looked, 'the service account of a pod'].join(', ')}; name a file, or set KUBECONFIG`,
    );
  }
  choose(config, options.context, files);
  return config;
}

/** A configuration for one server that is known by its address, such as an embedded one. */
export async function kubeConfigFor(options: ServerOptions): Promise<KubeConfig> {
  const { server, token, ca, skipTLSVerify = false } = options;
  if (!URL.canParse(server)) throw badOption('server', 'a URL', server);
  if (server.startsWith('http:') && !skipTLSVerify && !isPlainLoopback(server)) {
    throw badKubeConfig(
      `${server} is not encrypted and not on this machine; use https, or skipTLSVerify: true if that is meant`,
    );
  }
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const caData = ca === undefined ? undefined : Buffer.from(ca).toString('base64');
  config.loadFromClusterAndUser(allowLoopback({ name: 'server', server, caData, skipTLSVerify }), {
    name: 'user',
    token,
  });
  return config;
}

function findFiles(
  clientNode: ClientNode,
  { path }: LoadOptions,
): { files: readonly string[]; looked: readonly string[] } {
  if (path !== undefined) return { files: [path], looked: [] };
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    const files = listed.filter((file) => existsSync(file));
    if (files.length > 0) return { files, looked: [] };
    throw badKubeConfig(
      `KUBECONFIG names ${listed.join(', ')}, and no such file exists; correct or unset it`,
    );
  }
  const home = clientNode.findHomeDir();
  if (home === null) return { files: [], looked: ['KUBECONFIG (not set)'] };
  const file = join(home, '.kube', 'config');
  return existsSync(file)
    ? { files: [file], looked: [] }
    : { files: [], looked: ['KUBECONFIG (not set)', file] };
}

function inCluster({ serviceAccountRoot = '' }: LoadOptions): boolean {
  return (
    Boolean(process.env.KUBERNETES_SERVICE_HOST) && existsSync(serviceAccountRoot + SERVICE_ACCOUNT_TOKEN)
  );
}

interface RawConfig {
  readonly users?: readonly { readonly name?: string; readonly user?: Readonly<Record<string, unknown>> }[];
}

function readConfig(clientNode: ClientNode, file: string): KubeConfig {
  const path = resolve(file);
  const config = new clientNode.KubeConfig();
  let raw: RawConfig | null;
  try {
    const text = readFileSync(path, 'utf8');
    raw = clientNode.loadYaml<RawConfig | null>(text);
    if (typeof raw !== 'object' || raw === null) throw new Error('it holds no configuration');
    config.loadFromString(text);
  } catch (cause) {
    throw unusable(path, cause);
  }
  const folder = dirname(path);
  config.makePathsAbsolute(folder);
  const rawUsers = new Map((raw.users ?? []).map((entry) => [entry.name, entry.user]));
  config.users = config.users.map((user) => completeUser(user, rawUsers.get(user.name), folder));
  config.clusters = config.clusters.map(allowLoopback);
  return config;
}

/** A YAML error's message has a piece of the file in it, so it is not even kept as the cause. */
function unusable(path: string, cause: unknown): Error {
  const { reason, mark } = cause as { reason?: unknown; mark?: { line?: unknown } };
  const isYaml = typeof reason === 'string';
  const where = typeof mark?.line === 'number' ? ` (line ${mark.line + 1})` : '';
  const why = isYaml ? `${reason}${where}` : (cause as Error).message;
  return badKubeConfig(`kubeconfig ${path} cannot be used: ${why}`, isYaml ? undefined : cause);
}

function completeUser(user: User, raw: Readonly<Record<string, unknown>> | undefined, folder: string): User {
  const tokenFile = raw?.tokenFile ?? raw?.['token-file'];
  const isTokenGiven = typeof raw?.token === 'string' && raw.token !== '';
  const exec = user.exec as { command?: unknown } | null | undefined;
  let complete = user;
  if (typeof tokenFile === 'string' && !isTokenGiven) {
    // client-node reads it once, or not at all; as a provider it is read again.
    const config = { tokenFile: isAbsolute(tokenFile) ? tokenFile : join(folder, tokenFile) };
    complete = { ...complete, token: undefined, authProvider: { name: 'tokenFile', config } };
  }
  if (typeof exec?.command === 'string' && /[/\\]/.test(exec.command) && !isAbsolute(exec.command)) {
    complete = { ...complete, exec: { ...exec, command: join(folder, exec.command) } };
  }
  return complete;
}

/** client-node refuses plain http unless told to skip the check of certificates, of which there are none. */
function allowLoopback(cluster: Cluster): Cluster {
  return isPlainLoopback(cluster.server) ? { ...cluster, skipTLSVerify: true } : cluster;
}

interface Merged {
  readonly clusters: Cluster[];
  readonly users: User[];
  readonly contexts: Context[];
  readonly currentContext: string;
}

function merge(configs: readonly KubeConfig[]): Merged {
  return {
    clusters: firstOfName(configs.flatMap((config) => config.clusters)),
    users: firstOfName(configs.flatMap((config) => config.users)),
    contexts: firstOfName(configs.flatMap((config) => config.contexts)),
    currentContext: configs.find((config) => config.currentContext)?.currentContext ?? '',
  };
}

function firstOfName<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  const seen = new Set<string>();
  return entries.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Sees to it that the context, its cluster and its user exist, so that nobody finds out later and elsewhere. */
function choose(config: KubeConfig, wanted: string | undefined, files: readonly string[]): void {
  const where = files.length > 0 ? `kubeconfig ${files.join(', ')}` : 'the service account';
  if (wanted !== undefined) config.setCurrentContext(wanted);
  const name = config.getCurrentContext();
  const known = config.getContexts().map((context) => context.name);
  const choices = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none';
  if (!name) throw badKubeConfig(`${where} has no current context; name one (${choices})`);
  const context = config.getContextObject(name);
  if (context === null) throw badKubeConfig(`${where} has no context '${name}'; ${choices}`);
  if (config.getCluster(context.cluster) === null) {
    throw badKubeConfig(
      `${where}: context '${name}' names the cluster '${context.cluster}', which is not there`,
    );
  }
  if (context.user && config.getUser(context.user) === null) {
    throw badKubeConfig(`${where}: context '${name}' names the user '${context.user}', which is not there`);
  }
}
