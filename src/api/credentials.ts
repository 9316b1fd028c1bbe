/**
 * Credentials and TLS material, as client-node makes them of a KubeConfig: read once, read again when they may have
 * changed, never on the way of a request that has usable ones.
 *
 * - The cluster and the user are those of the context that was current at the beginning. A later change of context
 *   does not send one cluster's token to another.
 * - Read again after `rereadMs`, in the background, and after a 401, for which the request waits. A failed reading
 *   leaves the old ones in place.
 * - They are replaced only by others that differ, so identity tells whether anything changed.
 */
import type { Agent } from 'node:http';
import type { RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { type Logger, silentLogger } from '../observe/logger.js';
import { noCredentials } from './errors.js';

const TLS_OPTIONS = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'] as const;

export type TlsMaterial = Readonly<Pick<RequestOptions, (typeof TLS_OPTIONS)[number]>>;

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
  /** client-node's own agent for the cluster. It knows the way through a SOCKS proxy. */
  readonly agent: Agent | undefined;
}

export interface CredentialOptions {
  /** How old they get before they are read again. Default 60 s, as client-go reads token files. */
  readonly rereadMs?: number;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
  readonly logger?: Logger;
}

/** A server that refuses everybody must not make a plugin run for every request. */
const RENEW_GAP_MS = 5_000;

export class CredentialSource {
  readonly #cluster: Cluster;
  readonly #user: User;
  readonly #rereadMs: number;
  readonly #now: () => number;
  readonly #logger: Logger;
  #config: KubeConfig;
  #current: Credentials | null = null;
  #reading: Promise<Credentials> | null = null;
  #readAt = -Infinity;
  #renewedAt = -Infinity;

  constructor(config: KubeConfig, cluster: Cluster, options: CredentialOptions = {}) {
    this.#cluster = cluster;
    // Without a user client-node leaves out the cluster's CA, too.
    this.#user = config.getCurrentUser() ?? { name: 'anonymous' };
    this.#rereadMs = options.rereadMs ?? 60_000;
    this.#now = options.now ?? (() => performance.now());
    this.#logger = options.logger ?? silentLogger;
    // A view: it has its own context, and everything else of the original, authenticators that were added included.
    this.#config = Object.create(config) as KubeConfig;
    this.#config.loadFromClusterAndUser(this.#cluster, this.#user);
  }

  /** The newest, null before the first `load`. Starts to read them again in the background when they are old. */
  latest(): Credentials | null {
    if (this.#current !== null && this.#reading === null && this.#now() - this.#readAt >= this.#rereadMs) {
      this.#read(false).catch((error: unknown) => {
        this.#logger.error(error, 'Credentials could not be read again; the old ones stay in use');
      });
    }
    return this.#current;
  }

  async load(): Promise<void> {
    await (this.#current ?? this.#read(false));
  }

  /** After a 401 to `used`: sees to it that the latest are newer, if there are newer ones. Never rejects. */
  async renew(used: Credentials): Promise<void> {
    if (this.#reading !== null) await this.#reading.catch(() => undefined);
    if (this.#current !== used || this.#now() - this.#renewedAt < RENEW_GAP_MS) return;
    this.#renewedAt = this.#now();
    await this.#read(true).catch((error: unknown) => {
      this.#logger.error(error, 'Credentials were refused and could not be renewed');
    });
  }

  #read(isRefused: boolean): Promise<Credentials> {
    this.#readAt = this.#now();
    return (this.#reading ??= this.#apply(isRefused).finally(() => (this.#reading = null)));
  }

  async #apply(isRefused: boolean): Promise<Credentials> {
    const options: RequestOptions = {};
    try {
      if (this.#mustForget(isRefused)) this.#config = await this.#forgetful();
      await this.#config.applyToHTTPSOptions(options);
    } catch (error) {
      throw noCredentials(this.#user.name, error);
    }
    const next = toCredentials(options);
    const { headers, tls } = this.#current ?? {};
    if (this.#current === null || !isDeepStrictEqual([headers, tls], [next.headers, next.tls])) {
      this.#current = next;
    }
    return this.#current;
  }

  /**
   * client-node remembers: a token file for a minute more, an OIDC token's expiry wrongly after its first refresh, and
   * what a plugin gave until it expires, which is right unless a server refuses it before.
   */
  #mustForget(isRefused: boolean): boolean {
    const provider = this.#user.authProvider as AuthProvider | null | undefined;
    if (typeof provider?.config?.tokenFile === 'string' || provider?.name === 'oidc') return true;
    const isExec = Boolean(this.#user.exec) || provider?.name === 'exec' || Boolean(provider?.config?.exec);
    return isExec && isRefused;
  }

  async #forgetful(): Promise<KubeConfig> {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromClusterAndUser(this.#cluster, this.#user);
    return config;
  }
}

interface AuthProvider {
  readonly name?: string;
  readonly config?: { readonly tokenFile?: unknown; readonly exec?: unknown };
}

function toCredentials(options: RequestOptions): Credentials {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // A token file often ends with a new line, which no header may contain.
    if (value !== undefined) headers[name.toLowerCase()] = String(value).trim();
  }
  if (options.auth) headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  const tls: Record<string, unknown> = {};
  for (const name of TLS_OPTIONS) {
    if (options[name] !== undefined) tls[name] = options[name];
  }
  return { headers, tls, agent: typeof options.agent === 'object' ? options.agent : undefined };
}
