import type { EngineClient } from '@bulkhead/client';
import type { WatchResponse } from '@bulkhead/protocol/client';

/** The terminal UI's requests to the engine. */
export type UiClient = Pick<EngineClient, 'call' | 'stream'>;

/** The connection to the engine: it survives a crash or restart of the engine. */
export interface UiLink {
  /** A call that may be repeated. */
  repeat<T>(action: (client: UiClient) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** A call that must not be repeated. */
  once<T>(action: (client: UiClient) => Promise<T>): Promise<T>;
  /**
   * Events of a session after a sequence number, live ones too.
   *
   * @param tell called each time the connection is lost or restored
   */
  watch(
    sessionId: string,
    afterSeq: number,
    signal: AbortSignal,
    tell: (connection: 'lost' | 'back') => void,
  ): AsyncGenerator<WatchResponse>;
}
