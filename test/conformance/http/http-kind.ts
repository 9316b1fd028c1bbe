/** The HTTP vectors, replayed against the embedded API server. */
import { ApiServer } from '../../../src/apiserver/index.js';
import { type Kind, type Stage, UsageError, type Verdict } from '../kind.js';
import { Client } from './client.js';
import { type HttpCase, parseCase } from './format.js';
import { runCase } from './run-case.js';

export const httpKind: Kind<HttpCase> = {
  name: 'http',
  parse: parseCase,
  modes(threads) {
    if (threads !== undefined) throw new UsageError('the http vectors take no --threads');
    return [''];
  },
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

  run(vector: HttpCase): Promise<Verdict> {
    return runCase(this.#client, vector, `r${++this.#runs}`);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#server.stop();
  }
}
