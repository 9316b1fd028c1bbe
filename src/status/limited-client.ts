/**
 * The requests of one sequence, each under the token bucket as client-go has it. The first is paid in advance; if
 * it is never made, its token goes back.
 */
import type { Pod } from '../kube/types.js';
import type { DeleteOptions, StatusClient } from './client.js';
import type { TokenBucket } from './token-bucket.js';

export class LimitedClient implements StatusClient {
  readonly #client: StatusClient;
  readonly #bucket: TokenBucket;
  #isPrepaid = true;

  constructor(client: StatusClient, bucket: TokenBucket) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Pod> {
    await this.#pay(signal);
    return this.#client.getPod(namespace, name, signal);
  }

  async patchPodStatus(namespace: string, name: string, patch: string, signal?: AbortSignal): Promise<Pod> {
    await this.#pay(signal);
    return this.#client.patchPodStatus(namespace, name, patch, signal);
  }

  async deletePod(
    namespace: string,
    name: string,
    options: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#pay(signal);
    return this.#client.deletePod(namespace, name, options, signal);
  }

  close(): void {
    if (this.#isPrepaid) this.#bucket.giveBack();
    this.#isPrepaid = false;
  }

  async #pay(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isPrepaid) return this.#bucket.take(signal);
    this.#isPrepaid = false;
  }
}
