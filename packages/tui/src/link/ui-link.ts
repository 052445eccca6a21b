import type { EngineClient } from '@bulkhead/client';
import type { WatchResponse } from '@bulkhead/protocol/client';

/** What the terminal UI asks of the engine. */
export type UiClient = Pick<EngineClient, 'call' | 'stream'>;

/** The way to the engine: it outlives a crash or a restart of it. */
export interface UiLink {
  /** A call that may be made twice. */
  repeat<T>(action: (client: UiClient) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** A call that may not. */
  once<T>(action: (client: UiClient) => Promise<T>): Promise<T>;
  /**
   * Events of a session after a sequence number, live ones too.
   *
   * @param tell told each time the connection is lost, and when there is one again
   */
  watch(
    sessionId: string,
    afterSeq: number,
    signal: AbortSignal,
    tell: (connection: 'lost' | 'back') => void,
  ): AsyncGenerator<WatchResponse>;
}
