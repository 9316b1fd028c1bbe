/** A request as the endpoints see it, and what they answer. */

export interface ApiRequest {
  readonly query: URLSearchParams | undefined;
  /** Lower case, without parameters; '' if there was none. */
  readonly contentType: string;
  readonly body: Buffer;
}

export interface Reply {
  readonly code: number;
  /** JSON. */
  readonly text: string;
  readonly warnings: readonly string[];
}

const NO_WARNINGS: readonly string[] = [];

export const reply = (code: number, text: string, warnings: readonly string[] = NO_WARNINGS): Reply => ({
  code,
  text,
  warnings,
});

export const param = (request: ApiRequest, name: string): string => request.query?.get(name) ?? '';
