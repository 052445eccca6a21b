import { BulkheadError, describeError } from '@bulkhead/protocol';
import { auditFailed, auditFileName, listAuditFiles } from './audit-files.ts';
import { GENESIS } from './chain.ts';
import { checkFile } from './check-file.ts';

/** What a check of the whole log found. */
export interface AuditVerification {
  readonly ok: boolean;
  /** Good entries before the first bad one, or all. */
  readonly entries: number;
  readonly firstBad?: BadEntry;
}

export interface BadEntry {
  /** Name of the file inside the folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The number the entry should have. */
  readonly n: number;
  readonly reason: string;
}

/**
 * Reads the whole log once, in bounded memory, and recomputes every hash. Finds what was changed, added,
 * moved or taken out; entries taken off the very end leave no trace in the files themselves.
 * @throws BulkheadError `audit_failed` if the folder can't be read, `cancelled` if aborted
 */
export async function verifyAuditLog(folder: string, signal?: AbortSignal): Promise<AuditVerification> {
  try {
    const numbers = await listAuditFiles(folder);
    let head = GENESIS;
    for (const [index, number] of numbers.entries()) {
      const file = auditFileName(index + 1);
      if (number !== index + 1) return bad(head.n, file, 1, 'the file is missing');
      const check = await checkFile(folder, number, head, signal);
      head = check.head;
      if (check.bad !== undefined) return bad(head.n, file, check.lines + 1, check.bad);
      if (check.lines === 0 && index < numbers.length - 1) return bad(head.n, file, 1, 'the file is empty');
    }
    return { ok: true, entries: head.n };
  } catch (error) {
    if (signal?.aborted) throw new BulkheadError('cancelled', 'the check was cancelled', { cause: error });
    throw auditFailed(`can't read the audit log in ${folder}: ${describeError(error)}`, error);
  }
}

function bad(entries: number, file: string, line: number, reason: string): AuditVerification {
  return { ok: false, entries, firstBad: { file, line, n: entries + 1, reason } };
}
