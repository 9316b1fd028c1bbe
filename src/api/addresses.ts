/** The URLs in a kubeconfig, checked: of the server, of its proxy. */
import { badKubeConfig } from './errors.js';

const PROXY_PROTOCOLS = ['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:'];

export function parseServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw badKubeConfig(`the cluster's server must be an http or https URL, got '${server}'`);
  }
  return url;
}

/** The error does not show the URL: there may be a password in it. */
export function parseProxy(proxyUrl: string): URL {
  const url = URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined;
  if (url === undefined || !PROXY_PROTOCOLS.includes(url.protocol)) {
    const saw = url === undefined ? 'no URL' : url.protocol;
    throw badKubeConfig(
      `the cluster's proxy-url must begin with one of ${PROXY_PROTOCOLS.join(' ')}, got ${saw}`,
    );
  }
  return url;
}

/** Plain http, but only within this machine. */
export function isPlainLoopback(server: string): boolean {
  if (!URL.canParse(server)) return false;
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
