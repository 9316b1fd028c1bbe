/** What each verb does: from a route and a request to an answer. Refusals are thrown as StatusError. */
import { objectText, itemText } from './object-text.js';
import { deleteObject } from './registry/delete.js';
import { deleteOptions } from './delete-options.js';
import {
  type ObjectList,
  checkNotFuture,
  listObjects,
  parseVersion,
  validateListOptions,
} from './registry/list.js';
import { type ObjectRef, Registry, type Environment } from './registry/registry.js';
import type { Resource } from './registry/resource.js';
import { type PatchOutcome, readPatch } from './patch-request.js';
import { decodeBody } from './request-body.js';
import { writeParameters } from './request-options.js';
import { type ApiRequest, type Reply, param, reply } from './request.js';
import type { Route } from './router.js';
import { type Selector, parseSelector } from './selectors.js';
import { badRequest } from './status-error.js';
import type { ApiObject, Store } from './store.js';

export class Endpoints {
  readonly #store: Store;
  readonly #environment: Environment;
  readonly #registry: Registry;

  constructor(store: Store, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
    this.#registry = new Registry(store, environment);
  }

  /** Every verb but `watch`. */
  handle(route: Route, request: ApiRequest): Reply {
    switch (route.verb) {
      case 'get':
        return this.#get(route, request);
      case 'create':
        return this.#create(route, request);
      case 'update':
        return this.#update(route, request);
      case 'patch':
        return this.#patch(route, request);
      case 'delete':
        return this.#delete(route, request);
      case 'list':
        return reply(200, listText(route.resource, this.#list(route, request)));
      case 'deletecollection':
        return this.#deleteCollection(route, request);
      case 'watch':
        throw new Error('a watch is no single answer');
    }
  }

  #get(route: Route, request: ApiRequest): Reply {
    const asked = param(request, 'resourceVersion');
    if (asked !== '') checkNotFuture(parseVersion(asked), this.#store.version);
    return answer(200, route, this.#registry.get(route));
  }

  #create(route: Route, request: ApiRequest): Reply {
    const { resource, namespace } = route;
    const parameters = writeParameters(request, 'CreateOptions');
    const { object, warnings } = decodeBody(resource, request, parameters.validation);
    const created = this.#registry.create(resource, namespace, object, parameters);
    return answer(201, route, created, [...warnings, ...resource.warnings(created)]);
  }

  #update(route: Route, request: ApiRequest): Reply {
    const parameters = writeParameters(request, 'UpdateOptions');
    const { object, warnings } = decodeBody(route.resource, request, parameters.validation);
    const updated = this.#registry.update(route, () => object, {
      ...parameters,
      subresource: route.subresource,
      expectedUID: object.metadata.uid,
    });
    return answer(200, route, updated, warnings);
  }

  #patch(route: Route, request: ApiRequest): Reply {
    const { resource, subresource } = route;
    // The format is looked at before anything else about the request.
    const patch = readPatch(request);
    const parameters = writeParameters(request, 'PatchOptions');
    let outcome: PatchOutcome | undefined;
    const patched = this.#registry.update(
      route,
      (current) => (outcome = patch(resource, current, parameters.validation)).object,
      { ...parameters, subresource },
    );
    return answer(200, route, patched, outcome?.warnings);
  }

  #delete(route: Route, request: ApiRequest): Reply {
    return answer(200, route, this.#remove(route, request));
  }

  #deleteCollection(route: Route, request: ApiRequest): Reply {
    const list = this.#list(route, request);
    for (const { metadata } of list.items) {
      this.#remove({ ...route, name: metadata.name ?? '' }, request);
    }
    return reply(200, listText(route.resource, list));
  }

  #remove(ref: ObjectRef, request: ApiRequest): ApiObject {
    const options = deleteOptions(request);
    return deleteObject(this.#registry, this.#store, this.#environment.now(), ref, options);
  }

  #list(route: Route, request: ApiRequest): ObjectList {
    const resourceVersion = param(request, 'resourceVersion');
    const match = param(request, 'resourceVersionMatch');
    const continueToken = param(request, 'continue');
    const sendInitialEvents = request.query?.get('sendInitialEvents') ?? undefined;
    validateListOptions({ resourceVersion, match, continueToken, sendInitialEvents, isWatch: false });
    const limit = integer(param(request, 'limit'));
    const selector = selectorOf(route.resource, request);
    return listObjects(this.#store, route.resource, route.namespace, selector, {
      resourceVersion,
      match,
      limit,
      continueToken,
    });
  }
}

export const selectorOf = (resource: Resource, request: ApiRequest): Selector =>
  parseSelector(param(request, 'labelSelector'), param(request, 'fieldSelector'), resource.fieldReader);

/** '' is 0. */
export function integer(text: string): number {
  if (text === '') return 0;
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const answer = (code: number, { resource }: Route, object: ApiObject, warnings?: readonly string[]): Reply =>
  reply(code, objectText(resource.kind, resource.apiVersion, object), warnings);

function listText({ kind, apiVersion }: Resource, list: ObjectList): string {
  const metadata = JSON.stringify({
    resourceVersion: list.resourceVersion,
    ...(list.continueToken === undefined ? {} : { continue: list.continueToken }),
    ...(list.remaining === undefined ? {} : { remainingItemCount: list.remaining }),
  });
  const items = list.items.map(itemText).join(',');
  return `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${metadata},"items":[${items}]}`;
}
