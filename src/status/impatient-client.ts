/**
 * A client that comes back when it is told to, whatever the one below does: its calls reject with the signal's reason as
 * soon as that aborts. A deadline is kept by nobody else.
 */
import type { Pod } from '../kube/types.js';
import type { DeleteOptions, StatusClient } from './client.js';

export class ImpatientClient implements StatusClient {
  readonly #client: StatusClient;

  constructor(client: StatusClient) {
    this.#client = client;
  }

  async getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Pod> {
    return unlessAborted(this.#client.getPod(namespace, name, signal), signal);
  }

  async patchPodStatus(namespace: string, name: string, patch: string, signal?: AbortSignal): Promise<Pod> {
    return unlessAborted(this.#client.patchPodStatus(namespace, name, patch, signal), signal);
  }

  async deletePod(
    namespace: string,
    name: string,
    options: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void> {
    return unlessAborted(this.#client.deletePod(namespace, name, options, signal), signal);
  }
}

/** A listener a call, taken off again: Promise.race with one promise for all would keep every call's reaction. */
function unlessAborted<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return call;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
