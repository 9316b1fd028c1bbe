/**
 * client-node's typed APIs (CoreV1Api, CoordinationV1Api, …) over the connections of a KubeHttp: for everything that is
 * not on the hot path. client-node alone would open a connection for every call.
 *
 * Their answers are client-node's objects: times are Dates, and fields its types do not know are gone.
 */
import type {
  ApiConstructor,
  ApiType,
  Configuration,
  RequestContext,
  ResponseContext,
} from '@kubernetes/client-node';
import { ApiClientError } from './errors.js';
import type { KubeHttp, KubeRequest } from './kube-http.js';

/** Makes typed clients: `apis(CoreV1Api)`. */
export type TypedApis = <T extends ApiType>(api: ApiConstructor<T>) => T;

export async function typedApis(http: KubeHttp): Promise<TypedApis> {
  const { ResponseContext, ServerConfiguration, createConfiguration, wrapHttpLibrary } =
    await import('@kubernetes/client-node');

  const send = async (context: RequestContext): Promise<ResponseContext> => {
    const { status, headers, body } = await http.request(toRequest(http, context));
    return new ResponseContext(status, joined(headers), {
      text: () => Promise.resolve(body.toString()),
      binary: () => Promise.resolve(body),
    });
  };
  // No authMethods: KubeHttp adds the credentials.
  const configuration: Configuration = createConfiguration({
    baseServer: new ServerConfiguration(http.server, {}),
    httpApi: wrapHttpLibrary({ send }),
  });
  return (api) => new api(configuration);
}

function toRequest(http: KubeHttp, context: RequestContext): KubeRequest {
  const body = context.getBody();
  if (body !== undefined && typeof body !== 'string') {
    throw new ApiClientError(
      'ERR_API_BODY',
      'only text can be sent as a body, and no API of Kubernetes wants a form',
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.getHeaders())) headers[name.toLowerCase()] = value;
  return {
    method: String(context.getHttpMethod()) as KubeRequest['method'],
    path: context.getUrl().slice(http.server.length),
    body,
    headers,
    signal: context.getSignal(),
  };
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
