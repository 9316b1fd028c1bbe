/** The kinds of vectors there are. A new one is a folder beside `go` and a line here. */
import { goKind } from './go/go-kind.js';
import { httpKind } from './http/http-kind.js';
import type { Kind } from './kind.js';
import { statusKind } from './status/status-kind.js';

export const kinds: ReadonlyMap<string, Kind> = new Map(
  [goKind as Kind, statusKind as Kind, httpKind as Kind].map((kind) => [kind.name, kind]),
);
