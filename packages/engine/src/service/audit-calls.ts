import type { AuditLog } from '@bulkhead/audit';
import type { ClientService } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/** What clients can have done to the audit log; to read it they need no engine. */
export function auditCalls(
  log: Pick<AuditLog, 'rotateKey'>,
): Pick<ServiceImpl<typeof ClientService>, 'rotateAuditKey'> {
  return { rotateAuditKey: () => log.rotateKey() };
}
