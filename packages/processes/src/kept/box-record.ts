import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** The known facts about the private folders of one workspace. */
const recordSchema = z.object({
  version: z.literal(1),
  /** The working folder, absolute. */
  path: z.string(),
  /** The folder's identity: another folder at the same path gets other private folders. */
  identity: z.string(),
  /** Space on the disk, when it was last measured; absent before that. */
  bytes: z.number().optional(),
  names: z.number().optional(),
  /** False if there is more than was counted. */
  isWhole: z.boolean().optional(),
  /** Milliseconds since 1970. */
  usedAt: z.number(),
});

export type BoxRecord = z.output<typeof recordSchema>;

const NAME = 'box.json';

/** Folders of a session that appear as /tmp, /var/tmp and /dev/shm. */
export const TEMPORARY = ['tmp', 'var-tmp', 'shm'] as const;

/** Names in a folder that only the engine writes; none if it is missing. */
export function entriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The folder's name for a workspace: by path and identity. */
export function boxIdOf(path: string, identity: string): string {
  return createHash('sha256').update(`${identity}\0${path}`).digest('hex').slice(0, 32);
}

/** @returns undefined if there is none, or it is damaged: it is then measured anew */
export function readBoxRecord(folder: string): BoxRecord | undefined {
  try {
    const result = recordSchema.safeParse(JSON.parse(readFileSync(`${folder}/${NAME}`, 'utf8')));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

/** Not flushed: a lost record costs one measurement. */
export function writeBoxRecord(folder: string, record: BoxRecord): void {
  const fresh = `${folder}/${NAME}.new`;
  writeFileSync(fresh, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(fresh, `${folder}/${NAME}`);
}
