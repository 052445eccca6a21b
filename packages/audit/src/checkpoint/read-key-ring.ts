import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileName, listAuditFiles } from '../audit-files.ts';
import { eachLine } from '../each-line.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { parseNoteLine } from './checkpoint-file.ts';
import { KeyRing } from './key-ring.ts';
import type { VerifierKey } from './verifier-key.ts';

/** Occurs only in checkpoints that change the key. */
const MARK = Buffer.from('\\nkey-to ');

/** Follows the changes of keys in the files of checkpoints. @param trusted the known key */
export async function readKeyRing(folder: string, trusted: VerifierKey): Promise<KeyRing> {
  const changes: SignedCheckpoint[] = [];
  for (const number of (await listAuditFiles(folder)).checkpoints) {
    await using file = await open(join(folder, checkpointFileName(number)), 'r');
    await eachLine(file, (line) => {
      const checkpoint = line.includes(MARK) ? parseNoteLine(line.toString('utf8', 1)) : undefined;
      if (checkpoint !== undefined) changes.push(checkpoint);
      return true;
    });
  }
  return KeyRing.of(trusted, changes);
}
