/**
 * The status manager's three calls over KubeHttp.
 *
 * Answers are plain JSON, unknown fields and all. What is rejected with: an ApiError for a refusal, an ApiClientError for
 * everything that happened on the way, the signal's reason for an abort.
 */
import type { Pod } from '../kube/types.js';
import type { DeleteOptions, StatusClient } from '../status/client.js';
import { badAnswer, badName } from './errors.js';
import type { KubeAnswer } from './exchange.js';
import { apiErrorOf } from './failure.js';
import type { KubeHttp, KubeRequest } from './kube-http.js';

/** A server stores objects of 1.5 MiB at most; this leaves room for its spelling. */
const MAX_POD_BYTES = 8 * 1024 * 1024;

const PATCH_HEADERS = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_HEADERS = { 'content-type': 'application/json' };

export class HttpStatusClient implements StatusClient {
  readonly #http: KubeHttp;

  /** The client does not own `http`: close that yourself. */
  constructor(http: KubeHttp) {
    this.#http = http;
  }

  async getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Pod> {
    const request: KubeRequest = { method: 'GET', path: podPath(namespace, name), signal };
    return toPod(request, await this.#ask(request));
  }

  async patchPodStatus(namespace: string, name: string, patch: string, signal?: AbortSignal): Promise<Pod> {
    const request: KubeRequest = {
      method: 'PATCH',
      path: `${podPath(namespace, name)}/status`,
      body: patch,
      headers: PATCH_HEADERS,
      signal,
    };
    return toPod(request, await this.#ask(request));
  }

  async deletePod(
    namespace: string,
    name: string,
    options: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void> {
    const { gracePeriodSeconds, uid } = options;
    await this.#ask({
      method: 'DELETE',
      path: podPath(namespace, name),
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds,
        preconditions: { uid },
      }),
      headers: JSON_HEADERS,
      signal,
    });
  }

  async #ask(request: KubeRequest): Promise<KubeAnswer> {
    const answer = await this.#http.request({ ...request, maxBodyBytes: MAX_POD_BYTES });
    if (answer.status < 200 || answer.status > 299) {
      throw apiErrorOf(`${request.method} ${request.path}`, answer);
    }
    return answer;
  }
}

function podPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${segment('namespace', namespace)}/pods/${segment('pod name', name)}`;
}

/** An empty name would ask for the list, and dots for what is above. */
function segment(what: string, name: string): string {
  if (typeof name !== 'string' || name === '' || name === '.' || name === '..') throw badName(what, name);
  try {
    return encodeURIComponent(name);
  } catch {
    throw badName(what, name);
  }
}

function toPod(request: KubeRequest, answer: KubeAnswer): Pod {
  const what = `${request.method} ${request.path}`;
  let value: unknown;
  try {
    value = JSON.parse(answer.body.toString());
  } catch (cause) {
    throw badAnswer(what, `${answer.body.length} bytes that are not JSON`, cause);
  }
  const metadata: unknown = (value as Partial<Pod> | null)?.metadata;
  if (typeof metadata !== 'object' || metadata === null) throw badAnswer(what, 'JSON without metadata');
  return value as Pod;
}
