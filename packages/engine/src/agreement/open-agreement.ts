import type { AuditLog } from '@bulkhead/audit';
import type { HomeLayout } from '@bulkhead/protocol';
import type { LogAgreement } from '@bulkhead/sessions';
import type { Logger } from 'pino';
import type { AuditSink } from '../pipeline/action-trail.ts';
import { checkLogs } from './check-logs.ts';
import { LogMarks } from './log-marks.ts';
import { loggedAudit } from './logged-audit.ts';
import { describeLoss, lossText } from './loss.ts';

/** The audit log and the session logs of an engine, compared. */
export interface Agreement {
  /** Its entries carry the positions of their sessions' logs. */
  readonly audit: AuditSink;
  /** Actions with an effect that were begun, as the audit log says, and of which the logs hold no intent. */
  readonly begun: ReadonlySet<string>;
  /** What a person should know beside the losses of sessions. */
  readonly notices: readonly string[];
  /** Notes that both logs agree up to here. Everything written before is on the disk when it resolves. */
  agree(): Promise<void>;
  /** The same at an orderly end. Never rejects: without it, the next start compares more. */
  close(): Promise<void>;
}

/**
 * Compares the logs before anything is taken up. A session whose log lost records that the audit log names is read-only from here on.
 *
 * @param parts.isNew true if there was no database
 * @throws BulkheadError `audit_failed`, `store_failed`
 */
export async function openAgreement(parts: {
  readonly layout: HomeLayout;
  readonly store: LogAgreement;
  readonly auditLog: AuditLog;
  readonly isNew: boolean;
  readonly logger: Logger;
}): Promise<Agreement> {
  const { layout, store, auditLog, isNew, logger } = parts;
  const before = auditLog.head.n;
  const { losses, begun, entries, problem } = await checkLogs(layout.audit, store);
  for (const [id, loss] of losses) logger.error({ loss: describeLoss(id, loss) }, 'a session lost records');
  if (losses.size > 0) store.noteLosses(new Map([...losses].map(([id, loss]) => [id, lossText(loss)])));
  const remade = `the session database ${layout.database} was missing and was made anew, and the audit log has ${before} entries`;
  const notices = [...(problem === undefined ? [] : [problem]), ...(isNew && before > 0 ? [remade] : [])];
  for (const notice of notices) logger.error({ notice }, 'the logs do not agree');
  const logged = loggedAudit(auditLog, store);
  const marks = new LogMarks(logged, store);
  const failed = (error: unknown): void => logger.warn({ err: error }, 'the logs could not be marked');
  const found = {
    entries,
    losses: losses.size,
    ...(notices[0] === undefined ? {} : { problem: notices[0] }),
  };
  return {
    audit: marks.counting(failed),
    begun,
    notices,
    agree: () => marks.set(found),
    close: () => marks.set({}).catch(failed),
  };
}
