/** The HTTP vectors, replayed against the embedded API server. */
import { ApiServer } from '../../../src/apiserver/index.js';
import type { Kind, Stage, Verdict } from '../kind.js';
import { Client } from './client.js';
import { type HttpCase, parseCase } from './format.js';
import { notOffered } from './not-offered.js';
import { runCase } from './run-case.js';

export const httpKind: Kind<HttpCase> = {
  name: 'http',
  parse: parseCase,
  // One server on one thread, whatever --threads says to other kinds.
  modes: () => [''],
  open: async () => HttpStage.open(),
};

class HttpStage implements Stage<HttpCase> {
  readonly #server: ApiServer;
  readonly #client: Client;
  #runs = 0;

  static async open(): Promise<HttpStage> {
    return new HttpStage(await ApiServer.start({ tokens: ['conformance'] }));
  }

  constructor(server: ApiServer) {
    this.#server = server;
    this.#client = new Client(server.url);
  }

  async run(vector: HttpCase): Promise<Verdict> {
    const gap = notOffered(vector);
    if (gap !== undefined) return { is: 'skipped', reason: `the server does not offer: ${gap}` };
    return runCase(this.#client, vector, `r${++this.#runs}`);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#server.stop();
  }
}
