import type { AuditSink } from '@bulkhead/audit';
import { originDetails } from '@bulkhead/log/session/accepted-input';
import type { Origin } from '@bulkhead/protocol';

/** A message that is in the log of its session, on the disk. */
interface KeptMessage {
  readonly sessionId: string;
  readonly messageId: string;
  /** Of its record in the session's log. */
  readonly pos: number;
  /** Absent where it is unknown. */
  readonly origin?: Origin | undefined;
}

/**
 * Names accepted messages in the audit log. The session's log gets a message first, then the audit
 * log, then the client its answer: so the audit log never names a message that a crash lost, and
 * names every message that a client knows to be accepted. Messages that arrive together share one
 * flush.
 */
export class AcceptedMessages {
  readonly #audit: AuditSink;
  readonly #isLeftOut: (sessionId: string) => boolean;
  readonly #underWay = new Map<string, Promise<void>>();

  /** @param isLeftOut true for sessions off the record: no log of theirs is on a disk */
  constructor(audit: AuditSink, isLeftOut: (sessionId: string) => boolean) {
    this.#audit = audit;
    this.#isLeftOut = isLeftOut;
  }

  /** Begins to record them, in this order; `recorded` tells how that ends. */
  record(messages: readonly KeptMessage[]): void {
    const named = messages.filter(({ sessionId }) => !this.#isLeftOut(sessionId));
    if (named.length === 0) return;
    const entries = named.map(({ sessionId, messageId, pos, origin }) => ({
      step: 'ACCEPTED' as const,
      action: '',
      hash: '',
      session: sessionId,
      tool: '',
      details: { message: messageId, pos, ...originDetails(origin) },
    }));
    const done = this.#audit.append(entries).then(() => {
      for (const { sessionId, messageId } of named) this.#underWay.delete(keyOf(sessionId, messageId));
    });
    // A failed one stays: no client learns that such a message was accepted. Those who await it get
    // the error.
    done.catch(() => {});
    for (const { sessionId, messageId } of named) this.#underWay.set(keyOf(sessionId, messageId), done);
  }

  /** @throws BulkheadError `audit_failed` if the audit log could not name the message */
  async recorded(sessionId: string, messageId: string): Promise<void> {
    await this.#underWay.get(keyOf(sessionId, messageId));
  }
}

function keyOf(sessionId: string, messageId: string): string {
  return `${sessionId} ${messageId}`;
}
