import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError, type Clock, describeError, type Timers } from '@bulkhead/protocol';
import { AppendFile } from './append-file.ts';
import type { AuditEntry, AuditInput } from './audit-entry.ts';
import { auditFailed, checkpointFileName } from './audit-files.ts';
import { capInput } from './cap-input.ts';
import { type SealedEntry, sealEntry } from './chain.ts';
import type { KeyChange } from './checkpoint/checkpoint.ts';
import { headerLine } from './checkpoint/checkpoint-file.ts';
import { Checkpointer } from './checkpoint/checkpointer.ts';
import { readKeyRing } from './checkpoint/read-key-ring.ts';
import { makeSigningKey, readSigningKey, type SigningKey } from './checkpoint/signing-key.ts';
import { type LogWriter, openWriter } from './log-writer.ts';
import type { TreeHash } from './merkle/tree-hash.ts';
import { type LogState, readState } from './open-state.ts';
import { rootOfFirst } from './read/root-of-first.ts';
import { Courier, type WitnessProblem } from './witness/courier.ts';
import {
  type MetWitness,
  meetWitnesses,
  type Witnessing,
  witnessConflict,
  witnessFailed,
} from './witness/meet-witnesses.ts';

/** An open log: one writer at a time. */
export interface AuditLog {
  /**
   * Records steps in the given order, after everything appended before. They are durable when the
   * promise resolves; concurrent calls share one flush.
   * @throws BulkheadError `audit_failed`; from then on every call throws until the log is opened
   * again
   */
  append(inputs: readonly AuditInput[]): Promise<readonly AuditEntry[]>;
  /** The last entry on the disk. */
  readonly head: { readonly n: number; readonly self: string };
  /**
   * Signs unsigned entries now, without the usual delay: only signed entries can be proved.
   * @throws BulkheadError `audit_failed`, as `append` does
   */
  sign(): Promise<void>;
  /**
   * Replaces the signing key; the old key says so in its last checkpoint, and is destroyed.
   * @returns both public keys; the second is in force when the promise resolves
   * @throws BulkheadError `audit_failed`, as `append` does
   */
  rotateKey(): Promise<KeyChange>;
  /** Waits for running work, signs all entries, then closes the files. Later appends throw. */
  close(): Promise<void>;
}

/** Accepts audit entries: they are durable when the promise resolves. */
export type AuditSink = Pick<AuditLog, 'append'>;

export interface AuditLogOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Size in bytes at which the next file starts; default 64 MiB. */
  readonly rotateBytes?: number;
  /** Keeps copies of checkpoints, out of the engine's reach. */
  readonly witnessing?: Witnessing;
}

/**
 * Opens the log in `folder` (created with mode 0700 if absent) and checks its last file and that of
 * its checkpoints. Removes an incomplete last line, left by a crash, and records it in a `REPAIRED`
 * entry.
 * @throws BulkheadError `audit_failed`, naming file and first bad entry, for any other damage;
 * nothing is changed then
 */
export async function openAuditLog(folder: string, options: AuditLogOptions): Promise<AuditLog> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const state = await readState(folder);
    const known = readSigningKey(folder, state);
    const met = await meet(folder, state, known, options);
    const repairs = await mendAll(state);
    const checkpoints = new AppendFile(join(folder, checkpointFileName(state.number)), 'append');
    if (state.withoutHeader) {
      checkpoints.put(`${headerLine(state.start)}\n`);
      await checkpoints.flush();
    }
    const key = known ?? makeSigningKey(folder);
    const writer = openWriter(folder, state.number, options.rotateBytes ?? 64 * 1024 * 1024);
    const log = startLog({ folder, writer, state, key, checkpoints, met, ...options });
    const first = [...repairs, ...met.flatMap(({ entry }) => entry ?? [])];
    if (first.length > 0) await log.append(first);
    return log;
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
    throw auditFailed(`can't open the audit log in ${folder}: ${describeError(error)}`, error);
  }
}

