/** A case of the HTTP vectors: requests, and what a kube-apiserver v1.29.15 answered. test/vectors/http/FORMAT.md. */
import { MalformedCase, type NamedCase } from '../kind.js';

export type Json = unknown;
export type JsonObject = Readonly<Record<string, Json>>;

export interface WatchStep {
  readonly id?: string;
  readonly collect?: string;
  readonly count?: number;
  readonly quietMs?: number;
  readonly timeoutMs?: number;
  readonly close?: boolean;
  readonly untilClosed?: boolean;
  readonly collapseBookmarks?: boolean;
  readonly bookmarksOptional?: boolean;
}

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** null: the header is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
  readonly rawBody?: Json;
  readonly freshConnection?: boolean;
  readonly watch?: WatchStep;
}

export interface WantEvent {
  readonly type: string;
  readonly bodyMatch?: Json;
  readonly exact?: readonly string[];
  readonly absent?: readonly string[];
}

export interface Want {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyMatch?: Json;
  readonly exact?: readonly string[];
  readonly absent?: readonly string[];
  readonly text?: string;
  readonly textPrefix?: string;
  readonly binary?: boolean;
  readonly base64Prefix?: string;
  readonly events?: readonly WantEvent[];
  readonly closed?: boolean;
}

export interface HttpCase extends NamedCase {
  readonly tags: readonly string[];
  readonly namespaces: readonly string[];
  readonly steps: readonly Step[];
  readonly want: readonly Want[];
}

export function parseCase(line: unknown): HttpCase {
  const { name, tags = [], namespaces = ['ns'], steps, want } = (line ?? {}) as Partial<HttpCase>;
  if (typeof name !== 'string') throw new MalformedCase('no name');
  if (!Array.isArray(steps) || !Array.isArray(want) || steps.length !== want.length || steps.length === 0) {
    throw new MalformedCase(`${name}: steps and want must be lists of the same length`);
  }
  return { name, tags, namespaces, steps: steps as Step[], want: want as Want[] };
}
