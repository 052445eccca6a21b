import { chmodSync, mkdirSync } from 'node:fs';
import { BulkheadError, type Clock, describeError } from '@bulkhead/protocol';
import type { AuditEntry, AuditInput } from './audit-entry.ts';
import { auditFailed } from './audit-files.ts';
import { capInput } from './cap-input.ts';
import { type SealedEntry, sealEntry } from './chain.ts';
import { type LogWriter, openWriter } from './log-writer.ts';
import { type LogTail, openTail } from './open-tail.ts';

/** An open log: one writer at a time. */
export interface AuditLog {
  /**
   * Records steps in the order given, after everything appended before. They are on the disk when the
   * promise resolves; calls that meet share one flush.
   * @throws BulkheadError `audit_failed`; from then on every call throws until the log is opened anew
   */
  append(inputs: readonly AuditInput[]): Promise<readonly AuditEntry[]>;
  /** The last entry on the disk. */
  readonly head: { readonly n: number; readonly self: string };
  /** Waits for what is under way, then closes the file. Later appends throw. */
  close(): Promise<void>;
}

export interface AuditLogOptions {
  readonly clock: Clock;
  /** Size in bytes at which the next file is begun; default 64 MiB. */
  readonly rotateBytes?: number;
}

/**
 * Opens the log in `folder` (made with mode 0700 if absent) and checks its last file. An incomplete last
 * line, as a crash leaves it, is cut off and a `REPAIRED` entry says so.
 * @throws BulkheadError `audit_failed`, naming file and first bad entry, for any other damage; nothing is changed then
 */
export async function openAuditLog(folder: string, options: AuditLogOptions): Promise<AuditLog> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const tail = await openTail(folder);
    const writer = openWriter(folder, tail.number, options.rotateBytes ?? 64 * 1024 * 1024);
    const log = startLog(writer, tail, options.clock);
    if (tail.repair !== undefined) await log.append([tail.repair]);
    return log;
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
    throw auditFailed(`can't open the audit log in ${folder}: ${describeError(error)}`, error);
  }
}

interface Waiting {
  readonly sealed: readonly SealedEntry[];
  readonly done: PromiseWithResolvers<void>;
}

function startLog(writer: LogWriter, tail: LogTail, clock: Clock): AuditLog {
  let sealedHead = tail.head;
  let head = tail.head;
  let failure: BulkheadError | undefined;
  let closed = false;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;

  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    if (failure !== undefined) throw failure;
    const sealed = group.flatMap((each) => each.sealed);
    await writer.write(sealed.map(({ line }) => `${line}\n`).join(''));
    head = sealed.at(-1)?.entry ?? head;
  };

  /** Never rejects: each waiting call is told for itself. */
  const flush = async (): Promise<void> => {
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        await writeGroup(group);
        for (const { done } of group) done.resolve();
      } catch (error) {
        failure ??= auditFailed(`can't write the audit log: ${describeError(error)}`, error);
        for (const { done } of group) done.reject(failure);
      }
    }
    flushing = undefined;
  };

  return {
    async append(inputs) {
      if (closed) throw auditFailed('the audit log is closed');
      const sealed: SealedEntry[] = [];
      let next = sealedHead;
      for (const input of inputs) {
        const one = sealEntry(capInput(input), next, clock.now());
        sealed.push(one);
        next = one.entry;
      }
      sealedHead = next;
      const done = Promise.withResolvers<void>();
      waiting.push({ sealed, done });
      flushing ??= flush();
      await done.promise;
      return sealed.map(({ entry }) => entry);
    },
    get head() {
      return { n: head.n, self: head.self };
    },
    async close() {
      closed = true;
      await flushing;
      writer.close();
    },
  };
}
