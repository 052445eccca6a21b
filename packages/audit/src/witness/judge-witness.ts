import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint/checkpoint.ts';
import type { KeyRing } from '../checkpoint/key-ring.ts';
import type { TreeHash } from '../merkle/tree-hash.ts';

/** How the last checkpoint of a witness relates to a log. */
export type WitnessFinding =
  /** It saw the current log, up to this size. */
  | { readonly kind: 'agrees'; readonly size: number }
  | { readonly kind: 'empty' }
  /** It saw another log: one of them was restored, truncated or rewritten. */
  | { readonly kind: 'conflict'; readonly reason: string };

/** The engine's own log. */
export interface KnownLog {
  readonly keys: KeyRing | undefined;
  readonly last: SignedCheckpoint | undefined;
  /** Number of entries. */
  readonly entries: number;
  /** Root of the first `size` entries. */
  readonly rootAt: (size: number) => Promise<TreeHash>;
}

/** @param note the last one that the witness received, by its own account */
export async function judgeWitness(note: string | undefined, log: KnownLog): Promise<WitnessFinding> {
  if (note === undefined) return { kind: 'empty' };
  if (note === log.last?.note) return { kind: 'agrees', size: log.last.size };
  const seen = parseCheckpoint(note);
  if (seen === undefined) return { kind: 'conflict', reason: 'what it has is not a checkpoint' };
  if (log.keys?.verifies(seen) !== true) {
    return {
      kind: 'conflict',
      reason: `what it has was not signed by the key of this log, but by ${seen.origin}`,
    };
  }
  if (seen.size > log.entries) {
    const reason = `it saw ${seen.size} entries, and the log has ${log.entries}: it was put back or cut`;
    return { kind: 'conflict', reason };
  }
  if ((await log.rootAt(seen.size)) !== seen.root) {
    return { kind: 'conflict', reason: `the first ${seen.size} entries are not those it saw` };
  }
  return { kind: 'agrees', size: seen.size };
}
