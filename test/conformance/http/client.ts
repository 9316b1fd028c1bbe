/** Requests as a case writes them: any method, any path, exactly the given headers. */
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';

export interface WireRequest {
  readonly method: string;
  /** As it goes over the wire, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly freshConnection?: boolean;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class Client {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const response = await this.open(request);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : (value ?? ''),
        ]),
      ),
      body: Buffer.concat(chunks),
    };
  }

  /** Resolves with the headers. */
  open({ method, path, headers, body, freshConnection }: WireRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: this.#url.hostname,
        port: this.#url.port,
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        agent: freshConnection === true ? false : this.#agent,
      });
      request.on('response', resolve);
      request.on('error', reject);
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
