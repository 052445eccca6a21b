import { join } from 'node:path';
import { auditFailed, checkpointFileName, readLastLine } from '../audit-files.ts';
import { MAX_LINE_BYTES } from '../chain.ts';
import { cutLine, type Mend } from '../mend.ts';
import { Frontier } from '../merkle/frontier.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { type CheckpointFileCheck, checkCheckpoints, parseNoteLine } from './checkpoint-file.ts';

/** The newest point from which the tree can grow without reading the whole log. */
export interface FoundTree {
  /** The tree at the start of this file of entries. */
  readonly number: number;
  readonly start: Frontier;
  /** The last checkpoint; undefined if none was ever signed. */
  readonly last?: SignedCheckpoint;
  readonly mend?: Mend;
  /** True if the first line of the newest file is missing. */
  readonly withoutHeader: boolean;
}

/**
 * @param numbers of the files of checkpoints
 * @throws BulkheadError `audit_failed` for damage that no crash causes; nothing is changed
 */
export async function findTree(folder: string, numbers: readonly number[]): Promise<FoundTree> {
  const number = numbers.at(-1);
  if (number === undefined) return { number: 1, start: new Frontier(), withoutHeader: false };
  const before = await lastCheckpoint(folder, numbers.slice(0, -1));
  const check = await checkCheckpoints(folder, number, before);
  const mend = mendOf(folder, number, check);
  if (check.start === undefined) {
    const older = await findTree(folder, numbers.slice(0, -1));
    return { ...older, withoutHeader: true, ...(mend && { mend }) };
  }
  if (before?.size === check.start.size && before.root !== check.start.root()) {
    throw auditFailed(`the first line of ${checkpointFileName(number)} is not the tree of the log`);
  }
  const last = check.last ?? before;
  return { number, start: check.start, withoutHeader: false, ...(last && { last }), ...(mend && { mend }) };
}

/** @returns the last checkpoint of these files, unverified */
export async function lastCheckpoint(
  folder: string,
  numbers: readonly number[],
): Promise<SignedCheckpoint | undefined> {
  for (const number of numbers.toReversed()) {
    const line = await readLastLine(join(folder, checkpointFileName(number)));
    const note = line === undefined ? undefined : parseNoteLine(line);
    if (note !== undefined) return note;
  }
  return undefined;
}

function mendOf(folder: string, number: number, check: CheckpointFileCheck): Mend | undefined {
  const { bad, torn } = check;
  if (bad === undefined) return undefined;
  const name = checkpointFileName(number);
  if (torn === undefined || torn.length > MAX_LINE_BYTES) {
    throw auditFailed(`line ${check.lines + 1} of ${name} in the audit log is bad: ${bad}`);
  }
  return cutLine(join(folder, name), check.bytes, torn);
}
