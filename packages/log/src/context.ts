import type { AuditSink } from '@bulkhead/audit';
import type { Storage } from '@bulkhead/home/storage/storage';
import type { BulkheadError, Clock, IdSource, Redaction, Timers } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { SessionLog } from './session/session-log.ts';

/** Services that every room above the log may use. A room gets it first, and its own configuration second. */
export interface Context {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: IdSource;
  readonly log: SessionLog;
  /** Its entries are redacted and carry the positions of their sessions' logs. */
  readonly audit: AuditSink;
  readonly redaction: Redaction;
  /** The engine's own log, for its operator. */
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** Takes note of errors that a disk causes, and refuses new work while one can't be written. */
  readonly storage: Pick<Storage, 'report' | 'refuseWork'>;
}

/** After these, the facts in memory may differ from those in the log: only the log can be continued from. */
const RECORD_FAILURES: readonly string[] = ['store_failed', 'store_corrupt', 'audit_failed'];

export function isRecordFailure({ code }: BulkheadError): boolean {
  return RECORD_FAILURES.includes(code);
}
