/** What a request is about: its path and method taken apart, without looking at anything else. */
import { badRequest, methodNotAllowed, unknownResource } from './status-error.js';
import { namespaceResource } from './registry/namespace.js';
import { podResource } from './registry/pod.js';
import type { Resource, Subresource } from './registry/resource.js';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface Route {
  readonly verb: Verb;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: Subresource;
}

const PREFIX = '/api/v1/';

const RESOURCES: ReadonlyMap<string, Resource> = new Map(
  [podResource, namespaceResource].map((resource) => [resource.plural, resource]),
);

/** Which verbs there are for a collection, an object and a subresource, by method. */
const COLLECTION: Readonly<Record<string, Verb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};
const OBJECT: Readonly<Record<string, Verb>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const SUBRESOURCE: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch' };

/** undefined: a path that is nothing of the API's. */
export function route(method: string, path: string, query: URLSearchParams | undefined): Route | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const segments = path.slice(PREFIX.length).split('/');
  const isWatchPath = segments[0] === 'watch';
  if (isWatchPath) segments.shift();
  const [namespace, plural = '', name, subresource, ...rest] = scoped(segments);
  const resource = RESOURCES.get(plural);
  if (resource === undefined || rest.length > 0) throw unknownResource();
  if (resource.isNamespaced !== (namespace !== undefined) && !(resource.isNamespaced && name === undefined)) {
    throw unknownResource();
  }
  if (subresource !== undefined && (subresource !== 'status' || !('status' in resource.updates))) {
    throw unknownResource();
  }
  const object = name === undefined ? '' : decodeName(name);
  const verb = verbOf(method, resource, object, subresource);
  const target = { resource, namespace: namespace ?? '', name: object };
  // Across namespaces objects can be looked at, not written.
  if (resource.isNamespaced && namespace === undefined && verb !== 'list') throw methodNotAllowed();
  const isWatch = isWatchPath || (verb === 'list' && asksToWatch(query));
  return { ...target, verb: isWatch ? 'watch' : verb, subresource: subresource === 'status' ? 'status' : '' };
}

/** [namespace, plural, name, subresource, …] */
function scoped(segments: readonly string[]): (string | undefined)[] {
  if (segments[0] === 'namespaces' && segments.length >= 3) {
    // What is under a namespace is a resource in it, or a subresource of the namespace itself.
    if (segments[2] === 'status' || segments[2] === 'finalize') return [undefined, ...segments];
    return [decodeName(segments[1]), ...segments.slice(2)];
  }
  return [undefined, ...segments];
}

function verbOf(method: string, resource: Resource, name: string, subresource: string | undefined): Verb {
  const verbs = subresource !== undefined ? SUBRESOURCE : name === '' ? COLLECTION : OBJECT;
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (verb === undefined) throw methodNotAllowed();
  const changes = verb === 'update' || verb === 'patch' || verb === 'delete' || verb === 'deletecollection';
  if (changes && !('' in resource.updates)) throw methodNotAllowed();
  return verb;
}

/** Anything but a plain no is a yes, even nothing. */
function asksToWatch(query: URLSearchParams | undefined): boolean {
  const watch = query?.get('watch') ?? undefined;
  return watch !== undefined && watch !== '0' && watch !== 'false';
}

function decodeName(segment: string): string {
  if (!segment.includes('%')) return checked(segment);
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(segment)}`);
  }
  if (name.includes('/')) throw unknownResource();
  return checked(name);
}

function checked(name: string): string {
  if (name === '.' || name === '..') {
    throw badRequest(`Name parameter invalid: "${name}": may not be '${name}'`);
  }
  return name;
}
