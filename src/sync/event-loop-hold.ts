/**
 * Keeps the event loop alive while goroutines sleep at something shared: a pending waitAsync does not.
 *
 * Let go only at the next turn: a goroutine that was woken often sleeps again before that.
 */
import { MessageChannel } from 'node:worker_threads';

export class EventLoopHold {
  #holds = 0;
  #channel: MessageChannel | null = null;
  #isReferenced = false;
  #isLettingGo = false;

  take(): void {
    if (++this.#holds > 1 || this.#isReferenced) return;
    if (this.#channel === null) {
      this.#channel = new MessageChannel();
      this.#channel.port1.on('message', () => undefined);
    }
    this.#isReferenced = true;
    this.#channel.port1.ref();
  }

  release(): void {
    if (--this.#holds > 0 || this.#isLettingGo) return;
    this.#isLettingGo = true;
    setImmediate(this.#letGo);
  }

  #letGo = (): void => {
    this.#isLettingGo = false;
    if (this.#holds > 0 || !this.#isReferenced) return;
    this.#isReferenced = false;
    this.#channel?.port1.unref();
  };
}
