import type { AuditSink } from '@bulkhead/audit';
import type { LogAgreement } from '@bulkhead/sessions';

/**
 * An audit log whose entries record the position up to which their session's log was on the disk
 * when they were appended. Off the record there is no log on a disk, and entries record none.
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
