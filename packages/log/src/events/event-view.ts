import type { EventBody, SessionEvent } from '@bulkhead/protocol';

/** The one text form of an event: a JSON object without a line break, as contracted. */
export interface EventLine {
  readonly sessionId: string;
  readonly seq: number;
  readonly type: string;
  readonly ephemeral: boolean;
  /** The message this event settles; empty for any other. */
  readonly settles: string;
  readonly json: string;
}

/**
 * @param seq of the event itself, or, for an ephemeral one, of the durable event it precedes
 * @param time milliseconds since the epoch
 * @param turn the run, or empty
 */
export function eventLine(
  where: { readonly seq: number; readonly time: number; readonly session: string; readonly turn: string },
  body: EventBody,
  ephemeral = false,
): EventLine {
  // The members every line has come first, in the contract's order; what is spread later can't move them.
  const head = {
    seq: where.seq,
    time: new Date(where.time).toISOString(),
    session: where.session,
    turn: where.turn,
    type: body.type,
    ...(ephemeral ? { ephemeral: true as const } : {}),
  };
  const event: SessionEvent = { ...head, ...body };
  const settles = body.type === 'settled' ? body.message : '';
  return {
    sessionId: where.session,
    seq: where.seq,
    type: body.type,
    ephemeral,
    settles,
    json: JSON.stringify(event),
  };
}
