import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError, type Clock, describeError, type Timers } from '@bulkhead/protocol';
import { AppendFile } from './append-file.ts';
import type { AuditEntry, AuditInput } from './audit-entry.ts';
import { auditFailed, checkpointFileName } from './audit-files.ts';
import { capInput } from './cap-input.ts';
import { type SealedEntry, sealEntry } from './chain.ts';
import { headerLine } from './checkpoint/checkpoint-file.ts';
import { Checkpointer } from './checkpoint/checkpointer.ts';
import { makeSigningKey, readSigningKey, type SigningKey } from './checkpoint/signing-key.ts';
import { type LogWriter, openWriter } from './log-writer.ts';
import { type LogState, readState } from './open-state.ts';

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
  /** Waits for what is under way, signs what is not signed yet, then closes the files. Later appends throw. */
  close(): Promise<void>;
}

export interface AuditLogOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Size in bytes at which the next file is begun; default 64 MiB. */
  readonly rotateBytes?: number;
}

/**
 * Opens the log in `folder` (made with mode 0700 if absent) and checks its last file and that of its checkpoints. An
 * incomplete last line, as a crash leaves it, is cut off and a `REPAIRED` entry says so.
 * @throws BulkheadError `audit_failed`, naming file and first bad entry, for any other damage; nothing is changed then
 */
export async function openAuditLog(folder: string, options: AuditLogOptions): Promise<AuditLog> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const state = await readState(folder);
    const known = readSigningKey(folder, state);
    const repairs = await mendAll(state);
    const checkpoints = new AppendFile(join(folder, checkpointFileName(state.number)), 'append');
    if (state.withoutHeader) {
      checkpoints.put(`${headerLine(state.start)}\n`);
      await checkpoints.flush();
    }
    const key = known ?? makeSigningKey(folder);
    const writer = openWriter(folder, state.number, options.rotateBytes ?? 64 * 1024 * 1024);
    const log = startLog({ folder, writer, state, key, checkpoints, ...options });
    if (repairs.length > 0) await log.append(repairs);
    return log;
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
    throw auditFailed(`can't open the audit log in ${folder}: ${describeError(error)}`, error);
  }
}

async function mendAll({ mends }: LogState): Promise<readonly AuditInput[]> {
  const repairs: AuditInput[] = [];
  for (const mend of mends) repairs.push(await mend());
  return repairs;
}

interface Waiting {
  readonly sealed: readonly SealedEntry[];
  readonly done: PromiseWithResolvers<void>;
}

interface LogParts {
  readonly folder: string;
  readonly writer: LogWriter;
  readonly state: LogState;
  readonly key: SigningKey;
  readonly checkpoints: AppendFile;
  readonly clock: Clock;
  readonly timers: Timers;
}

function startLog({ folder, writer, state, key, checkpoints, clock, timers }: LogParts): AuditLog {
  let sealedHead = state.head;
  let head = state.head;
  let failure: BulkheadError | undefined;
  let closed = false;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;

  const fail = (error: unknown): BulkheadError => {
    failure ??= auditFailed(`can't write the audit log: ${describeError(error)}`, error);
    return failure;
  };
  const checkpointer = new Checkpointer({
    folder,
    key,
    clock,
    timers,
    tree: state.tree,
    last: state.last,
    file: checkpoints,
    onSigned: () => {},
    onFailure: fail,
  });

  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    if (failure !== undefined) throw failure;
    if (writer.isFull) {
      await checkpointer.settle();
      writer.rotate();
      await checkpointer.rotate(writer.number);
    }
    const sealed = group.flatMap((each) => each.sealed);
    const lines = sealed.map(({ line }) => line);
    await writer.write(lines.map((line) => `${line}\n`).join(''));
    head = sealed.at(-1)?.entry ?? head;
    checkpointer.grow(lines);
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
        const failed = fail(error);
        for (const { done } of group) done.reject(failed);
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
      const first = !closed;
      closed = true;
      await flushing;
      try {
        if (first && failure === undefined) await checkpointer.settle();
      } catch (error) {
        throw fail(error);
      } finally {
        checkpointer.close();
        writer.close();
      }
    },
  };
}