/** @throws BulkheadError if a witness saw another log */
async function meet(
  folder: string,
  { last, head }: LogState,
  key: SigningKey | undefined,
  { witnessing, timers }: AuditLogOptions,
): Promise<readonly MetWitness[]> {
  if (witnessing === undefined) return [];
  const rootAt = (size: number): Promise<TreeHash> => rootOfFirst(folder, size);
  const keys = key && (await readKeyRing(folder, key.verifier));
  const log = { keys, last, entries: head.n, rootAt };
  const met = await meetWitnesses(witnessing, log, timers);
  for (const { witness, entry } of met) {
    if (entry !== undefined)
      witnessing.warn(`${witness.name}: ${entry.step} ${JSON.stringify(entry.details)}`);
  }
  return met;
}

async function mendAll({ mends }: LogState): Promise<readonly AuditInput[]> {
  const repairs: AuditInput[] = [];
  for (const mend of mends) repairs.push(await mend());
  return repairs;
}

function keyEntry(details: AuditInput['details']): AuditInput {
  return { step: 'KEY_CHANGE', action: '', hash: '', session: '', tool: '', details };
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
  readonly met: readonly MetWitness[];
  readonly witnessing?: Witnessing;
}

function startLog(parts: LogParts): AuditLog {
  const { folder, writer, state, key, clock, timers } = parts;
  let sealedHead = state.head;
  let head = state.head;
  let failure: BulkheadError | undefined;
  let closed = false;
  let rotating = false;
  let closing: Promise<void> | undefined;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;

  const fail = (error: unknown): BulkheadError => {
    const isKnown = BulkheadError.is(error) && error.code === 'audit_failed';
    failure ??= isKnown ? error : auditFailed(`can't write the audit log: ${describeError(error)}`, error);
    return failure;
  };
  const checkpointer = new Checkpointer({
    folder,
    key,
    clock,
    timers,
    tree: state.tree,
    last: state.last,
    file: parts.checkpoints,
    onSigned: (signed) => {
      for (const courier of couriers) courier.offer(signed);
    },
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

  /** Never rejects: each waiting call receives its own error. */
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

  const append = async (inputs: readonly AuditInput[]): Promise<readonly AuditEntry[]> => {
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
  };

  const couriers = startCouriers(parts, append, fail);
  return {
    async append(inputs) {
      if (closing !== undefined) throw auditFailed('the audit log is closed');
      return await append(inputs);
    },
    async sign() {
      if (closing !== undefined) throw auditFailed('the audit log is closed');
      try {
        await checkpointer.settle();
      } catch (error) {
        throw fail(error);
      }
    },
    async rotateKey() {
      if (closing !== undefined) throw auditFailed('the audit log is closed');
      if (rotating) throw new BulkheadError('busy', 'the key of the audit log is being changed already');
      rotating = true;
      try {
        const { from, to } = checkpointer.changeKey();
        await append([keyEntry({ from, to })]);
        await checkpointer.settle();
        return { from, to };
      } catch (error) {
        throw fail(error);
      } finally {
        rotating = false;
      }
    },
    get head() {
      return { n: head.n, self: head.self };
    },
    async close() {
      closing ??= (async () => {
        await flushing;
        try {
          if (failure === undefined) await checkpointer.settle();
          // Their records must be written before the end.
          await Promise.all(couriers.map((courier) => courier.close()));
          closed = true;
          await flushing;
          if (failure === undefined) await checkpointer.settle();
        } catch (error) {
          throw fail(error);
        } finally {
          closed = true;
          checkpointer.close();
          writer.close();
        }
      })();
      await closing;
    },
  };
}

function startCouriers(
  { met, witnessing, timers }: LogParts,
  append: AuditLog['append'],
  fail: (error: unknown) => void,
): readonly Courier[] {
  if (witnessing === undefined) return [];
  const { onProblem, timeoutMs, warn } = witnessing;
  return met.map(({ witness, witnessed }) => {
    const onGap = (problem: WitnessProblem, reason: string): void => {
      warn(`${witness.name}: ${problem}: ${reason}`);
      if (problem === 'conflict') fail(witnessConflict(witness.name, reason));
      else if (onProblem === 'halt') fail(witnessFailed(witness.name, reason));
    };
    const record = async (entry: AuditInput): Promise<void> => void (await append([entry]));
    return new Courier({ witness, witnessed, timers, timeoutMs, record, onGap });
  });
}
