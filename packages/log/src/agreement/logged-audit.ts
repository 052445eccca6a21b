import type { AuditSink } from '@bulkhead/audit';
import type { LogAgreement } from '@bulkhead/sessions';

/**
 * An audit log whose entries say up to where the log of their session was on the disk when they were appended. What is off the record has no log
 * on a disk, and its entries say nothing.
 */
export function loggedAudit(sink: AuditSink, store: Pick<LogAgreement, 'flushedPos'>): AuditSink {
  return {
    append: (inputs) =>
      sink.append(
        inputs.map((input) => {
          const logged = input.session === '' ? 0 : store.flushedPos(input.session);
          return logged === 0 ? input : { ...input, logged };
        }),
      ),
  };
}
