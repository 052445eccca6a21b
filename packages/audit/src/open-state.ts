import { auditFailed, auditFileName, listAuditFiles } from './audit-files.ts';
import { type ChainHead, GENESIS } from './chain.ts';
import { checkFile, type EntryVisitor } from './check-file.ts';
import type { SignedCheckpoint } from './checkpoint/checkpoint.ts';
import { findTree } from './checkpoint/find-tree.ts';
import type { Mend } from './mend.ts';
import { Frontier } from './merkle/frontier.ts';
import { prefixedLeafHash } from './merkle/tree-hash.ts';
import { endOfFile, readTail } from './open-tail.ts';

/** The state from which a writer continues the log. */
export interface LogState {
  /** Number of the file to write to; it may not exist yet. */
  readonly number: number;
  readonly head: ChainHead;
  /** The tree over all entries up to `head`. */
  readonly tree: Frontier;
  /** The tree at the start of the file: the first line of its checkpoints, if still missing. */
  readonly start: Frontier;
  readonly withoutHeader: boolean;
  /** True without any file of checkpoints: a new log, or one of a version without them. */
  readonly neverSigned: boolean;
  readonly last?: SignedCheckpoint;
  readonly mends: readonly Mend[];
}

/**
 * Checks the last file of the log, and its checkpoints, and grows the tree. Reads only the entries
 * after the newest stored tree; a log of a version without trees is read from its start, once.
 * Changes nothing.
 * @throws BulkheadError `audit_failed`
 */
export async function readState(folder: string): Promise<LogState> {
  const files = await listAuditFiles(folder);
  const number = Math.max(1, files.entries.length);
  if (files.entries.some((each, index) => each !== index + 1) || (files.checkpoints.at(-1) ?? 0) > number) {
    throw auditFailed(`a file of the audit log in ${folder} is missing`);
  }
  const found = await findTree(folder, files.checkpoints);
  const { last } = found;
  const tree = new Frontier(found.start.size, found.start.roots);
  const visit = growing(tree, last);
  let before = await endOfFile(folder, found.number - 1);
  if (before.n !== tree.size)
    throw auditFailed(`the checkpoints in ${folder} are not those of the audit log`);
  for (let each = found.number; each < number; each++) before = await readFull(folder, each, before, visit);
  const start = new Frontier(tree.size, tree.roots);
  const tail = files.entries.length === 0 ? { head: GENESIS } : await readTail(folder, number, before, visit);
  if (last !== undefined && last.size > tail.head.n) {
    throw auditFailed(
      `the audit log ends after entry ${tail.head.n}, and a checkpoint was signed over ${last.size}: entries were taken off its end`,
    );
  }
  const mends = [tail.mend, found.mend].filter((mend) => mend !== undefined);
  const withoutHeader = found.withoutHeader || !files.checkpoints.includes(number);
  const neverSigned = files.checkpoints.length === 0;
  return { number, head: tail.head, tree, start, withoutHeader, neverSigned, mends, ...(last && { last }) };
}

function growing(tree: Frontier, last: SignedCheckpoint | undefined): EntryVisitor {
  return (line, n) => {
    tree.append(prefixedLeafHash(line));
    if (n === last?.size && tree.root() !== last.root) {
      throw auditFailed(
        `the audit log is not the one its last checkpoint was signed over, at entry ${n} or before`,
      );
    }
  };
}

async function readFull(
  folder: string,
  number: number,
  before: ChainHead,
  visit: EntryVisitor,
): Promise<ChainHead> {
  const { head, bad, lines } = await checkFile(folder, number, before, { visit });
  if (bad === undefined) return head;
  throw auditFailed(
    `entry ${head.n + 1} of the audit log is bad: line ${lines + 1} of ${auditFileName(number)}: ${bad}`,
  );
}
