import { setTimeout as sleep } from 'node:timers/promises';
import { BulkheadError, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { parseEventLine } from '../support/event-lines.ts';
import { until } from '../support/until.ts';
import type { PowerHome } from './power-home.ts';
import { monotonicNow, type Told } from './told.ts';

const SETTLE_MS = 90_000;
const PAUSE_MS = 20;

/** A client with one session that notes all that it receives, and when. */
export class Watcher implements AsyncDisposable {
  readonly session: string;
  readonly told: Told[] = [];
  readonly #home: PowerHome;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  private constructor(home: PowerHome, session: string) {
    this.#home = home;
    this.session = session;
    this.told.push({ at: monotonicNow(), kind: 'session', session });
    this.#watching = this.#watch();
  }

  static async begin(home: PowerHome): Promise<Watcher> {
    using client = await home.client();
    return new Watcher(home, (await client.call('createSession', { workingFolder: home.folder })).sessionId);
  }

  get events(): readonly SessionEvent[] {
    return this.told.flatMap((one) => (one.kind === 'event' ? [one.event] : []));
  }

  /** @throws BulkheadError if it was not acknowledged */
  async send(messageId: string, content: string): Promise<void> {
    using client = await this.#home.client();
    const options = { approve: ApprovalMode.ALLOW };
    await client.call('sendMessage', { sessionId: this.session, messageId, content, options });
    this.told.push({ at: monotonicNow(), kind: 'acknowledged', message: messageId });
  }

  /** @returns also once it is abandoned */
  async settled(message: string): Promise<void> {
    const isSettled = () =>
      this.#stop.signal.aborted ||
      this.events.some((event) => event.type === 'settled' && event.message === message);
    await until(`${message} is settled`, isSettled, SETTLE_MS);
  }

  /** Waits for nothing any more: the power is lost. */
  abandon(): void {
    this.#stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#watchOnce();
      } catch (error) {
        // The engine is away, or this is over.
        if (!BulkheadError.is(error)) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #watchOnce(): Promise<void> {
    using client = await this.#home.client();
    const afterSeq = this.events.findLast(({ ephemeral }) => ephemeral !== true)?.seq ?? 0;
    const request = { sessionId: this.session, afterSeq, follow: true };
    for await (const { json } of client.stream('watch', request, this.#stop.signal))
      this.told.push({ at: monotonicNow(), kind: 'event', event: parseEventLine(json) });
  }
}
