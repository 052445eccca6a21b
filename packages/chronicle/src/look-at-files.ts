import { BulkheadError } from '@bulkhead/protocol';
import { RollbackJournal } from './rollback/rollback-journal.ts';
import { hashesOf } from './snapshot.ts';
import { BlobStore } from './store/blob-store.ts';
import { SnapshotFiles } from './store/snapshot-files.ts';

/** The condition of a chronicle's files. */
export interface ChronicleLook {
  readonly snapshots: number;
  readonly contents: number;
  /** Number of contents compared with their hash. */
  readonly hashed: number;
  /** A line each. */
  readonly problems: readonly string[];
}

/**
 * Checks the files that opening a chronicle reads, without changing any: an engine may have it
 * open. A snapshot that the engine removes meanwhile is not a problem.
 *
 * @param folder of the chronicle
 * @param mostBytes of contents to hash; for the others only existence is checked
 */
export async function lookAtChronicle(folder: string, mostBytes: number): Promise<ChronicleLook> {
  const problems: string[] = [];
  // A missing folder is not a problem, nor is a snapshot removed meanwhile.
  const attempt = async (look: () => void | Promise<void>): Promise<void> => {
    try {
      await look();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      const { code, message } = BulkheadError.from(error);
      if (code !== 'not_found') problems.push(message);
    }
  };
  const files = new SnapshotFiles(`${folder}/snapshots`);
  const blobs = new BlobStore(`${folder}/blobs`);
  const ids: string[] = [];
  await attempt(() => void ids.push(...files.ids()));
  const contents = new ContentLook(blobs, mostBytes);
  for (const id of ids) {
    await attempt(async () => {
      for (const hash of hashesOf(files.read(id).changes)) {
        const problem = await contents.problemOf(hash);
        if (problem === undefined) continue;
        // It may have been removed with its snapshot.
        files.read(id);
        problems.push(`snapshot ${id}: the content ${hash} is ${problem}`);
      }
    });
  }
  await attempt(() => void new RollbackJournal(`${folder}/rollbacks`).open());
  return { snapshots: ids.length, contents: contents.seen, hashed: contents.hashed, problems };
}

/** Checks each content once. */
class ContentLook {
  readonly #blobs: BlobStore;
  readonly #seen = new Set<string>();
  #left: number;
  hashed = 0;

  constructor(blobs: BlobStore, mostBytes: number) {
    this.#blobs = blobs;
    this.#left = mostBytes;
  }

  get seen(): number {
    return this.#seen.size;
  }

  /** @returns undefined if no damage is known, or it was checked before */
  async problemOf(hash: string): Promise<'gone' | 'damaged' | undefined> {
    if (this.#seen.has(hash)) return undefined;
    this.#seen.add(hash);
    const size = this.#blobs.sizeOf(hash);
    if (size === undefined) return 'gone';
    if (size > this.#left) return undefined;
    this.#left -= size;
    this.hashed += 1;
    return (await this.#blobs.isWhole(hash)) ? undefined : 'damaged';
  }
}
