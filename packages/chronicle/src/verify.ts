import type { Chronicle } from './chronicle.ts';
import { hashesOf } from './snapshot.ts';

export interface ChronicleCheck {
  readonly snapshots: number;
  readonly blobs: number;
  /** Actions that can't be undone any more, and why; a line each. */
  readonly problems: readonly string[];
}

/** Reads every snapshot and hashes every content again. Reports damage, and never repairs it. */
export async function verifyChronicle(chronicle: Chronicle, signal?: AbortSignal): Promise<ChronicleCheck> {
  const problems = [...chronicle.damaged().values()];
  const whole = new Map<string, boolean>();
  const entries = chronicle.list();
  for (const { id } of entries) {
    try {
      for (const hash of new Set(hashesOf(chronicle.read(id).changes))) {
        const isWhole = whole.get(hash) ?? (await chronicle.blobs.isWhole(hash, signal));
        whole.set(hash, isWhole);
        if (!isWhole) problems.push(`snapshot ${id}: the content ${hash} is damaged or gone`);
      }
    } catch (error) {
      signal?.throwIfAborted();
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { snapshots: entries.length, blobs: whole.size, problems };
}
