import { entryFromRow } from '../record-row.ts';
import type { Entry, RecentBranch } from '../session-store.ts';
import type { TreeSource } from './tree-source.ts';
import { walkBack } from './walk-back.ts';

/**
 * Walks back from `leaf` and stops at the first entry that the latest compaction keeps, or with the
 * entry whose body brings the sum over `bytes` (UTF-8): returns at least one entry. An image counts
 * as its text equivalent for models, whatever the size of its file.
 */
export function recentBranchOf(
  source: TreeSource,
  sessionId: string,
  leaf: string | null,
  bytes: number,
): RecentBranch {
  const entries: Entry[] = [];
  let read = 0;
  let keptFrom: string | undefined;
  for (const row of walkBack(source, sessionId, leaf)) {
    const entry = entryFromRow(row);
    entries.push(entry);
    read += Buffer.byteLength(row.text) - imageBytes(entry);
    if (keptFrom === undefined && entry.type === 'compaction') keptFrom = entry.body.keptFrom;
    if (entry.id === keptFrom || read > bytes) break;
  }
  entries.reverse();
  return { entries, whole: (entries[0]?.parent ?? null) === null };
}

/** Text equivalent of an image for a model: some 1,500 tokens. */
const IMAGE_AS_TEXT = 5_000;

/** Bytes of an entry's images in its body beyond that, in base64. */
function imageBytes({ message }: Entry): number {
  if (message?.role.case !== 'user') return 0;
  return message.role.value.images.reduce(
    (sum, { data }) => sum + Math.max(0, (data.byteLength * 4) / 3 - IMAGE_AS_TEXT),
    0,
  );
}
