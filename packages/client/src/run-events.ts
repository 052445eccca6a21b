import type { SessionEvent } from '@bulkhead/protocol';
import type { WatchResponse } from '@bulkhead/protocol/client';
import { parseEvent, parseEventHeader } from '@bulkhead/protocol/transcript';
import { RunFilter } from './run-filter.ts';

export interface RunEvent {
  /** Undefined for an unknown event. */
  readonly event: SessionEvent | undefined;
  /** The line as the engine wrote it. */
  readonly json: string;
}

/**
 * The events of one message among a session's events, to its end. @param messageId of the accepted
 * message
 */
export async function* runEvents(
  lines: AsyncIterable<WatchResponse>,
  messageId: string,
): AsyncGenerator<RunEvent> {
  const filter = new RunFilter(messageId);
  for await (const { json } of lines) {
    const place = filter.judge(parseEventHeader(json));
    if (place === 'past') return;
    if (place !== 'skip') yield { event: parseEvent(json), json };
    if (place === 'last') return;
  }
}
