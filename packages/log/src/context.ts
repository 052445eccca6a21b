import type { AuditSink } from '@bulkhead/audit';
import type { Storage } from '@bulkhead/home/storage/storage';
import type { Clock, IdSource, Redaction, Timers } from '@bulkhead/protocol';
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
