/** How podloom names itself to API servers: `podloom/<version> (<os>/<arch>)`, with Go's names of both. */
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../../package.json') as { readonly version: string };

const GO_OS: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export const USER_AGENT = `podloom/${version} (${GO_OS[process.platform] ?? process.platform}/${GO_ARCH[process.arch] ?? process.arch})`;
