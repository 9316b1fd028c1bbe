/** Clients of an API server. Nothing here loads client-node before it is used. */
export { ApiClientError } from './errors.js';
export { type KubeAnswer } from './exchange.js';
export { KubeHttp, type KubeHttpOptions, type KubeRequest } from './kube-http.js';
export { HttpStatusClient } from './status-client.js';
export { type LoadOptions, type ServerOptions, kubeConfigFor, loadKubeConfig } from './kubeconfig.js';
export { type TypedApis, typedApis } from './core.js';
export { USER_AGENT } from './user-agent.js';
