/** Lists: of now or of an older version, whole or page by page. A continue token names the version and the next key. */
import { type FieldError, forbidden, unsupported } from '../field-error.js';
import type { Selector } from '../selectors.js';
import { StatusError, badRequest, expired, internal, invalid } from '../status-error.js';
import { type ApiObject, CompactedError, type Store } from '../store.js';
import { keyOf } from './registry.js';
import type { Resource } from './resource.js';

export interface ListOptions {
  readonly resourceVersion: string;
  readonly match: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
}

export interface ObjectList {
  readonly items: readonly ApiObject[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
  readonly remaining?: number;
}

interface Continue {
  readonly rv: number;
  readonly start: string;
}

const TOKEN_VERSION = 'meta.k8s.io/v1';

export function listObjects(
  store: Store,
  resource: Resource,
  namespace: string,
  selector: Selector,
  options: ListOptions,
): ObjectList {
  const token = options.continueToken === '' ? undefined : parseContinue(options.continueToken);
  if (token !== undefined && options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const asked = parseVersion(options.resourceVersion);
  const isExact = options.match === 'Exact';
  if (!isExact) checkNotFuture(asked, store.version);
  else if (asked > store.version) {
    throw internal('etcdserver: mvcc: required revision is a future revision');
  }
  const version = token?.rv ?? (isExact ? asked : store.version);
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const all = objectsAt(store, resource.plural, prefix, version, token !== undefined);
  const start = token?.start ?? '';
  const found = all.filter(
    (object) => (start === '' || keyOfObject(object) >= start) && selector.matches(object),
  );
  // Version 0 is served from a cache, which has no pages.
  const limit = options.resourceVersion === '0' && token === undefined ? 0 : options.limit;
  const resourceVersion = String(version);
  if (limit <= 0 || found.length <= limit) return { items: found, resourceVersion };
  const next = keyOfObject(found[limit]);
  return {
    items: found.slice(0, limit),
    resourceVersion,
    continueToken: formatContinue({ rv: version, start: next }),
    ...(selector.isEverything ? { remaining: found.length - limit } : {}),
  };
}

/** What a client said of the version it wants must make sense. */
export function validateListOptions(options: {
  readonly resourceVersion: string;
  readonly match: string;
  readonly continueToken: string;
  readonly sendInitialEvents: string | undefined;
  readonly isWatch: boolean;
}): void {
  const errors: FieldError[] = [];
  const { match, resourceVersion, sendInitialEvents, isWatch } = options;
  if (sendInitialEvents !== undefined) {
    if (!isWatch) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
    else {
      if (match !== 'NotOlderThan') {
        errors.push(
          forbidden(
            'resourceVersionMatch',
            'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
          ),
        );
      }
      const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbidden('sendInitialEvents', why));
    }
  } else if (match !== '') {
    errors.push(...validateMatch(match, resourceVersion, options.continueToken, isWatch));
  }
  if (errors.length > 0) throw invalid('ListOptions.meta.k8s.io', '', errors);
}

function validateMatch(
  match: string,
  version: string,
  continueToken: string,
  isWatch: boolean,
): FieldError[] {
  const field = 'resourceVersionMatch';
  if (isWatch) return [forbidden(field, 'resourceVersionMatch is forbidden for watch')];
  const errors: FieldError[] = [];
  if (version === '') {
    errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (continueToken !== '') {
    errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(unsupported(field, JSON.stringify(match), ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && version === '0') {
    errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

/** '' is 0: whatever there is. */
export function parseVersion(text: string): number {
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) {
    const quoted = JSON.stringify(text);
    throw internal(
      `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
    );
  }
  return Number(text);
}

/** A version nobody wrote yet. The real server waits for it a while before it says so. */
export function checkNotFuture(asked: number, current: number): void {
  if (asked <= current) return;
  throw new StatusError(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${asked}, current: ${current}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  );
}

function objectsAt(
  store: Store,
  plural: string,
  prefix: string,
  version: number,
  isContinued: boolean,
): readonly ApiObject[] {
  try {
    return store.listAt(plural, prefix, version);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expired(
      isContinued
        ? 'The provided continue parameter is too old to display a consistent list result.'
        : 'The resourceVersion for the provided list is too old.',
    );
  }
}

const keyOfObject = ({ metadata }: ApiObject): string =>
  keyOf({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });

const formatContinue = (token: Continue): string =>
  Buffer.from(JSON.stringify({ v: TOKEN_VERSION, ...token })).toString('base64url');

function parseContinue(text: string): Continue {
  const bytes = Buffer.from(text, 'base64url');
  let token: { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };
  try {
    token = JSON.parse(bytes.toString('latin1')) as typeof token;
  } catch {
    const first = bytes[0] ?? 0;
    const shown =
      first < 0x7f && first >= 0x20
        ? String.fromCharCode(first)
        : `\\u${first.toString(16).padStart(4, '0')}`;
    throw badContinue(`invalid character '${shown}' looking for beginning of value`);
  }
  if (token.v !== TOKEN_VERSION) {
    throw badContinue(`server does not recognize this encoded version ${String(token.v)}`);
  }
  if (!Number.isSafeInteger(token.rv) || typeof token.start !== 'string') {
    throw badContinue('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  return { rv: token.rv as number, start: token.start };
}

const badContinue = (why: string): StatusError =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);
