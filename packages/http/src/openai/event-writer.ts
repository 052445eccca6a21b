import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Timers } from '@bulkhead/protocol';
import { plainHeaders } from '../answer.ts';

/**
 * A stream that has sent nothing for this long sends a keep-alive, so that proxies don't close it,
 * in milliseconds.
 */
const ALIVE_MS = 10_000;

/**
 * Server-sent events of one answer. Nothing is sent before the first event or keep-alive: until
 * then, an error has a status.
 */
export class EventWriter implements Disposable {
  readonly #response: ServerResponse;
  readonly #timers: Timers;
  readonly #headers: Readonly<Record<string, string>>;
  #timer: Disposable;

  constructor(response: ServerResponse, timers: Timers, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    this.#timers = timers;
    this.#headers = headers;
    this.#timer = this.#aliveLater();
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  /** @param name of the event, if the API names its events */
  async send(data: unknown, name?: string): Promise<void> {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    await this.#write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }

  end(): void {
    this.#response.end();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  async #write(text: string): Promise<void> {
    if (this.#response.destroyed) return;
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, {
        ...plainHeaders('text/event-stream; charset=utf-8'),
        ...this.#headers,
      });
    }
    this.#timer[Symbol.dispose]();
    this.#timer = this.#aliveLater();
    if (this.#response.write(text)) return;
    // A reader that left ends the wait, too.
    const left = new AbortController();
    this.#response.once('close', () => left.abort());
    await once(this.#response, 'drain', { signal: left.signal }).catch(() => {});
  }

  #aliveLater(): Disposable {
    return this.#timers.after(ALIVE_MS, () => void this.#write(': alive\n\n'));
  }
}
