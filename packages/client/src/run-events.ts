import type { SessionEvent } from '@bulkhead/protocol';
import type { WatchResponse } from '@bulkhead/protocol/client';
import { type EventHeader, parseEvent, parseEventHeader } from '@bulkhead/protocol/transcript';

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

/**
 * Which of a session's events belong to one message: those of its run, and those outside any run,
 * from its `agent_start` (or its `settled`, if it was merged into another run) to its `settled` and
 * the `idle` after it. If another message is waiting, no `idle` comes; then the next run's start is
 * past the end.
 */
export class RunFilter {
  readonly #messageId: string;
  #run: string | undefined;
  #settled = false;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  /** Takes the events in order. `last` belongs to the message too. */
  judge({ type, turn, message }: EventHeader): 'skip' | 'belongs' | 'last' | 'past' {
    const ours = message === this.#messageId;
    if (type === 'agent_start') {
      if (this.#settled) return 'past';
      if (ours) this.#run = turn;
    }
    if (type === 'settled' && ours) this.#settled = true;
    if (turn === '' && !ours) return this.#outside(type);
    return ours || turn === this.#run ? 'belongs' : 'skip';
  }

  #outside(type: string): 'skip' | 'belongs' | 'last' {
    if (this.#run === undefined && !this.#settled) return 'skip';
    return type === 'idle' && this.#settled ? 'last' : 'belongs';
  }
}
