import { auditFailed, listAuditFiles } from '../audit-files.ts';
import type { SignedCheckpoint } from '../checkpoint/checkpoint.ts';
import { checkCheckpoints } from '../checkpoint/checkpoint-file.ts';
import { lastCheckpoint } from '../checkpoint/find-tree.ts';
import type { VerifierKey } from '../checkpoint/verifier-key.ts';
import { readVerifierKey } from '../verify/read-verifier-key.ts';

/** The signed checkpoints of a log, for proofs. */
export interface SignedCheckpoints {
  readonly key: VerifierKey;
  readonly last: SignedCheckpoint;
  /** The checkpoint of this size, its own signature checked. */
  find(size: number): Promise<SignedCheckpoint | undefined>;
}

/** @throws BulkheadError `audit_failed` if nothing was signed, or by another key than the log's */
export async function signedCheckpoints(folder: string): Promise<SignedCheckpoints> {
  const key = await readVerifierKey(folder);
  if (typeof key === 'string') throw auditFailed(`the audit log proves nothing: ${key}`);
  const numbers = (await listAuditFiles(folder)).checkpoints;
  const last = await lastCheckpoint(folder, numbers);
  if (last === undefined) throw auditFailed('the audit log proves nothing yet: no checkpoint was signed');
  if (!key.verifies(last)) throw auditFailed("the last checkpoint was not signed by the audit log's key");
  return { key, last, find: (size) => findCheckpoint(folder, numbers, size, key) };
}

async function findCheckpoint(
  folder: string,
  numbers: readonly number[],
  size: number,
  key: VerifierKey,
): Promise<SignedCheckpoint | undefined> {
  let found: SignedCheckpoint | undefined;
  let before: SignedCheckpoint | undefined;
  for (const number of numbers) {
    const check = await checkCheckpoints(folder, number, before, (checkpoint) => {
      if (checkpoint.size === size && key.verifies(checkpoint)) found = checkpoint;
    });
    before = check.last ?? before;
  }
  return found;
}
