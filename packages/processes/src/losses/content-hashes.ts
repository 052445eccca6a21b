import { createHash } from 'node:crypto';

/** Two names of one content, hex. */
export interface ContentHashes {
  readonly sha256: string;
  /** As git names a file with it. */
  readonly blob: string;
}

export function hashesOf(bytes: Buffer): ContentHashes {
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    blob: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
  };
}
