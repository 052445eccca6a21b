import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/** More than one commit of a session or one line of the audit log: a disk with less is full. */
const PROBE_BYTES = 256 * 1024;

/**
 * Writes and flushes a small file in a folder and removes it: a query of free space would not
 * detect a failing disk.
 *
 * @param bytes its size
 * @throws the system's error
 */
export async function writeProbe(folder: string, bytes = PROBE_BYTES): Promise<void> {
  const path = `${folder}/.storage-probe`;
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  try {
    await using file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    await file.writeFile(Buffer.alloc(bytes, 1));
    await file.sync();
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
