import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { readLastLine } from '../audit-files.ts';
import type { Witness } from './witness.ts';

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * A file that checkpoints are added to, one on each line, as JSON. It is as good a witness as it is out of the engine's
 * reach: append-only (`chattr +a`), on a medium that is taken away, or of a file system that another machine serves.
 * @param path absolute; its folder must be there
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
