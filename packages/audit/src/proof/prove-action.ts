import { BulkheadError } from '@bulkhead/protocol';
import { auditFailed } from '../audit-files.ts';
import { SubtreeProof } from '../merkle/subtree-proof.ts';
import { prefixedLeafHash, toBase64 } from '../merkle/tree-hash.ts';
import { eachEntry } from '../read/each-entry.ts';
import { actionStart, startsWith } from '../read/list-entries.ts';
import type { ActionProof } from './audit-proof.ts';
import { signedCheckpoints } from './signed-checkpoints.ts';

/**
 * Proves the entries of an action, against the log's last checkpoint. Reads the log once.
 * @throws BulkheadError `not_found` if the checkpoint covers none of them, `audit_failed` if the
 * log differs from the signed one
 */
export async function proveAction(
  folder: string,
  action: string,
  signal?: AbortSignal,
): Promise<ActionProof> {
  const { key, last } = await signedCheckpoints(folder);
  const proof = new SubtreeProof();
  const start = actionStart(action);
  const entries: { readonly n: number; readonly line: string }[] = [];
  await eachEntry(
    folder,
    (line, n) => {
      if (n > last.size) return false;
      const shown = startsWith(line, start);
      if (shown) entries.push({ n, line: line.toString('utf8', 1) });
      proof.append(prefixedLeafHash(line), shown);
      return true;
    },
    signal,
  );
  const { root, hashes } = proof.finish();
  if (root !== last.root) throw notWhatWasSigned(last.size);
  if (entries.length === 0) {
    throw new BulkheadError(
      'not_found',
      `the first ${last.size} entries of the audit log tell of no action ${action}`,
      {
        fix: 'Ids of actions are those of `bulkhead audit list`. What was recorded just now is signed within a second.',
      },
    );
  }
  return {
    v: 1,
    proves: 'action',
    action,
    key: key.text,
    checkpoint: last.note,
    entries,
    hashes: hashes.map(toBase64),
  };
}

export function notWhatWasSigned(size: number): BulkheadError {
  return auditFailed(
    `the first ${size} entries of the audit log are not what was signed: \`bulkhead audit verify\` says where`,
  );
}
