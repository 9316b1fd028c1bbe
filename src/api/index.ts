/** Clients of an API server. Importing them loads neither client-node nor undici. */
export { ApiClientError } from './errors.js';
export { type KubeAnswer } from './exchange.js';
export { KubeHttp, type KubeHttpOptions, type KubeRequest } from './kube-http.js';
export { HttpStatusClient } from './status-client.js';
export { type LoadOptions, type ServerOptions, kubeConfigFor, loadKubeConfig } from './kubeconfig.js';
export { type TypedApis, typedApis } from './core.js';
export { USER_AGENT } from './user-agent.js';
