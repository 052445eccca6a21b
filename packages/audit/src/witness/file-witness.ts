import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { readLastLine } from '../audit-files.ts';
import type { Witness } from './witness.ts';

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * A file to which checkpoints are appended, one per line, as JSON. Its value as a witness depends
 * on being out of the engine's reach: append-only (`chattr +a`), on a removed medium, or on another
 * machine's file system.
 * @param path absolute; its folder must exist
 */
export function fileWitness(path: string): Witness {
  return {
    name: path,
    async deliver(note) {
      await using file = await open(path, FLAGS, 0o600);
      await file.writeFile(`${JSON.stringify(note)}\n`);
      await file.sync();
    },
    async latest() {
      const line = await readLastLine(path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      return line === undefined ? undefined : String(JSON.parse(line));
    },
  };
}
