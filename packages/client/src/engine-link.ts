import { setTimeout as sleep } from 'node:timers/promises';
import { BulkheadError, type Clock } from '@bulkhead/protocol';
import type { WatchResponse } from '@bulkhead/protocol/client';
import type { EngineClient } from './engine-client.ts';

/** How long an engine may be away before its clients give up, milliseconds. */
const AWAY_MS = 10_000;
const PAUSE_MS = 50;
/** A watch that lasted this long worked, even without events. */
const SOUND_MS = 1_000;

/**
 * A connection to the engine that survives its crash or restart: calls are repeated, and a watch
 * continues after the last durable event. No event arrives twice, and no durable event is lost.
 */
export class EngineLink implements Disposable {
  #client: EngineClient;
  #renewal: Promise<void> | undefined;
  readonly #connect: (withinMs: number, signal: AbortSignal) => Promise<EngineClient>;
  readonly #clock: Clock;

  /** @param connect creates a new client, trying for the given time */
  constructor(
    client: EngineClient,
    connect: (withinMs: number, signal: AbortSignal) => Promise<EngineClient>,
    clock: Clock,
  ) {
    this.#client = client;
    this.#connect = connect;
    this.#clock = clock;
  }

  /**
   * Makes a call, and repeats it on a new connection while this one is lost or the engine is
   * stopping.
   * @param action must be repeatable
   */
  async repeat<T>(action: (client: EngineClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    return await this.#until(isLost, action, signal);
  }

  /**
   * Makes a call that must not be executed twice: repeats it only if the engine refused it because
   * it is stopping.
   */
  async once<T>(action: (client: EngineClient) => Promise<T>): Promise<T> {
    return await this.#until(isRefused, action, new AbortController().signal);
  }

  async #until<T>(
    isAgain: (cause: unknown) => boolean,
    action: (client: EngineClient) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const end = this.#clock.monotonic() + AWAY_MS;
    for (;;) {
      try {
        return await action(this.#client);
      } catch (cause) {
        if (!isAgain(cause) || this.#clock.monotonic() > end) throw cause;
      }
      await this.#renew(signal);
    }
  }

  /**
   * Events of a session after `afterSeq`, live ones too, until the caller leaves or `signal` fires.
   * @param tell called each time the connection is lost or restored
   * @throws BulkheadError `not_running` when the engine stays away for 10 s; `cancelled`
   */
  async *watch(
    sessionId: string,
    afterSeq: number,
    signal: AbortSignal,
    tell: (connection: 'lost' | 'back') => void,
  ): AsyncGenerator<WatchResponse> {
    const place = { seq: afterSeq };
    let failingSince: number | undefined;
    while (true) {
      const opened = this.#clock.monotonic();
      const before = place.seq;
      yield* this.#watchOnce(sessionId, place, signal);
      const now = this.#clock.monotonic();
      if (now - opened > SOUND_MS || place.seq > before) failingSince = undefined;
      failingSince ??= now;
      if (now - failingSince > AWAY_MS) throw gone(undefined, sessionId);
      tell('lost');
      await this.#renew(signal).catch((cause: unknown) => {
        throw isLost(cause) ? gone(cause, sessionId) : cause;
      });
      tell('back');
    }
  }

  /** Until the connection is lost. @param place advances with every durable event */
  async *#watchOnce(
    sessionId: string,
    place: { seq: number },
    signal: AbortSignal,
  ): AsyncGenerator<WatchResponse> {
    try {
      const lines = this.#client.stream('watch', { sessionId, afterSeq: place.seq, follow: true }, signal);
      for await (const line of lines) {
        if (!line.ephemeral && line.seq <= place.seq) continue;
        if (!line.ephemeral) place.seq = line.seq;
        yield line;
      }
    } catch (cause) {
      if (!isLost(cause)) throw cause;
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  #renew(signal: AbortSignal): Promise<void> {
    this.#renewal ??= this.#reconnect(signal).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #reconnect(signal: AbortSignal): Promise<void> {
    this.#client[Symbol.dispose]();
    await sleep(PAUSE_MS, undefined, { signal });
    try {
      this.#client = await this.#connect(AWAY_MS, signal);
    } catch (cause) {
      throw isLost(cause) ? gone(cause) : cause;
    }
  }
}

function isLost(cause: unknown): boolean {
  return BulkheadError.is(cause) && cause.code === 'not_running';
}

/** The engine only answered that it is stopping: the call was not executed. */
function isRefused(cause: unknown): boolean {
  return isLost(cause) && BulkheadError.is(cause) && cause.details['grpcStatus'] !== undefined;
}

function gone(cause: unknown, sessionId = 'ID'): BulkheadError {
  const back = `it continues at the next start. \`bulkhead start\` starts the engine, \`bulkhead chat --session ${sessionId}\` shows the rest`;
  return new BulkheadError('not_running', 'the engine ended and did not restart within 10 s', {
    fix: `An accepted message is not lost, but not finished: ${back}. Why it ended: \`bulkhead logs\` and \`bulkhead logs --supervisor\`.`,
    cause,
  });
}
