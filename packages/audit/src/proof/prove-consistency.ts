import { BulkheadError } from '@bulkhead/protocol';
import { SubtreeProof } from '../merkle/subtree-proof.ts';
import { prefixedLeafHash, toBase64 } from '../merkle/tree-hash.ts';
import { eachEntry } from '../read/each-entry.ts';
import type { ConsistencyProof } from './audit-proof.ts';
import { notWhatWasSigned } from './prove-action.ts';
import { signedCheckpoints } from './signed-checkpoints.ts';

/**
 * Proves that the log only grew between two checkpoints. Reads the log once.
 * @param sizes of checkpoints; the newer one defaults to the last
 * @throws BulkheadError `not_found` if a checkpoint is missing, `audit_failed` if the log differs
 * from the signed one
 */
export async function proveConsistency(
  folder: string,
  sizes: { readonly older: number; readonly newer?: number },
  signal?: AbortSignal,
): Promise<ConsistencyProof> {
  const { key, last, find } = await signedCheckpoints(folder);
  const older = await find(sizes.older);
  const newer = sizes.newer === undefined ? last : await find(sizes.newer);
  if (older === undefined || newer === undefined || older.size >= newer.size) {
    throw new BulkheadError(
      'not_found',
      `there are no two checkpoints of ${sizes.older} and of ${sizes.newer ?? 'more'} entries`,
      {
        fix: 'Name the sizes of two checkpoints, the smaller first: second lines in the .checkpoints files.',
      },
    );
  }
  const proof = new SubtreeProof(older.size);
  await eachEntry(
    folder,
    (line, n) => {
      if (n <= newer.size) proof.append(prefixedLeafHash(line), false);
      return n < newer.size;
    },
    signal,
  );
  const { root, hashes } = proof.finish();
  if (root !== newer.root) throw notWhatWasSigned(newer.size);
  return {
    v: 1,
    proves: 'consistency',
    key: key.text,
    older: older.note,
    newer: newer.note,
    hashes: hashes.map(toBase64),
  };
}
