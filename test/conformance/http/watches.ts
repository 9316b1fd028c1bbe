/** The open watches of a case: events as they come, and waiting for them. */
import type { IncomingMessage } from 'node:http';
import type { Json, WatchStep } from './format.js';

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

const QUIET_MS = 250;
const TIMEOUT_MS = 5_000;

export class OpenWatch {
  readonly #response: IncomingMessage;
  readonly #events: WatchEvent[] = [];
  #unfinished = '';
  #isClosed = false;
  #changed: () => void = () => undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (this.#unfinished + text).split('\n');
      this.#unfinished = lines.pop() ?? '';
      for (const line of lines) this.#events.push(JSON.parse(line) as WatchEvent);
      this.#changed();
    });
    response.on('close', () => {
      this.#isClosed = true;
      this.#changed();
    });
    response.on('error', () => undefined);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The events since the last time, once there are enough and then none for a while. */
  async collect(step: WatchStep): Promise<readonly WatchEvent[]> {
    const { count = 0, quietMs = QUIET_MS, timeoutMs = TIMEOUT_MS, untilClosed = false } = step;
    const deadline = Date.now() + timeoutMs;
    const isEnough = (): boolean => (untilClosed ? false : this.#events.length >= count);
    while (!isEnough() && !this.#isClosed && Date.now() < deadline) await this.#change(deadline - Date.now());
    if (!untilClosed) {
      while (!this.#isClosed && (await this.#change(quietMs)));
    }
    if (step.close === true) this.close();
    return this.#events.splice(0);
  }

  close(): void {
    this.#response.destroy();
  }

  /** True if something came within the time. */
  #change(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(0, ms));
      this.#changed = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
