import { BulkheadError } from '@bulkhead/protocol';
import { RollbackJournal } from './rollback/rollback-journal.ts';
import { hashesOf } from './snapshot.ts';
import { BlobStore } from './store/blob-store.ts';
import { SnapshotFiles } from './store/snapshot-files.ts';

/** What the files of a chronicle are like. */
export interface ChronicleLook {
  readonly snapshots: number;
  readonly contents: number;
  /** Contents whose bytes were compared with their name. */
  readonly hashed: number;
  /** A line each. */
  readonly problems: readonly string[];
}

/**
 * Reads what opening a chronicle reads, and makes, mends and removes nothing: an engine may have it open. A snapshot that the engine removes
 * meanwhile is no problem.
 *
 * @param folder of the chronicle
 * @param mostBytes of contents that are hashed; of the others it is only known that they are there
 */
export async function lookAtChronicle(folder: string, mostBytes: number): Promise<ChronicleLook> {
  const problems: string[] = [];
  // A folder that was never made is no problem, and neither is a snapshot that went meanwhile.
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
        // It may have gone with its snapshot.
        files.read(id);
        problems.push(`snapshot ${id}: the content ${hash} is ${problem}`);
      }
    });
  }
  await attempt(() => void new RollbackJournal(`${folder}/rollbacks`).open());
  return { snapshots: ids.length, contents: contents.seen, hashed: contents.hashed, problems };
}

/** Looks at each content once. */
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

  /** @returns undefined if it is sound as far as is known, or was looked at before */
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
